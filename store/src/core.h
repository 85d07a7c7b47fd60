// StoreCore: what is behind a Store.
//
//   open.cc    the database, its column families, the description
//   load.cc    pages, replay of the journal
//   rebuild.cc the filter made anew from the data
//   read.cc    Get, MultiGet
//   adapt.cc   what is done about a false positive
//   write.cc   one key; batches
//   save.cc    pages, the journal's trimming
//   background.h  the thread that saves and makes old entries whole
//   check.cc   everything compared with everything
//
// Locks, in the order in which they are taken: save_mutex_, stripes of the
// families (by family, then by stripe), those inside the filter.

#ifndef TAMIS_STORE_SRC_CORE_H_
#define TAMIS_STORE_SRC_CORE_H_

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/src/background.h"
#include "store/src/counters.h"
#include "store/src/family.h"
#include "store/src/journal.h"
#include "store/src/layout.h"
#include "store/src/page_map.h"
#include "tamis/result.h"
#include "tamis/store.h"

namespace tamis::internal {

// True if there is nothing in the way of a new store.
bool IsFree(rocksdb::Env& env, const std::string& path);

class StoreCore {
 public:
  using Slice = rocksdb::Slice;

  // One operation of a batch, as the user wrote it.
  struct Operation {
    enum class Kind { kPut, kMerge, kDelete, kDeleteRange };
    Kind kind;
    FilteredFamily* family;
    Slice key;    // or the begin of a range
    Slice value;  // or its end
    KeyHash hash = {};
  };

  static Result<std::unique_ptr<StoreCore>> Open(const StoreOptions& options,
                                                 const std::string& path);
  // The form of the filter of a store that nobody has to open for it.
  static Result<StoreFilterOptions> FormOf(const std::string& path,
                                           rocksdb::Options options);
  ~StoreCore();
  Status Close();

  // The family of a handle or of RocksDB's number; null if it is none of ours.
  FilteredFamily* Find(rocksdb::ColumnFamilyHandle* handle) const;
  FilteredFamily* Find(uint32_t id) const {
    return id < by_id_.size() ? by_id_[id] : nullptr;
  }
  rocksdb::ColumnFamilyHandle* Named(std::string_view name) const;

  Result<bool> Get(const rocksdb::ReadOptions& options, FilteredFamily& family,
                   const Slice& key, rocksdb::PinnableSlice* value);
  Status MultiGet(const rocksdb::ReadOptions& options, FilteredFamily& family,
                  std::span<const Slice> keys, std::vector<std::string>* values,
                  std::vector<bool>* found);
  // The filter said maybe, and the data said no.
  void OnFalsePositive(FilteredFamily& family, KeyHash hash, const Slice& key);
  // Fixes a false positive, if it is one; kIsMember if it is not.
  Status Fix(FilteredFamily& family, KeyHash hash, const Slice& key);

  Status WriteOne(const rocksdb::WriteOptions& options,
                  const Operation& operation);
  Status WriteMany(const rocksdb::WriteOptions& options,
                   std::vector<Operation> operations);

  // Saves the pages of all filters and trims the journal.
  Status SaveFilters();
  // Makes the entries of all members whole; stops early when closing.
  Status RejuvenateAll(bool at_rate);
  Status Flush();

  Result<Store::CheckReport> Check();
  StoreStats Stats() const;

  rocksdb::DB* db() const { return db_.get(); }
  const Meta& meta() const { return meta_; }
  const StoreOptions& options() const { return options_; }
  Background& background() { return background_; }

 private:
  StoreCore(const StoreOptions& options, std::string path);

  // Opening.
  Status OpenDatabase();
  Status LoadOrWriteMeta();
  Status MakeFamilies();
  Status LoadFilters();
  struct Loading;  // load.cc
  // The saved pages of a family, in order; their checksums are right.
  Result<std::vector<SavedPage>> ReadPages(uint32_t family) const;
  Status LoadPages(FilteredFamily& family, PageMap* map);
  Status Replay(std::vector<Loading>& loading);
  Status ForgetSaved();
  // The first position of the journal that a family's pages do not include.
  uint64_t Needed() const;
  Status Rebuild(FilteredFamily& family);
  // The hashes of all keys, sorted; on the way what the index has beyond them
  // is deleted from it.
  Result<std::vector<KeyHash>> ReadAllHashes(FilteredFamily& family);
  void Tell(std::string_view what, uint64_t keys) const {
    if (options_.on_progress) options_.on_progress(what, keys);
  }

  // Adapting.
  Status RemoveGhost(FilteredFamily& family, KeyHash hash, const Slice& key);
  Status RemoveOrphan(FilteredFamily& family, KeyHash hash);

  // Writing.
  Status CheckWrite(const rocksdb::WriteOptions& options) const;
  Status Commit(const rocksdb::WriteOptions& options,
                rocksdb::WriteBatch* batch);
  // Takes back an insert whose commit failed, unless the key is there after all.
  void Undo(FilteredFamily& family, KeyHash hash, const Slice& key);
  rocksdb::Status AddTo(rocksdb::WriteBatch* batch,
                        const Operation& operation) const;
  // What a batch does to the set of members: each key once.
  struct Net {
    FilteredFamily* family;
    KeyHash hash;
    Slice key;
    bool before = false;
    bool after = false;
  };
  Result<std::vector<Net>> NetOf(std::span<const Operation> operations) const;
  Status InsertInto(FilteredFamily& family, KeyHash hash) const;
  Status InsertAll(std::span<const Net> nets);
  Status CommitNets(const rocksdb::WriteOptions& options,
                    std::span<const Operation> operations,
                    std::span<const Net> nets);
  void NoteChange();

  // Saving.
  Status SaveAll();
  Status SaveFamily(size_t number);
  // A copy of the shard of `first`, and the journal's position it includes.
  Result<SavedPage> TakePage(FilteredFamily& family, KeyHash first);
  // Puts pages that follow each other where they belong, by one batch.
  Status WritePages(size_t number, std::span<const SavedPage> pages);
  Status TrimJournal();
  uint64_t SaveAfter() const;
  uint64_t NumKeys() const;
  // Asks for whole entries, if it is time.
  void WishWhole();
  // The saved pages of a family, read and checked.
  Status CheckSaved(size_t number) const;
  rocksdb::WriteOptions OwnWrites() const;

  StoreOptions options_;
  std::string path_;
  Meta meta_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
  rocksdb::ColumnFamilyHandle* filter_family_ = nullptr;
  std::vector<std::unique_ptr<FilteredFamily>> families_;
  std::vector<FilteredFamily*> by_id_;
  std::unique_ptr<Journal> journal_;
  Counters counters_;
  FalsePositiveTable false_positives_;

  std::mutex save_mutex_;
  std::vector<PageMap> page_maps_;  // as families_; under save_mutex_
  std::atomic<uint64_t> save_at_ = ~uint64_t{0};  // position of the next save
  std::atomic<uint64_t> fixes_at_save_ = 0;
  // The filter differs from its pages by more than the journal says.
  std::atomic<bool> unsaved_ = false;
  // Keys when all entries were last made whole.
  std::atomic<uint64_t> whole_keys_ = 0;
  bool is_loaded_ = false;
  bool closed_ = false;

  Background background_;  // last: its thread uses all of the above
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_CORE_H_
