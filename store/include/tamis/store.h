// Store: a key-value store on RocksDB with a filter that learns.
//
//   TAMIS_ASSIGN_OR_RETURN(auto store, Store::Open({}, "users"));
//   TAMIS_RETURN_IF_ERROR(store->Put("ada", "1815"));
//   std::string value;
//   Result<bool> found = store->Get("ada", &value);      // true
//
// A Get asks the filter first.  It says no: done, nothing is read.  It says
// maybe: RocksDB reads one block.  If the key is not there after all, the store
// looks up the members that collided with it, and tells the filter; the same
// question is never answered wrongly again, until the fix is forgotten.
//
//   Get x -> filter -- no ----------------------------------> not found
//              |
//            maybe -> RocksDB Get -- found -----------------> the value
//                          |
//                      not found -> seek the colliding members
//                                   -> filter.Adapt ---------> not found
//
// Invariants
//   (T1) The filter contains the store, always: a key enters the filter before
//        its commit, and leaves it after.  So no key that is there is denied.
//   (T2) Every change of the filter's set is a record of the journal, in the
//        same WriteBatch as the data.  Filter and data survive a crash together.
//   (T3) A key is in the filter as often as it is in the store: once.  Only
//        what vanishes by itself (DeleteRange, compaction filters) leaves an
//        entry behind, a ghost; it costs reads until it is met and removed.
//
//   refused   a comparator or prefix extractor, transactions, file ingestion,
//             user timestamps: kUnsupported or kInvalidArgument, with the reason
//   snapshot  a Get with ReadOptions::snapshot goes past the filter, which only
//             knows the present
//   cost      a Get of an absent key: one look-up in memory.  A Put of a new
//             key: that, and a journal record of some 30 bytes.  A Put of a key
//             that is there: a Get besides
//   memory    17 to 23 bits a key in a filter that grows (f = 12), f and 3 (from
//             f = 6 on) in one that is made to size; what is learnt besides
//
// Thread safety: everything but Close may be called from any thread at any
// time.  Two processes can't open one store: kIo.
// docs/guide/store.md says when it pays; docs/design/store.md, why it is right.

#ifndef TAMIS_STORE_H_
#define TAMIS_STORE_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/result.h"
#include "tamis/status.h"
#include "tamis/store_options.h"
#include "tamis/store_stats.h"

namespace tamis {

namespace internal {
class StoreCore;
}

// Walks over all pairs of a family, in the order of its layout, as they were
// when it was made.
class StoreIterator {
 public:
  StoreIterator(std::unique_ptr<rocksdb::Iterator> under, StoreLayout layout)
      : under_(std::move(under)), layout_(layout) {}

  bool Valid() const { return under_->Valid(); }
  void SeekToFirst() { under_->SeekToFirst(); }
  // To the first key that is not below; kKeyOrder only.
  Status Seek(const rocksdb::Slice& key);
  void Next() { under_->Next(); }
  rocksdb::Slice key() const;
  rocksdb::Slice value() const { return under_->value(); }
  Status status() const;

 private:
  std::unique_ptr<rocksdb::Iterator> under_;
  StoreLayout layout_;
};

class Store {
 public:
  using Slice = rocksdb::Slice;
  using ReadOptions = rocksdb::ReadOptions;
  using WriteOptions = rocksdb::WriteOptions;
  using Family = rocksdb::ColumnFamilyHandle;

  // Opens or makes (rocksdb.create_if_missing) a store.  A filter that is
  // damaged, or does not fit its data, is rebuilt.  kIncompatible for what is a
  // database but no store, kVersion for one of a newer version, kIo if another
  // process has it.
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options,
                                             const std::string& path);
  // The form of the filter that a store remembers, without opening it: to be
  // changed and given with `rebuild`.  `rocksdb`: where its files are (env,
  // wal_dir), as in StoreOptions.  kNotFound if it remembers none.
  static Result<StoreFilterOptions> FilterForm(
      const std::string& path, const rocksdb::Options& rocksdb = {});
  // Closes, if Close was not called; its error is lost then.
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // True: found, and *value is set.  False: the key is not there.
  Result<bool> Get(const ReadOptions& options, Family* family, const Slice& key,
                   rocksdb::PinnableSlice* value);
  Result<bool> Get(const Slice& key, std::string* value);
  // The same for many keys at once: the filter overlaps its look-ups, RocksDB
  // its reads.  All vectors get one place a key.
  Status MultiGet(const ReadOptions& options, Family* family,
                  std::span<const Slice> keys, std::vector<std::string>* values,
                  std::vector<bool>* found);

  Status Put(const WriteOptions& options, Family* family, const Slice& key,
             const Slice& value);
  Status Put(const Slice& key, const Slice& value);
  // Needs a merge operator in the options; for the filter it is a Put.
  Status Merge(const WriteOptions& options, Family* family, const Slice& key,
               const Slice& value);
  // No error if the key is not there.
  Status Delete(const WriteOptions& options, Family* family, const Slice& key);
  Status Delete(const Slice& key);
  // All of it or nothing.  Families in the batch are those of family().
  Status Write(const WriteOptions& options, rocksdb::WriteBatch* batch);
  // Of [begin, end); kKeyOrder only.  The filter keeps the keys until met.
  Status DeleteRange(const WriteOptions& options, Family* family,
                     const Slice& begin, const Slice& end);
  // kUnsupported, always: the filter would not learn of the keys.
  Status IngestExternalFile(const std::vector<std::string>& files);

  std::unique_ptr<StoreIterator> NewIterator(const ReadOptions& options,
                                             Family* family);
  const rocksdb::Snapshot* GetSnapshot();
  void ReleaseSnapshot(const rocksdb::Snapshot* snapshot);

  // The family of that name; null if there is none.
  Family* family(std::string_view name) const;
  Family* default_family() const;

  // What the caller knows: this key is not in the store, though the filter
  // says maybe.  Get calls it by itself.  kIsMember if it is there after all.
  Status ReportAbsent(Family* family, const Slice& key);
  // What the filter says alone, without a read.
  bool MayContain(Family* family, const Slice& key) const;

  // Writes memtables to disk, data and filter.
  Status Flush();
  // Saves the filter, so that the next opening has nothing to replay.
  Status SaveFilter();
  // Gives every entry a whole fingerprint again, by an ordered scan; waits.
  Status Rejuvenate();
  // A second store in the folder `path`, made of hard links where possible.
  Status Checkpoint(const std::string& path);
  // Adds a backup to the folder `dir`; Restore takes the newest one.
  Status Backup(const std::string& dir);
  static Status Restore(const std::string& dir, const std::string& path);

  // Reads everything and compares: all invariants, every member in the filter,
  // each exactly once.  kCorrupt names the first thing wrong.
  struct CheckReport {
    uint64_t keys = 0;
    uint64_t ghosts = 0;  // entries without a key: harmless
  };
  Result<CheckReport> Check();

  StoreStats Stats() const;
  StoreLayout layout() const;
  const Hasher& hasher() const;
  rocksdb::DB* rocksdb() const;  // to tune or inspect; never to write

  // Saves and closes.  Nothing may be called after it.
  Status Close();

 private:
  explicit Store(std::unique_ptr<internal::StoreCore> core);

  std::unique_ptr<internal::StoreCore> core_;
};

}  // namespace tamis

#endif  // TAMIS_STORE_H_
