// Reading: the filter first.

#include <rocksdb/perf_context.h>

#include <algorithm>
#include <string>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

// Says whether the files' own filters alone turned a Get away, so that it cost
// no block: as far as this thread counts, which it does unless told not to.
class FileFilters {
 public:
  FileFilters() : before_(Read()) {}
  bool denied() const { return Read().denied != before_.denied; }
  bool SaidNo() const {
    const Counts now = Read();
    return now.denied != before_.denied && now.blocks == before_.blocks;
  }

 private:
  struct Counts {
    uint64_t denied;
    uint64_t blocks;  // of data, from the cache or from a file
  };
  static Counts Read() {
    const rocksdb::PerfContext& all = *rocksdb::get_perf_context();
    return {all.bloom_sst_miss_count,
            all.block_cache_hit_count - all.block_cache_index_hit_count -
                all.block_cache_filter_hit_count + all.block_read_count -
                all.index_block_read_count - all.filter_block_read_count};
  }
  Counts before_;
};

bool DeniedByFiles(const FilteredFamily& family, KeyHash hash,
                   const rocksdb::Slice& key) {
  rocksdb::PinnableSlice value;
  const FileFilters files;
  const Result<bool> found = family.Read({}, hash, key, &value);
  return found.ok() && !*found && files.SaidNo();
}

}  // namespace

Result<bool> StoreCore::Get(const rocksdb::ReadOptions& options,
                            FilteredFamily& family, const Slice& key,
                            rocksdb::PinnableSlice* value) {
  const KeyHash hash = family.HashOf(key);
  if (options.snapshot != nullptr) {
    // What the snapshot still has may have left the filter since.
    counters_.Add(Count::kGets);
    counters_.Add(Count::kBypassed);
    return family.Read(options, hash, key, value);
  }
  if (!family.filter().MayContain(hash)) {
    counters_.Add(Count::kTrueNegatives);
    return false;
  }
  counters_.Add(Count::kGets);
  const FileFilters files;
  TAMIS_ASSIGN_OR_RETURN(const bool found,
                         family.Read(options, hash, key, value));
  if (found) {
    counters_.Add(Count::kHits);
  } else if (files.SaidNo()) {
    counters_.Add(Count::kDeniedByFiles);  // a fix would cost the first block
  } else {
    OnFalsePositive(family, hash, key);
  }
  return found;
}

Status StoreCore::MultiGet(const rocksdb::ReadOptions& options,
                           FilteredFamily& family, std::span<const Slice> keys,
                           std::vector<std::string>* values,
                           std::vector<bool>* found) {
  const size_t n = keys.size();
  values->assign(n, "");
  found->assign(n, false);
  std::vector<KeyHash> hashes(n);
  const auto maybe = std::make_unique<bool[]>(n);
  for (size_t i = 0; i < n; ++i) hashes[i] = family.HashOf(keys[i]);
  if (options.snapshot == nullptr) {
    family.filter().MayContain(hashes, std::span(maybe.get(), n));
  } else {
    counters_.Add(Count::kBypassed, n);
    std::fill_n(maybe.get(), n, true);
  }

  std::vector<size_t> asked;
  std::vector<HashedKey> hashed;
  std::vector<Slice> wanted;
  for (size_t i = 0; i < n; ++i) {
    if (maybe[i]) asked.push_back(i);
  }
  counters_.Add(Count::kGets, asked.size());
  counters_.Add(Count::kTrueNegatives, n - asked.size());
  if (asked.empty()) return {};
  hashed.reserve(asked.size());
  for (const size_t i : asked) {
    if (family.in_hash_order()) hashed.emplace_back(hashes[i], keys[i]);
    wanted.push_back(family.in_hash_order() ? hashed.back().slice() : keys[i]);
  }
  std::vector<rocksdb::PinnableSlice> read(asked.size());
  std::vector<rocksdb::Status> statuses(asked.size());
  const FileFilters files;
  db_->MultiGet(options, family.data(), asked.size(), wanted.data(),
                read.data(), statuses.data());
  for (size_t j = 0; j < asked.size(); ++j) {
    const size_t i = asked[j];
    if (statuses[j].ok()) {
      counters_.Add(Count::kHits);
      (*values)[i].assign(read[j].data(), read[j].size());
      (*found)[i] = true;
    } else if (!statuses[j].IsNotFound()) {
      return StatusOf(statuses[j], "can't read a key");
    } else if (options.snapshot == nullptr) {
      // Which of the keys a file's filter denied, only a Get of one can tell.
      const bool denied =
          files.denied() && DeniedByFiles(family, hashes[i], keys[i]);
      if (denied) {
        counters_.Add(Count::kDeniedByFiles);
      } else {
        OnFalsePositive(family, hashes[i], keys[i]);
      }
    }
  }
  return {};
}

}  // namespace tamis::internal
