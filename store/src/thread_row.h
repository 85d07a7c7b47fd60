// ThreadRow: a small number that a thread has to itself, as long as it lives.
//
// Where each thread has a cache line of its own, none waits for another's.  The
// threads that come when all numbers are taken share the last.

#ifndef TAMIS_STORE_SRC_THREAD_ROW_H_
#define TAMIS_STORE_SRC_THREAD_ROW_H_

#include <atomic>
#include <cstddef>

namespace tamis::internal {

class ThreadRow {
 public:
  static constexpr size_t kRows = 64;
  static constexpr size_t kShared = kRows - 1;

  static size_t OfThisThread() {
    thread_local const ThreadRow kMine;
    return kMine.row_;
  }
  // More than any number that was given so far.
  static size_t Limit() { return limit_.load(std::memory_order_seq_cst); }

  ThreadRow(const ThreadRow&) = delete;
  ThreadRow& operator=(const ThreadRow&) = delete;

 private:
  ThreadRow();
  ~ThreadRow();

  static std::atomic<size_t> limit_;
  size_t row_ = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_THREAD_ROW_H_
