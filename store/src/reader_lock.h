// ReaderLock: a lock for many readers and a writer now and then.
//
// Each reader has a line of its own, which says that it reads: two stores, and
// no line that goes from core to core, where std::shared_mutex has one for all.
// A writer raises its flag and looks at all lines.
//
//   reader   line = 1;  flag?  no: read;  line = 0
//                              yes: line = 0, wait, again
//   writer   flag = 1;  wait until all lines are 0;  write;  flag = 0
//
// Each stores before it looks, in one order for all (seq_cst): at least one of
// the two sees the other.  Readers must not nest.

#ifndef TAMIS_STORE_SRC_READER_LOCK_H_
#define TAMIS_STORE_SRC_READER_LOCK_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "store/src/thread_row.h"

namespace tamis::internal {

// Its functions are named as the standard's locks call them.
class ReaderLock {
 public:
  void lock_shared() {  // NOLINT(readability-identifier-naming)
    const size_t row = ThreadRow::OfThisThread();
    for (;;) {
      if (row != ThreadRow::kShared) [[likely]] {
        rows_[row].readers.store(1, std::memory_order_seq_cst);
      } else {
        rows_[row].readers.fetch_add(1, std::memory_order_seq_cst);
      }
      if (!writing_.load(std::memory_order_seq_cst)) [[likely]]
        return;
      unlock_shared();
      writing_.wait(true, std::memory_order_acquire);
    }
  }
  void unlock_shared() {  // NOLINT(readability-identifier-naming)
    const size_t row = ThreadRow::OfThisThread();
    if (row != ThreadRow::kShared) [[likely]] {
      rows_[row].readers.store(0, std::memory_order_release);
    } else {
      rows_[row].readers.fetch_sub(1, std::memory_order_release);
    }
  }

  void lock() {  // NOLINT(readability-identifier-naming)
    writers_.lock();
    writing_.store(true, std::memory_order_seq_cst);
    const size_t limit = ThreadRow::Limit();
    for (size_t row = 0; row < limit; ++row) {
      while (rows_[row].readers.load(std::memory_order_seq_cst) != 0) {
        std::this_thread::yield();
      }
    }
  }
  void unlock() {  // NOLINT(readability-identifier-naming)
    writing_.store(false, std::memory_order_seq_cst);
    writing_.notify_all();
    writers_.unlock();
  }

 private:
  struct alignas(64) Row {
    std::atomic<uint32_t> readers{0};
  };
  std::mutex writers_;
  alignas(64) std::atomic<bool> writing_{false};
  std::array<Row, ThreadRow::kRows> rows_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_READER_LOCK_H_
