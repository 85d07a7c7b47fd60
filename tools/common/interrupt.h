// Interrupt: Ctrl-C as a question instead of an end.
//
// While an InterruptScope lives, the first SIGINT, SIGTERM or SIGHUP only sets
// a flag, which work that takes long asks for now and then: it stops, keeps
// what it has, and the command exits with 128 + the signal's number, as shells
// have it: 130, 143 or 129.  A second one ends the process, as if there were no
// scope but for temporary files: they go.
//
// While there is nothing to keep yet, an InterruptEnds does: the first signal
// says so and ends the process with that status at once, even if it waits for
// input that does not come.
//
// While a file is written in one go, a TemporariesGo lets every signal end the
// process as a second one does.  SIGQUIT, and SIGPIPE, which comes when nobody
// reads what is told of the progress, do so under all of these.
//
// A SIGHUP that nohup has it ignore stays ignored; so do SIGQUIT and SIGPIPE.
//
// Thread safety: the flag may be read from any thread; one scope at a time.

#ifndef TAMIS_TOOLS_COMMON_INTERRUPT_H_
#define TAMIS_TOOLS_COMMON_INTERRUPT_H_

#include <signal.h>

#include <array>

namespace tamis::tools {

// The exit status of a command that a signal has ended, as shells say it.
constexpr int ExitStatusOf(int signal_number) { return 128 + signal_number; }
inline constexpr int kExitInterrupted = ExitStatusOf(SIGINT);

// Handles these signals for as long as it lives.
class SignalScope {
 public:
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 protected:
  explicit SignalScope(void (*handler)(int));
  ~SignalScope();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT,
                                          SIGPIPE};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

class InterruptScope : public SignalScope {
 public:
  InterruptScope();
};

class InterruptEnds : public SignalScope {
 public:
  InterruptEnds();
};

class TemporariesGo : public SignalScope {
 public:
  TemporariesGo();
};

// True if an interrupt came since they were last forgotten.
bool InterruptRequested();
// The number of that signal; 0 if none came.
int SignalRequested();
void ForgetInterrupts();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_INTERRUPT_H_
