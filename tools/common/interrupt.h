// Interrupt: Ctrl-C as a question instead of an end.
//
// While an InterruptScope lives, the first SIGINT or SIGTERM only sets a flag,
// which work that takes long asks for now and then: it stops, keeps what it
// has, and the command exits with status 130.  A second one ends the process
// as if there were no scope.
//
// While there is nothing to keep yet, an InterruptEnds does: the first signal
// says so and ends the process with that status at once, even if it waits for
// input that does not come.
//
// Thread safety: the flag may be read from any thread; one scope at a time.

#ifndef TAMIS_TOOLS_COMMON_INTERRUPT_H_
#define TAMIS_TOOLS_COMMON_INTERRUPT_H_

#include <signal.h>

namespace tamis::tools {

inline constexpr int kExitInterrupted = 130;  // 128 + SIGINT, as shells say

// Handles SIGINT and SIGTERM for as long as it lives.
class SignalScope {
 public:
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 protected:
  explicit SignalScope(void (*handler)(int));
  ~SignalScope();

 private:
  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
};

class InterruptScope : public SignalScope {
 public:
  InterruptScope();
};

class InterruptEnds : public SignalScope {
 public:
  InterruptEnds();
};

// True if an interrupt came since they were last forgotten.
bool InterruptRequested();
void ForgetInterrupts();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_INTERRUPT_H_
