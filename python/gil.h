// The global lock of Python, let go and taken again.
//
// When Python ends, it ends the threads that are left as soon as they want the
// lock: by an exception that everything must let pass (abi::__forced_unwind).
// It would run destructors that touch Python's objects without the lock, and
// pybind11 has ones that end the process instead.  So those threads stop here,
// as Python itself has them do since 3.14.

#ifndef TAMIS_PYTHON_GIL_H_
#define TAMIS_PYTHON_GIL_H_

#include <cxxabi.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace tamis::python {

// For a thread that Python has ended.
[[noreturn]] inline void StopHere() {
  for (;;) pause();
}

template <typename Work>
void OrStopHere(Work work) {
  try {
    work();
  } catch (abi::__forced_unwind&) {
    StopHere();
  }
}

// While one lives, this thread does not have the lock.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    OrStopHere([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_GIL_H_
