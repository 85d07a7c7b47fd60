#include "store/src/thread_row.h"

#include <algorithm>
#include <bitset>
#include <mutex>

namespace tamis::internal {
namespace {

struct Rows {
  std::mutex mutex;
  std::bitset<ThreadRow::kShared> taken;
};
Rows& AllRows() {
  static Rows& rows = *new Rows;  // for threads that end after main has
  return rows;
}

}  // namespace

std::atomic<size_t> ThreadRow::limit_ = 0;

ThreadRow::ThreadRow() {
  Rows& rows = AllRows();
  const std::lock_guard lock(rows.mutex);
  while (row_ < kShared && rows.taken[row_]) ++row_;
  if (row_ < kShared) rows.taken[row_] = true;
  limit_ = std::max(limit_.load(), row_ + 1);
}

// By the mutex, what this thread left in its row is seen by the next owner.
ThreadRow::~ThreadRow() {
  Rows& rows = AllRows();
  const std::lock_guard lock(rows.mutex);
  if (row_ < kShared) rows.taken[row_] = false;
}

}  // namespace tamis::internal
