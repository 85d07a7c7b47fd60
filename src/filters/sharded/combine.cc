// Many keys at once: bulk load and merge.  Both make new shards of copies, and
// exchange them at the end: all or nothing.

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "tamis/sharded_tamis.h"

namespace tamis {

using internal::ShardPlace;

namespace {

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge tamis filters: " + what};
}

bool IsUpper(KeyHash local) { return local.high >> 63 != 0; }

}  // namespace

// A shard, and the keys that are to come into it, as it reads them.
struct ShardedTamis::Growing {
  ShardPlace place;
  TamisFilter filter;
  std::vector<KeyHash> keys;
};

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

// One level of the tree: what is too large becomes two of the next level, the
// rest is done.
Status ShardedTamis::LoadLevel(std::vector<Growing>& level,
                               Shards& done) const {
  std::vector<Growing> next;
  const uint64_t shards_so_far = level.size() + done.size();
  for (Growing& one : level) {
    const auto middle = std::partition(one.keys.begin(), one.keys.end(),
                                       [](KeyHash k) { return !IsUpper(k); });
    const auto low = static_cast<uint64_t>(middle - one.keys.begin());
    const uint64_t high = one.keys.size() - low;
    const int depth = one.place.depth + 1;
    const int most =
        std::max(16, static_cast<int>(std::bit_width(shards_so_far)) + 2);
    Result<std::pair<TamisFilter, TamisFilter>> halves =
        Status(StatusCode::kUnsupported, "it is small enough");
    if (one.filter.size() + one.keys.size() > ShardLimit() &&
        depth <= std::min(most, internal::kMaxShardDepth)) {
      // Very small ones have no half to give.
      while (one.filter.generation() < 2) {
        TAMIS_RETURN_IF_ERROR(one.filter.Expand());
      }
      halves = one.filter.Split({low, high});
    }
    if (!halves.ok() && halves.status().code() != StatusCode::kUnsupported) {
      return halves.status();
    }
    if (!halves.ok()) {
      TAMIS_RETURN_IF_ERROR(one.filter.BulkLoad(one.keys));
      done.push_back(
          std::make_unique<Shard>(Shard{one.place, std::move(one.filter)}));
      continue;
    }
    for (KeyHash& key : one.keys) key = internal::ShiftHash(key, 1);
    next.push_back({one.place.Half(false),
                    std::move(halves->first),
                    {one.keys.begin(), middle}});
    next.push_back({one.place.Half(true),
                    std::move(halves->second),
                    {middle, one.keys.end()}});
    one.keys = {};
  }
  level = std::move(next);
  return {};
}

Status ShardedTamis::BulkLoad(std::span<const KeyHash> hashes) {
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
  Shards done;
  while (!level.empty()) TAMIS_RETURN_IF_ERROR(LoadLevel(level, done));
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
  if (hasher_ != other.hasher_) return Incompatible("their hashers differ");
  if (options_.filter.fingerprint_bits !=
          other.options_.filter.fingerprint_bits ||
      options_.filter.members != other.options_.filter.members) {
    return Incompatible("f or members differ");
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
  Shards done;
  while (!level.empty()) TAMIS_RETURN_IF_ERROR(LoadLevel(level, done));
  Take(std::move(done));
  num_erases_ += other.num_erases_;
  return {};
}

}  // namespace tamis
