#include "tools/common/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

namespace tamis::tools {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may not wait for a lock");

void Request(int) { requested = true; }

// Calls nothing but what a signal handler may call.
void End(int) {
  constexpr std::string_view kMessage =
      "\ntamis: interrupted; nothing was measured yet\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kExitInterrupted);
}

}  // namespace

SignalScope::SignalScope(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // Waiting ends with EINTR, and the second signal is not ours.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

SignalScope::~SignalScope() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

InterruptScope::InterruptScope() : SignalScope(Request) {}

InterruptEnds::InterruptEnds() : SignalScope(End) {}

bool InterruptRequested() { return requested; }

void ForgetInterrupts() { requested = false; }

}  // namespace tamis::tools
