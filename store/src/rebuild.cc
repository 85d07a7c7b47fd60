// Rebuilding: the filter of a family, made anew from its data.
//
//   data      | piece 0 | piece 1 |   ...   |   read by several threads
//                  |    X    |
//   hashes    | bucket 0 | bucket 1 | ... |   sorted by several threads
//
// In the order of hashes a piece is a bucket.  In the order of keys a piece is
// what lies between the first keys of two files, and its hashes go to all
// buckets; each bucket is then compared with its part of the index.
// Nobody else has the store yet.

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "filters/sharded/parallel.h"
#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

constexpr int kBucketBits = 6;
constexpr size_t kBuckets = size_t{1} << kBucketBits;
constexpr size_t kMaxThreads = 16;  // more only wait for the disk

using Hashes = std::vector<KeyHash>;
using Buckets = std::array<Hashes, kBuckets>;

size_t BucketOf(KeyHash hash) { return hash.high >> (64 - kBucketBits); }

std::string FirstOfBucket(size_t bucket) {
  const uint64_t high = static_cast<uint64_t>(bucket) << (64 - kBucketBits);
  return HashedKey({high, 0}, {}).slice().ToString();
}

size_t NumThreads() {
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1,
                            kMaxThreads);
}

// Keys from one on, below another; empty ones are the ends.
struct KeyInterval {
  std::string begin;
  std::string end;
};

KeyInterval IntervalOf(size_t bucket) {
  return {FirstOfBucket(bucket),
          bucket + 1 < kBuckets ? FirstOfBucket(bucket + 1) : std::string()};
}

// What several threads may read at once, so that each has about as much to do.
std::vector<KeyInterval> PiecesOf(rocksdb::DB* db,
                                  const FilteredFamily& family) {
  std::vector<KeyInterval> pieces;
  if (family.in_hash_order()) {
    for (size_t i = 0; i < kBuckets; ++i) pieces.push_back(IntervalOf(i));
    return pieces;
  }
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> firsts;
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (file.column_family_name == family.data()->GetName()) {
      firsts.push_back(file.smallestkey);
    }
  }
  std::sort(firsts.begin(), firsts.end());
  std::string begin;
  for (const std::string& first : firsts) {
    if (first == begin) continue;
    pieces.push_back({begin, first});
    begin = first;
  }
  pieces.push_back({begin, {}});
  return pieces;
}

// Calls visit(key) for the keys of an interval, until it fails.
template <typename Visit>
Status ForEachKey(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                  const KeyInterval& interval, Visit&& visit) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;
  options.readahead_size = size_t{4} << 20;
  const rocksdb::Slice bound = interval.end;
  if (!interval.end.empty()) options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(options, family));
  for (at->Seek(interval.begin); at->Valid(); at->Next()) {
    TAMIS_RETURN_IF_ERROR(visit(at->key()));
  }
  return StatusOf(at->status(), "can't read the data");
}

Result<KeyHash> HashOfStored(const FilteredFamily& family, rocksdb::Slice key) {
  if (!family.in_hash_order()) return family.HashOf(key);
  if (key.size() < kHashBytes) {
    return Status(StatusCode::kCorrupt, "a key of the store has no hash");
  }
  const uint64_t high = ReadBe64(key.data());
  key.remove_prefix(kHashBytes);
  const KeyHash hash = family.HashOf(key);
  if (hash.high != high) {
    return Status(StatusCode::kCorrupt,
                  "a key of the store lies under another one's hash");
  }
  return hash;
}

// Adds what a bucket's part of the index has beyond `sorted` to the batch.
Status FindStrays(rocksdb::DB* db, const FilteredFamily& family, size_t bucket,
                  const Hashes& sorted, rocksdb::WriteBatch* deletes) {
  auto at = sorted.begin();
  const auto has = [&](KeyHash hash) {
    while (at != sorted.end() && at->high < hash.high) ++at;
    auto same = at;
    while (same != sorted.end() && same->high == hash.high && *same != hash) {
      ++same;
    }
    return same != sorted.end() && *same == hash;
  };
  return ForEachKey(db, family.index(), IntervalOf(bucket),
                    [&](const rocksdb::Slice& stored) -> Status {
                      rocksdb::Slice key = stored;
                      key.remove_prefix(std::min(key.size(), kHashBytes));
                      const bool whole =
                          stored.size() >= kHashBytes &&
                          ReadBe64(stored.data()) == family.HashOf(key).high;
                      if (whole && has(family.HashOf(key))) return {};
                      return StatusOf(deletes->Delete(family.index(), stored),
                                      "can't mend the index");
                    });
}

}  // namespace

Result<std::vector<KeyHash>> StoreCore::ReadAllHashes(FilteredFamily& family) {
  constexpr uint64_t kTellEvery = uint64_t{1} << 18;
  const std::vector<KeyInterval> pieces = PiecesOf(db_.get(), family);
  std::vector<Buckets> read(pieces.size());
  std::atomic<uint64_t> keys = 0;
  const std::thread::id caller = std::this_thread::get_id();
  const auto read_piece = [&](size_t i) {
    uint64_t unsaid = 0;
    const auto take = [&](const Slice& key) -> Status {
      TAMIS_ASSIGN_OR_RETURN(const KeyHash hash, HashOfStored(family, key));
      read[i][BucketOf(hash)].push_back(hash);
      if (++unsaid < kTellEvery) return {};
      const uint64_t now = keys += std::exchange(unsaid, 0);
      if (std::this_thread::get_id() == caller) {
        Tell("rebuilding the filter", now);
      }
      return {};
    };
    Status status = ForEachKey(db_.get(), family.data(), pieces[i], take);
    keys += unsaid;
    return status;
  };
  TAMIS_RETURN_IF_ERROR(ForAll(pieces.size(), NumThreads(), read_piece));

  std::vector<Hashes> sorted(kBuckets);
  const auto sort_bucket = [&](size_t b) -> Status {
    for (Buckets& piece : read) {
      sorted[b].insert(sorted[b].end(), piece[b].begin(), piece[b].end());
      piece[b] = Hashes();
    }
    std::sort(sorted[b].begin(), sorted[b].end());
    if (family.in_hash_order()) return {};
    rocksdb::WriteBatch strays;
    TAMIS_RETURN_IF_ERROR(FindStrays(db_.get(), family, b, sorted[b], &strays));
    return StatusOf(db_->Write(OwnWrites(), &strays), "can't mend the index");
  };
  TAMIS_RETURN_IF_ERROR(ForAll(kBuckets, NumThreads(), sort_bucket));

  std::vector<KeyHash> all;
  all.reserve(keys);
  for (Hashes& bucket : sorted) {
    all.insert(all.end(), bucket.begin(), bucket.end());
    bucket = Hashes();
  }
  return all;
}

Status StoreCore::Rebuild(FilteredFamily& family) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> hashes,
                         ReadAllHashes(family));
  TAMIS_ASSIGN_OR_RETURN(
      std::unique_ptr<SharedFilter> filter,
      SharedFilter::Create(meta_.filter, hashes.size(), meta_.hasher));
  TAMIS_RETURN_IF_ERROR(filter->BulkLoad(hashes));
  family.set_filter(std::move(filter));
  unsaved_ = true;
  counters_.Add(Count::kRebuilds);
  Tell("rebuilt the filter", hashes.size());
  return {};
}

}  // namespace tamis::internal
