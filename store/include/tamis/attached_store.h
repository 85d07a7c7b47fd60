// AttachedStore: a filter that learns, beside a RocksDB database that exists.
//
// The database belongs to others and stays as it is: not a byte of it changes.
// The filter lives in a folder next to it, the sidecar:
//
//   users.db/              the database, written by whoever does
//   users.db.tamis/store/  a Store of its keys, without values
//   users.db.tamis/marker  the database's identity, and its sequence number
//                          that the store has caught up with; written last
//
// A Get asks the filter.  Its *no* counts only while the database has no newer
// sequence number; if it has, the answer comes from the database, and the
// filter catches up by the database's own log (GetUpdatesSince).  What the log
// no longer has, or never had (writes without a WAL), is noticed by a gap in
// the sequence numbers: the filter then stays out of the way until it is
// rebuilt.
//
//   guarantee   the answers are those of the database, always
//   not seen    files that are ingested: they may bring keys without a sequence
//               number.  Rebuild after an ingestion
//   refused     databases with transactions, TTL or user timestamps, and with
//               comparators that may take different bytes for one key
//   price       a second copy of the keys, in the sidecar
//
// Thread safety: everything but Close may be called from any thread at any time.

#ifndef TAMIS_ATTACHED_STORE_H_
#define TAMIS_ATTACHED_STORE_H_

#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tamis/result.h"
#include "tamis/store.h"

namespace tamis {

class AttachedStore {
 public:
  struct Options {
    std::string sidecar;  // empty: the database's path and ".tamis"
    StoreFilterOptions filter;
    bool rebuild = false;
    std::function<void(std::string_view what, uint64_t keys)> on_progress;
  };
  static std::string DefaultSidecar(const std::string& path) {
    return path + ".tamis";
  }

  // Makes the sidecar if it is missing, of another database, or too old.
  // REQUIRES: `db` and `family` outlive the result.
  static Result<std::unique_ptr<AttachedStore>> Attach(
      rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
      const Options& options);
  ~AttachedStore();
  AttachedStore(const AttachedStore&) = delete;
  AttachedStore& operator=(const AttachedStore&) = delete;

  Result<bool> Get(const rocksdb::ReadOptions& options,
                   const rocksdb::Slice& key, rocksdb::PinnableSlice* value);
  Result<bool> Get(const rocksdb::Slice& key, std::string* value);

  // Reads what the database has logged since.  kStale: its log has a gap.
  Status CatchUp();
  // The sequence number that the filter knows of.
  uint64_t applied() const { return applied_.load(std::memory_order_acquire); }
  bool is_stale() const { return stale_.load(std::memory_order_relaxed); }
  // Times that Attach made the sidecar anew: 0 or 1.
  uint64_t num_rebuilds() const { return rebuilds_; }
  // Gets that were answered by the database alone: the filter was behind.
  uint64_t num_behind() const { return behind_.load(); }
  Store& sidecar() { return *store_; }

  // Saves; the next Attach goes on from here.
  Status Close();
  // Removes a sidecar.  kIncompatible if it is none.
  static Status Detach(const std::string& sidecar);

 private:
  AttachedStore(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                const Options& options);
  Status Open();
  Status Rebuild();
  Status WriteMarker();
  Result<uint64_t> ReadMarker() const;
  std::string Identity() const;
  // Catches up now and then; a Get must not wait for the log each time.
  void MaybeCatchUp();
  // The database has no such key, though the sidecar has: by DeleteRange.
  Status RemoveGhost(const rocksdb::Slice& key);
  Status CatchUpLocked();

  rocksdb::DB* db_;
  rocksdb::ColumnFamilyHandle* family_;
  Options options_;
  std::unique_ptr<Store> store_;
  std::mutex mutex_;
  std::atomic<uint64_t> applied_ = 0;
  std::atomic<bool> stale_ = false;
  std::atomic<uint64_t> behind_ = 0;
  std::atomic<int64_t> next_catch_up_ = 0;  // of the steady clock
  uint64_t rebuilds_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_ATTACHED_STORE_H_
