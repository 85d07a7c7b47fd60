// Errors of tamis/c.h as exceptions: those of python/tamis/errors.py.

#ifndef TAMIS_PYTHON_ERRORS_H_
#define TAMIS_PYTHON_ERRORS_H_

#include <pybind11/pybind11.h>

#include "tamis/c.h"

namespace tamis::python {

// What a call of C fills in.
class Error {
 public:
  Error() : error_(tamis_error_new()) {}
  ~Error() { tamis_error_free(error_); }
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;

  tamis_error* get() const { return error_; }
  // Throws the exception of a status, unless it is TAMIS_OK.  An exception that
  // a key source raised in the meantime, in this thread, is thrown instead.
  // REQUIRES: the GIL is held
  void Throw(tamis_status status) const;

 private:
  tamis_error* error_;
};

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_ERRORS_H_
