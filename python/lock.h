// Locks of a Python filter.
//
// Batches run without the GIL, so two Python threads can be inside of one filter
// at the same time.  Readers share it, a writer has it alone; a filter that was
// made for threads needs neither, and is only guarded against being closed.
//
// (L1) Nobody waits for a filter's lock with the GIL in hand.  Whoever holds the
//      lock may need the GIL (a key source in Python), so waiting with it would
//      be for ever.
// (L2) A key source must not use the filter that asks it, nor may the source of
//      another filter that it uses: they would wait for themselves.  InSource
//      remembers who asks, per thread, and Lock refuses.
// (L3) With the lock in hand, the only Python that runs is a key source's.  All
//      else (making an exception, a destructor, a signal handler in between)
//      may use the same filter, in the same thread, and would wait for itself.

#ifndef TAMIS_PYTHON_LOCK_H_
#define TAMIS_PYTHON_LOCK_H_

#include <pybind11/pybind11.h>

#include <shared_mutex>
#include <stdexcept>

#include "python/gil.h"

namespace tamis::python {

// While one lives, this thread answers for the source of a filter.
class InSource {
 public:
  explicit InSource(const void* filter) : filter_(filter), before_(current_) {
    current_ = this;
  }
  ~InSource() { current_ = before_; }
  InSource(const InSource&) = delete;
  InSource& operator=(const InSource&) = delete;

  static bool Asks(const void* filter) {
    const InSource* one = current_;
    while (one != nullptr && one->filter_ != filter) one = one->before_;
    return one != nullptr;
  }

 private:
  static inline thread_local const InSource* current_ = nullptr;
  const void* filter_;
  const InSource* before_;
};

enum class Access { kRead, kWrite };

class Lock {
 public:
  // REQUIRES: the GIL is held
  Lock(std::shared_mutex& mutex, Access access, const void* filter)
      : mutex_(mutex), access_(access) {
    if (InSource::Asks(filter)) {
      throw std::runtime_error("a key source must not use its own filter");
    }
    if (TryLock()) return;
    const WithoutGil without_gil;
    if (access_ == Access::kWrite) {
      mutex_.lock();
    } else {
      mutex_.lock_shared();
    }
  }
  ~Lock() {
    if (access_ == Access::kWrite) {
      mutex_.unlock();
    } else {
      mutex_.unlock_shared();
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  bool TryLock() {
    return access_ == Access::kWrite ? mutex_.try_lock()
                                     : mutex_.try_lock_shared();
  }

  std::shared_mutex& mutex_;
  Access access_;
};

}  // namespace tamis::python

#endif  // TAMIS_PYTHON_LOCK_H_
