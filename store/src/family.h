// FilteredFamily: a column family, its filter and its key locks.
//
// Who is a member is told by the column family `members`, which is keyed
// be64(hash) key: the data themselves in kHashOrder, the index in kKeyOrder.
// The filter contains `members`, and `members` contains the data; the first by
// the order of changes (T1), the second by one WriteBatch for both.

#ifndef TAMIS_STORE_SRC_FAMILY_H_
#define TAMIS_STORE_SRC_FAMILY_H_

#include <rocksdb/db.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "store/src/layout.h"
#include "store/src/shared_filter.h"
#include "store/src/stripes.h"
#include "tamis/hasher.h"
#include "tamis/key_source.h"
#include "tamis/result.h"

namespace tamis::internal {

class FilteredFamily {
 public:
  // `index` is null in kHashOrder.
  FilteredFamily(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* data,
                 rocksdb::ColumnFamilyHandle* index, const Hasher& hasher)
      : db_(db), data_(data), index_(index), hasher_(hasher) {}

  KeyHash HashOf(const rocksdb::Slice& key) const {
    return hasher_.Hash(std::string_view(key.data(), key.size()));
  }
  uint32_t id() const { return data_->GetID(); }
  rocksdb::ColumnFamilyHandle* data() const { return data_; }
  rocksdb::ColumnFamilyHandle* index() const { return index_; }
  rocksdb::ColumnFamilyHandle* members() const {
    return index_ ? index_ : data_;
  }
  bool in_hash_order() const { return index_ == nullptr; }
  Stripes& stripes() { return stripes_; }
  // Held by who adapts, shared, and alone by who removes ghosts; taken after
  // stripes.
  std::shared_mutex& adapt_mutex() { return adapt_mutex_; }
  SharedFilter& filter() { return *filter_; }
  const SharedFilter& filter() const { return *filter_; }
  void set_filter(std::unique_ptr<SharedFilter> filter) {
    filter_ = std::move(filter);
  }

  // Reads the pair; false if it is not there.
  Result<bool> Read(const rocksdb::ReadOptions& options, KeyHash hash,
                    const rocksdb::Slice& key,
                    rocksdb::PinnableSlice* value) const;
  // Whether the key is a member, from disk if the filter does not deny it.
  Result<bool> IsMember(KeyHash hash, const rocksdb::Slice& key) const;
  Result<bool> IsMemberOnDisk(KeyHash hash, const rocksdb::Slice& key) const;

  // The members with hashes in a range; the first `limit` of them.
  struct Members {
    std::vector<KeyHash> hashes;
    bool complete = true;
  };
  Result<Members> ReadMembers(const HashRange& range, uint64_t limit) const;
  // Calls visit(hash) for every member from `low` on, in the order of the
  // upper half of their hashes, until it says false.
  Status Scan(KeyHash low, const std::function<bool(KeyHash)>& visit) const;

 private:
  rocksdb::DB* db_;
  rocksdb::ColumnFamilyHandle* data_;
  rocksdb::ColumnFamilyHandle* index_;
  Hasher hasher_;
  Stripes stripes_;
  std::shared_mutex adapt_mutex_;
  std::unique_ptr<SharedFilter> filter_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_FAMILY_H_
