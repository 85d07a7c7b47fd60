#include "store/src/family.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include "store/src/status_of.h"

namespace tamis::internal {

Result<bool> FilteredFamily::Read(const rocksdb::ReadOptions& options,
                                  KeyHash hash, const rocksdb::Slice& key,
                                  rocksdb::PinnableSlice* value) const {
  const rocksdb::Status status =
      in_hash_order()
          ? db_->Get(options, data_, HashedKey(hash, key).slice(), value)
          : db_->Get(options, data_, key, value);
  if (status.IsNotFound()) return false;
  TAMIS_RETURN_IF_ROCKS_ERROR(status, "can't read a key");
  return true;
}

Result<bool> FilteredFamily::IsMemberOnDisk(KeyHash hash,
                                            const rocksdb::Slice& key) const {
  rocksdb::ReadOptions options;
  // Writers ask this, and what they write is then found before that block.  The
  // blocks of an index hold many more keys, and are worth keeping.
  options.fill_cache = !in_hash_order();
  rocksdb::PinnableSlice value;
  const rocksdb::Status status =
      db_->Get(options, members(), HashedKey(hash, key).slice(), &value);
  if (status.IsNotFound()) return false;
  TAMIS_RETURN_IF_ROCKS_ERROR(status, "can't tell if a key is there");
  return true;
}

Result<bool> FilteredFamily::IsMember(KeyHash hash,
                                      const rocksdb::Slice& key) const {
  if (!filter_->MayContain(hash)) return false;
  return IsMemberOnDisk(hash, key);
}

Status FilteredFamily::Scan(KeyHash low,
                            const std::function<bool(KeyHash)>& visit) const {
  rocksdb::ReadOptions options;
  // A range of hashes is no prefix of anything: only a seek in the total order
  // finds all keys of it.
  options.total_order_seek = true;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(
      db_->NewIterator(options, members()));
  for (at->Seek(HashedKey(low, {}).slice()); at->Valid(); at->Next()) {
    rocksdb::Slice key = at->key();
    if (key.size() < kHashBytes) {
      return {StatusCode::kCorrupt, "a key of the store has no hash"};
    }
    key.remove_prefix(kHashBytes);
    if (!visit(HashOf(key))) return {};
  }
  return StatusOf(at->status(), "can't read the members");
}

Result<FilteredFamily::Members> FilteredFamily::ReadMembers(
    const HashRange& range, uint64_t limit) const {
  Members found;
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  std::string end;
  rocksdb::Slice bound;
  if (range.high.high != ~uint64_t{0}) {  // blocks beyond are never read
    PutU64(&end, range.high.high + 1);
    bound = end;
    options.iterate_upper_bound = &bound;
  }
  const std::unique_ptr<rocksdb::Iterator> at(
      db_->NewIterator(options, members()));
  for (at->Seek(HashedKey(range.low, {}).slice()); at->Valid(); at->Next()) {
    rocksdb::Slice key = at->key();
    if (key.size() < kHashBytes) {
      return Status(StatusCode::kCorrupt, "a key of the store has no hash");
    }
    key.remove_prefix(kHashBytes);
    const KeyHash hash = HashOf(key);
    if (!range.Contains(hash)) continue;
    if (found.hashes.size() == limit) {
      found.complete = false;
      return found;
    }
    found.hashes.push_back(hash);
  }
  TAMIS_RETURN_IF_ROCKS_ERROR(at->status(), "can't read the members");
  return found;
}

}  // namespace tamis::internal
