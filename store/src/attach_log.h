// LogReader: what a database has logged, as one batch for the sidecar.
//
//   sequence    41   42   43 | 44   45 | 46
//               a batch      | another | latest
//
// The batches must follow each other without a gap: a write without a WAL takes
// a number and leaves nothing in the log.

#ifndef TAMIS_STORE_SRC_ATTACH_LOG_H_
#define TAMIS_STORE_SRC_ATTACH_LOG_H_

#include <rocksdb/db.h>
#include <rocksdb/transaction_log.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <memory>

#include "tamis/result.h"

namespace tamis::internal {

class LogReader {
 public:
  explicit LogReader(uint32_t family) : family_(family) {}

  // Reads from sequence number `first` up to `latest`, or as far as is good for
  // one batch, and returns the last one read.  kStale if the log does not have
  // all of them.
  Result<uint64_t> Read(rocksdb::DB* db, uint64_t first, uint64_t latest);
  // Puts and deletes of the family's keys, in order, without values.
  rocksdb::WriteBatch& batch() { return batch_; }

 private:
  class Handler;

  uint32_t family_;
  rocksdb::WriteBatch batch_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_ATTACH_LOG_H_
