// The journal: every change of the filters' sets, in the batch that made it.
//
//   position   0 ......... 41 | 42   43   44   45 | 46
//              trimmed        | insert h, erase g.. | next
//                             `- pages include what is before this
//
// (J1) Records of one key are in the order of its commits: who takes a position
//      holds the key's stripe until the commit is over.
// (J2) A page whose position was taken with its stripes locked includes exactly
//      the records below it.  A commit that failed leaves a gap.

#ifndef TAMIS_STORE_SRC_JOURNAL_H_
#define TAMIS_STORE_SRC_JOURNAL_H_

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "store/src/layout.h"
#include "tamis/status.h"

namespace tamis::internal {

class Journal {
 public:
  Journal(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family)
      : db_(db), family_(family) {}

  // Takes a position and adds the record of it to the batch.
  rocksdb::Status Append(rocksdb::WriteBatch* batch,
                         std::span<const Change> changes);
  // Calls visit(position, changes) for all records from `first` on; stops at
  // its first error.
  using Visit =
      std::function<Status(uint64_t position, std::span<const Change> changes)>;
  Status ForEach(uint64_t first, const Visit& visit) const;
  // Deletes, with the batch, the records below `limit`.
  rocksdb::Status Trim(rocksdb::WriteBatch* batch, uint64_t limit) const;
  // Says that this was committed.
  void Trimmed(uint64_t limit) { begin_ = std::max(begin(), limit); }

  // The same for all records, whatever they are.
  rocksdb::Status Clear(rocksdb::WriteBatch* batch) const {
    return batch->DeleteRange(family_, rocksdb::Slice(),
                              JournalKey(~uint64_t{0}));
  }

  // The position after the last record that there is; 0 if there is none.
  Result<uint64_t> EndOnDisk() const;
  uint64_t next() const { return next_.load(std::memory_order_relaxed); }
  // What there is: [begin, next).
  void SetRange(uint64_t begin, uint64_t next) {
    begin_ = begin;
    next_ = next;
  }
  uint64_t begin() const { return begin_.load(std::memory_order_relaxed); }

 private:
  rocksdb::DB* db_;
  rocksdb::ColumnFamilyHandle* family_;
  std::atomic<uint64_t> next_ = 1;
  std::atomic<uint64_t> begin_ = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_JOURNAL_H_
