// Many keys at once, for many threads: bulk load and merge.

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "filters/sharded/concurrent_shards.h"
#include "filters/sharded/loading.h"
#include "filters/sharded/parallel.h"
#include "tamis/concurrent_tamis.h"

namespace tamis {

using internal::ConcurrentShards;
using internal::ShardPlace;

// Where there are many keys to a shard, a new one is made of it and them, and
// takes its place; where there are few, they are inserted.
Status ConcurrentTamis::BulkLoad(std::span<const KeyHash> hashes) {
  constexpr size_t kPerThread = 20'000;
  constexpr size_t kFewPerShard = 256;
  const size_t threads = std::clamp<size_t>(
      hashes.size() / kPerThread, 1,
      std::max<size_t>(std::thread::hardware_concurrency(), 1));
  if (hashes.size() / shards_->num_shards() < kFewPerShard) {
    return internal::ForAll(threads, threads, [&](size_t part) -> Status {
      const size_t limit = hashes.size() * (part + 1) / threads;
      for (size_t i = hashes.size() * part / threads; i < limit; ++i) {
        TAMIS_RETURN_IF_ERROR(shards_->Insert(hashes[i]));
      }
      return {};
    });
  }
  std::vector<KeyHash> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<KeyHash> firsts;
  TAMIS_RETURN_IF_ERROR(
      shards_->ForEach([&](const TamisFilter&, const ShardPlace& place) {
        firsts.push_back({place.prefix, 0});
        return Status();
      }));
  // Few shards: one after the other, each by all threads.
  const bool by_shard = firsts.size() >= 4 * threads;
  return internal::ForAll(firsts.size(), by_shard ? threads : 1, [&](size_t i) {
    const auto begin =
        std::lower_bound(sorted.begin(), sorted.end(), firsts[i]);
    const auto limit =
        i + 1 == firsts.size()
            ? sorted.end()
            : std::lower_bound(sorted.begin(), sorted.end(), firsts[i + 1]);
    return LoadRange({begin, limit}, by_shard ? 1 : threads);
  });
}

// Shards may split and join meanwhile: each that some of the keys lie in now.
Status ConcurrentTamis::LoadRange(std::span<const KeyHash> sorted,
                                  size_t threads) {
  using Leaf = ConcurrentShards::Leaf;
  while (!sorted.empty()) {
    size_t inside = 0;
    TAMIS_RETURN_IF_ERROR(shards_->Load(
        sorted.front(), [&](Leaf leaf) -> Result<std::vector<Leaf>> {
          std::vector<KeyHash> keys;
          while (inside < sorted.size() &&
                 leaf.first.Contains(sorted[inside])) {
            keys.push_back(leaf.first.ToLocal(sorted[inside++]));
          }
          std::vector<ShardedTamis::Growing> level;
          level.push_back(
              {leaf.first, std::move(leaf.second), std::move(keys)});
          const ShardedTamis rules(options(), hasher());
          TAMIS_ASSIGN_OR_RETURN(
              ShardedTamis::Shards shards,
              rules.LoadAll(std::move(level), shards_->num_shards(), threads));
          return LeavesOf(std::move(shards));
        }));
    sorted = sorted.subspan(inside);
  }
  return {};
}

std::vector<std::pair<ShardPlace, TamisFilter>> ConcurrentTamis::LeavesOf(
    ShardedTamis::Shards shards) {
  std::vector<ConcurrentShards::Leaf> leaves;
  for (auto& shard : shards) {
    leaves.emplace_back(shard->place, std::move(shard->filter));
  }
  return leaves;
}

Status ConcurrentTamis::Merge(const ConcurrentTamis& other) {
  using Leaf = ConcurrentShards::Leaf;
  const auto sharded = [](const ConcurrentTamis& like,
                          std::vector<Leaf>&& copies) {
    ShardedTamis result(like.options(), like.hasher());
    ShardedTamis::Shards shards;
    for (auto& [place, filter] : copies) {
      shards.push_back(std::make_unique<ShardedTamis::Shard>(
          ShardedTamis::Shard{place, std::move(filter)}));
    }
    result.Take(std::move(shards));
    return result;
  };
  TAMIS_ASSIGN_OR_RETURN(std::vector<Leaf> copies, other.shards_->Copies());
  const ShardedTamis theirs = sharded(other, std::move(copies));
  return shards_->ReplaceAll(
      [&](std::vector<Leaf> mine) -> Result<std::vector<Leaf>> {
        ShardedTamis merged = sharded(*this, std::move(mine));
        TAMIS_RETURN_IF_ERROR(merged.Merge(theirs));
        return LeavesOf(std::move(merged.shards_));
      });
}

}  // namespace tamis
