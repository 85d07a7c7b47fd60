// ExperimentProcess: one experiment in a process of its own.
//
// So that it can be ended at once, can run beside others without sharing a
// heap with them, and takes nothing down with it if it crashes.  What it has
// to say comes through a pipe, as a row of messages:
//
//   +------+----------+-----------------+
//   | kind | length   | length bytes    |   'p' the share done, a double
//   | 1    | 8, native|                 |   'f' findings, as CBOR
//   +------+----------+-----------------+   'e' code (1 byte) and message
//
// The last message is findings or an error; then the pipe ends.

#ifndef TAMIS_LAB_REPRODUCE_EXPERIMENT_PROCESS_H_
#define TAMIS_LAB_REPRODUCE_EXPERIMENT_PROCESS_H_

#include <sys/types.h>

#include <string>

#include "lab/reproduce/experiment.h"
#include "tamis/result.h"

namespace tamis::tools {

class ExperimentProcess {
 public:
  // REQUIRES: this process has one thread; options.progress is not called
  static Result<ExperimentProcess> Start(const Experiment& experiment,
                                         const ExperimentOptions& options);
  ExperimentProcess(ExperimentProcess&& other) noexcept;
  ExperimentProcess& operator=(ExperimentProcess&& other) noexcept;
  ~ExperimentProcess() { End(); }  // kills it if it still runs

  // Becomes readable when there is something to Read().
  int descriptor() const { return descriptor_; }
  double share() const { return share_; }  // done, as last heard

  // Reads what has come; false when nothing more will come.
  bool Read();
  // Returns what was found, or why nothing was.  REQUIRES: Read() was false
  Result<Findings> Finish();

 private:
  ExperimentProcess(pid_t child, int descriptor)
      : child_(child), descriptor_(descriptor) {}
  void TakeMessages();
  int Wait();
  void End();

  pid_t child_ = -1;
  int descriptor_ = -1;
  double share_ = 0;
  std::string received_;  // not yet taken apart
  char outcome_ = 0;      // kind of the last message: 'f' or 'e'
  std::string payload_;   // its bytes
};

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_EXPERIMENT_PROCESS_H_
