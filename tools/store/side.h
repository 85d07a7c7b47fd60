// Side: one of the databases that a comparison asks: plain RocksDB with a
// filter per file, or a store.
//
// All sides are given the same: no compression (values are random), a block
// cache of the same size, indexes and filters always in memory.

#ifndef TAMIS_TOOLS_STORE_SIDE_H_
#define TAMIS_TOOLS_STORE_SIDE_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tamis/result.h"
#include "tamis/store_options.h"

namespace tamis::tools {

struct SideOptions {
  std::string path;
  uint64_t cache_bytes = uint64_t{32} << 20;
  bool direct_io = false;
  bool bulk = false;  // to load: nothing is compacted before CompactAll
};

class Side {
 public:
  using Slice = rocksdb::Slice;

  virtual ~Side() = default;
  virtual std::string name() const = 0;
  virtual Status Put(const Slice& key, const Slice& value) = 0;
  virtual Status Write(rocksdb::WriteBatch* batch) = 0;
  virtual Result<bool> Get(const Slice& key, rocksdb::PinnableSlice* value) = 0;
  // Memory of all filters, those of the files too.
  virtual uint64_t FilterBytes() const = 0;
  virtual rocksdb::DB* db() const = 0;
  // Writes all memtables to files.
  virtual Status Flush() = 0;
  // Does at once what a store does at leisure.
  virtual Status MakeWhole() { return {}; }
  virtual Status Close() = 0;

  // Writes memtables to files and waits for the compactions that follow.
  Status Settle();
  // One sorted run, written anew: filters as the options now say.
  Status CompactAll();
  // Bytes of the filters inside the files of the data.
  uint64_t FileFilterBytes() const;
  uint64_t DataBytes() const;
};

struct PlainForm {
  enum class Kind { kBloom, kRibbon };
  Kind kind = Kind::kBloom;
  double bits_per_key = 10;  // as stored, whichever the kind
};
Result<std::unique_ptr<Side>> OpenPlain(const SideOptions& options,
                                        const PlainForm& form);

struct StoreForm {
  std::string name = "tamis";
  StoreFilterOptions filter;
  double file_bits = 0;  // of SizedFilters
  StoreLayout layout = StoreLayout::kHashOrder;
  bool rebuild = false;
};
Result<std::unique_ptr<Side>> OpenStoreSide(const SideOptions& options,
                                            const StoreForm& form);

// Data blocks that this thread has read from files so far.
void CountBlocks();
uint64_t BlocksRead();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_SIDE_H_
