// Interrupt: Ctrl-C as a question instead of an end.
//
// While an InterruptScope lives, the first SIGINT or SIGTERM only sets a flag,
// which work that takes long asks for now and then: it stops, keeps what it
// has, and the command exits with status 130.  A second one ends the process
// as if there were no scope.
//
// Thread safety: the flag may be read from any thread.

#ifndef TAMIS_TOOLS_COMMON_INTERRUPT_H_
#define TAMIS_TOOLS_COMMON_INTERRUPT_H_

#include <signal.h>

namespace tamis::tools {

class InterruptScope {
 public:
  InterruptScope();  // forgets earlier interrupts
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

 private:
  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
};

// True if an interrupt came since they were last forgotten.
bool InterruptRequested();
void ForgetInterrupts();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_INTERRUPT_H_
