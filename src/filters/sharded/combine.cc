// Many keys at once: bulk load and merge.  Both make new shards of copies, and
// exchange them at the end: all or nothing.

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <utility>

#include "filters/sharded/loading.h"
#include "filters/sharded/parallel.h"
#include "tamis/sharded_tamis.h"

namespace tamis {

using internal::ShardPlace;

namespace {

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge tamis filters: " + what};
}

bool IsUpper(KeyHash local) { return local.high >> 63 != 0; }

}  // namespace

Result<ShardedTamis::Shards> ShardedTamis::CopyOfShards() const {
  Shards copies;
  for (size_t i = 0; i < directory_.size();) {
    const Shard& shard = *shards_[directory_[i].shard];
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, shard.filter.Copy());
    copies.push_back(
        std::make_unique<Shard>(Shard{shard.place, std::move(copy)}));
    i += size_t{1} << (depth_ - shard.place.depth);
  }
  return copies;
}

// What is too large becomes two of the next level; the rest is done.
Status ShardedTamis::LoadOne(Growing one, uint64_t shards_so_far,
                             Loaded& loaded) const {
  const auto middle = std::partition(one.keys.begin(), one.keys.end(),
                                     [](KeyHash k) { return !IsUpper(k); });
  const auto low = static_cast<uint64_t>(middle - one.keys.begin());
  const uint64_t high = one.keys.size() - low;
  const int most =
      std::max(16, static_cast<int>(std::bit_width(shards_so_far)) + 2);
  if (one.filter.size() + one.keys.size() > ShardLimit() &&
      one.place.depth < std::min(most, internal::kMaxShardDepth)) {
    // Very small ones have no half to give.
    while (one.filter.generation() < 2) {
      TAMIS_RETURN_IF_ERROR(one.filter.Expand());
    }
    auto halves = one.filter.Split({low, high});
    if (halves.ok()) {
      for (KeyHash& key : one.keys) key = internal::ShiftHash(key, 1);
      loaded.next.push_back({one.place.Half(false),
                             std::move(halves->first),
                             {one.keys.begin(), middle}});
      loaded.next.push_back({one.place.Half(true),
                             std::move(halves->second),
                             {middle, one.keys.end()}});
      return {};
    }
    if (halves.status().code() != StatusCode::kUnsupported) {
      return halves.status();
    }
  }
  TAMIS_RETURN_IF_ERROR(one.filter.BulkLoad(one.keys));
  loaded.done =
      std::make_unique<Shard>(Shard{one.place, std::move(one.filter)});
  return {};
}

Result<ShardedTamis::Shards> ShardedTamis::LoadAll(std::vector<Growing> level,
                                                   uint64_t shards,
                                                   size_t threads) const {
  Shards done;
  while (!level.empty()) {
    shards = std::max<uint64_t>(shards, level.size() + done.size());
    std::vector<Loaded> loaded(level.size());
    TAMIS_RETURN_IF_ERROR(
        internal::ForAll(level.size(), threads, [&](size_t i) {
          return LoadOne(std::move(level[i]), shards, loaded[i]);
        }));
    level.clear();
    for (Loaded& one : loaded) {
      if (one.done) done.push_back(std::move(one.done));
      std::move(one.next.begin(), one.next.end(), std::back_inserter(level));
    }
  }
  return done;
}

Status ShardedTamis::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  std::vector<std::vector<KeyHash>> groups(shards_.size());
  for (const KeyHash hash : hashes) {
    const internal::ShardView& view = ViewOf(hash);
    groups[view.shard].push_back(internal::ShiftHash(hash, view.depth));
  }
  std::vector<Growing> level;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty()) continue;
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, shards_[i]->filter.Copy());
    level.push_back({shards_[i]->place, std::move(copy), std::move(groups[i])});
    groups[i] = {KeyHash{}};  // marks those that are replaced
  }
  TAMIS_ASSIGN_OR_RETURN(Shards done,
                         LoadAll(std::move(level), shards_.size(), 1));
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty()) done.push_back(std::move(shards_[i]));
  }
  Take(std::move(done));
  return {};
}

