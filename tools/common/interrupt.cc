#include "tools/common/interrupt.h"

#include <atomic>

namespace tamis::tools {
namespace {

std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may not wait for a lock");

void OnSignal(int) { requested = true; }

}  // namespace

InterruptScope::InterruptScope() {
  ForgetInterrupts();
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  // Waiting ends with EINTR, and the second signal is not ours.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

bool InterruptRequested() { return requested; }

void ForgetInterrupts() { requested = false; }

}  // namespace tamis::tools
