// A key source in Python, any object with members(low, high), as one for C.

#ifndef TAMIS_PYTHON_SOURCE_H_
#define TAMIS_PYTHON_SOURCE_H_

#include <pybind11/pybind11.h>

#include "tamis/c.h"

namespace tamis::python {

// The source of a filter, from its creation to its release by C.
class PySource {
 public:
  // None if `object` is None; TypeError if it has no method `members`.
  explicit PySource(const pybind11::object& object);
  // Frees it, unless Keep was called: C releases it then.
  ~PySource();
  PySource(const PySource&) = delete;
  PySource& operator=(const PySource&) = delete;

  const tamis_source* get() const { return context_ ? &source_ : nullptr; }
  void Keep() { context_ = nullptr; }

 private:
  pybind11::object* context_ = nullptr;
  tamis_source source_ = {nullptr, nullptr, nullptr};
};

// Who is asking, while a filter may ask its source: the same filter is refused
// then (lock.h).
class Asking {
 public:
  explicit Asking(const void* filter) : before_(current_) { current_ = filter; }
  ~Asking() { current_ = before_; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  static const void* current() { return current_; }

 private:
  static inline thread_local const void* current_ = nullptr;
  const void* before_;
};

// Throws the exception that a source of this thread raised, if one did.
void ThrowPending();
void DropPending();

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_SOURCE_H_