// Merges the shards below a node of the tree, two lists in the order of hashes.
Result<ShardedTamis::Shards> ShardedTamis::MergeNode(const ShardPlace& node,
                                                     Shards mine,
                                                     Shards other) const {
  // Where one side has a leaf and the other has not, the leaf splits.
  for (Shards* side : {&mine, &other}) {
    if (side->size() != 1 || mine.size() == other.size()) continue;
    TamisFilter& leaf = side->front()->filter;
    while (leaf.generation() < 2) TAMIS_RETURN_IF_ERROR(leaf.Expand());
    Result<std::pair<TamisFilter, TamisFilter>> halves =
        leaf.Split({.evenly = false});
    if (halves.ok()) {
      side->clear();
      side->push_back(std::make_unique<Shard>(
          Shard{node.Half(false), std::move(halves->first)}));
      side->push_back(std::make_unique<Shard>(
          Shard{node.Half(true), std::move(halves->second)}));
      continue;
    }
    if (halves.status().code() != StatusCode::kUnsupported) {
      return halves.status();
    }
    // If it can't, the others become one.
    Shards& many = side == &mine ? other : mine;
    TAMIS_ASSIGN_OR_RETURN(many, JoinAll(node, std::move(many)));
  }
  Shards result;
  if (mine.size() == 1 && other.size() == 1) {
    TAMIS_RETURN_IF_ERROR(mine[0]->filter.Merge(other[0]->filter));
    return mine;
  }
  for (const bool upper : {false, true}) {
    const ShardPlace half = node.Half(upper);
    TAMIS_ASSIGN_OR_RETURN(Shards merged, MergeNode(half, TakeBelow(half, mine),
                                                    TakeBelow(half, other)));
    std::move(merged.begin(), merged.end(), std::back_inserter(result));
  }
  return result;
}

// Returns the shards below a node, taken out of `shards`.
ShardedTamis::Shards ShardedTamis::TakeBelow(const ShardPlace& node,
                                             Shards& shards) {
  Shards below;
  for (auto& shard : shards) {
    if (shard && node.Contains(shard->place)) below.push_back(std::move(shard));
  }
  return below;
}

// Returns one shard for a whole node.
Result<ShardedTamis::Shards> ShardedTamis::JoinAll(const ShardPlace& node,
                                                   Shards shards) {
  if (shards.size() == 1) return shards;
  TAMIS_ASSIGN_OR_RETURN(
      const Shards low,
      JoinAll(node.Half(false), TakeBelow(node.Half(false), shards)));
  TAMIS_ASSIGN_OR_RETURN(
      const Shards high,
      JoinAll(node.Half(true), TakeBelow(node.Half(true), shards)));
  TAMIS_ASSIGN_OR_RETURN(TamisFilter joined,
                         TamisFilter::Join(low[0]->filter, high[0]->filter));
  Shards one;
  one.push_back(std::make_unique<Shard>(Shard{node, std::move(joined)}));
  return one;
}

Status ShardedTamis::Merge(const ShardedTamis& other) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (hasher_ != other.hasher_) return Incompatible("their hashers differ");
  if (options_.filter.fingerprint_bits !=
          other.options_.filter.fingerprint_bits ||
      options_.filter.steps != other.options_.filter.steps ||
      options_.filter.members != other.options_.filter.members) {
    return Incompatible("f, steps or members differ");
  }
  TAMIS_ASSIGN_OR_RETURN(Shards mine, CopyOfShards());
  TAMIS_ASSIGN_OR_RETURN(Shards its, other.CopyOfShards());
  TAMIS_ASSIGN_OR_RETURN(Shards merged,
                         MergeNode({}, std::move(mine), std::move(its)));
  // What is too large now splits as in a bulk load of nothing.
  std::vector<Growing> level;
  for (auto& shard : merged) {
    level.push_back({shard->place, std::move(shard->filter), {}});
  }
  TAMIS_ASSIGN_OR_RETURN(Shards done,
                         LoadAll(std::move(level), shards_.size(), 1));
  Take(std::move(done));
  num_erases_ += other.num_erases_;
  return {};
}

}  // namespace tamis
