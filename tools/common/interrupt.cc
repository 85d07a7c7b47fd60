#include "tools/common/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

#include "tamis/internal/format/file.h"

namespace tamis::tools {
namespace {

std::atomic<int> requested = 0;  // the signal
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler may not wait for a lock");

// These call nothing but what a signal handler may call.

// Ends the process by the signal itself, so that a shell learns of it.
void EndBy(int signal_number) {
  internal::RemoveTemporaries();
  signal(signal_number, SIG_DFL);
  raise(signal_number);  // comes when the handler has returned
}

void Request(int signal_number) {
  if (requested.exchange(signal_number) != 0) EndBy(signal_number);
}

void End(int signal_number) {
  constexpr std::string_view kMessage =
      "\ntamis: interrupted; nothing was measured yet\n";
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(ExitStatusOf(signal_number));
}

// Those that ask for an end at once.
bool EndsAtOnce(int signal_number) {
  return signal_number == SIGQUIT || signal_number == SIGPIPE;
}

bool MayStayIgnored(int signal_number) {
  return signal_number == SIGHUP || EndsAtOnce(signal_number);
}

}  // namespace

SignalScope::SignalScope(void (*handler)(int)) {
  struct sigaction action = {};
  // No SA_RESTART: waiting ends with EINTR.
  for (size_t i = 0; i < kSignals.size(); ++i) {
    action.sa_handler = EndsAtOnce(kSignals[i]) ? EndBy : handler;
    sigaction(kSignals[i], &action, &before_[i]);
    if (MayStayIgnored(kSignals[i]) && before_[i].sa_handler == SIG_IGN) {
      sigaction(kSignals[i], &before_[i], nullptr);
    }
  }
}

SignalScope::~SignalScope() {
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &before_[i], nullptr);
  }
}

InterruptScope::InterruptScope() : SignalScope(Request) {}

InterruptEnds::InterruptEnds() : SignalScope(End) {}

TemporariesGo::TemporariesGo() : SignalScope(EndBy) {}

bool InterruptRequested() { return requested != 0; }

int SignalRequested() { return requested; }

void ForgetInterrupts() { requested = 0; }

}  // namespace tamis::tools
