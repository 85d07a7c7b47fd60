// Making, saving, loading and checking a sharded tamis filter.

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "base/errors.h"
#include "filters/growing/threshold.h"
#include "filters/tamis/parameters.h"
#include "tamis/sharded_tamis.h"

namespace tamis {

using internal::ShardPlace;
using internal::ShardView;
using internal::Snapshot;
using internal::Violation;

bool ShardedTamis::IsFor(const Spec& spec) {
  const Result<std::string> shards = spec.Text("shards");
  const Result<std::string> threads = spec.Text("threads");
  return shards.ok() && *shards == "split" &&
         !(threads.ok() && *threads == "yes");
}

Status ShardedTamis::CheckOptions(const Options& options,
                                  const Hasher& hasher) {
  if (options.shard_slots < 32 || options.shard_slots > uint64_t{1} << 30) {
    return Status(StatusCode::kInvalidArgument,
                  "shards of " + std::to_string(options.shard_slots) +
                      " slots; expected 2^5 to 2^30");
  }
  // All that a filter without shards would refuse.
  TamisFilter::Options one = options.filter;
  one.slots = std::min<uint64_t>(one.slots, 64);
  TAMIS_RETURN_IF_ERROR(TamisFilter::Create(one, hasher).status());
  if (!options.filter.grow) {
    return Status(StatusCode::kUnsupported,
                  "grow=no: shards that split have to grow");
  }
  // Shards are made one by one: what can't be had must be refused before.
  if (options.filter.slots > uint64_t{1} << 40) {
    return Status(StatusCode::kInvalidArgument,
                  "more than 2^40 slots; it may start with fewer, and grow");
  }
  return {};
}

// Makes all shards anew, with room for so many keys each.
Status ShardedTamis::TakeEmpty(int depth, uint64_t room) {
  Shards shards;
  for (uint64_t i = 0; i < uint64_t{1} << depth; ++i) {
    TAMIS_ASSIGN_OR_RETURN(
        TamisFilter shard,
        TamisFilter::CreateShard(ShardOptions(), hasher_, room));
    shards.push_back(std::make_unique<Shard>(
        Shard{ShardPlace::Of(i, depth), std::move(shard)}));
  }
  Take(std::move(shards));
  return {};
}

Result<ShardedTamis> ShardedTamis::CreateEmpty(const Options& options,
                                               const Hasher& hasher,
                                               int depth) {
  TAMIS_RETURN_IF_ERROR(CheckOptions(options, hasher));
  if (depth < 0 || depth > 20) {
    return Status(StatusCode::kInvalidArgument, "more than 2^20 shards");
  }
  ShardedTamis filter(options, hasher);
  TAMIS_RETURN_IF_ERROR(filter.TakeEmpty(depth, 1));
  return filter;
}

Result<ShardedTamis> ShardedTamis::Create(const Options& options,
                                          const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(CheckOptions(options, hasher));
  ShardedTamis filter(options, hasher);
  const uint64_t keys =
      internal::ThresholdLimit(options.filter.threshold, options.filter.slots);
  // Each shard a little larger than its part, by what chance may bring.
  const auto room = [&](int depth) {
    const double part = std::ldexp(static_cast<double>(keys), -depth);
    return static_cast<uint64_t>(depth == 0 ? part
                                            : part + 3 * std::sqrt(part));
  };
  int depth = 0;
  while (room(depth) > filter.ShardLimit() &&
         depth < internal::kMaxShardDepth) {
    ++depth;
  }
  TAMIS_RETURN_IF_ERROR(filter.TakeEmpty(depth, room(depth)));
  return filter;
}

Result<ShardedTamis> ShardedTamis::Create(const Spec& spec, uint64_t slots,
                                          const Hasher& hasher,
                                          KeySourceRef source) {
  Options options;
  TAMIS_ASSIGN_OR_RETURN(options.filter,
                         internal::TamisOptionsFrom(
                             spec, slots, internal::kShardedTamisParameters));
  if (source && !spec.Has("members")) {
    options.filter.members = Members::kSource;
  }
  options.filter.source = source;
  return Create(options, hasher);
}

Spec ShardedTamis::spec() const {
  Spec spec = internal::TamisSpecOf(options_.filter);
  spec.Set("shards", "split");
  return spec;
}

Snapshot ShardedTamis::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kShardedTamisParameters),
                    hasher_);
  snapshot.AddNumber("slots", options_.filter.slots);
  snapshot.AddNumber("shard_slots", options_.shard_slots);
  snapshot.AddNumber("shards", shards_.size());
  snapshot.AddNumber("all_erases", num_erases_);
  std::vector<uint64_t> depths;
  for (size_t i = 0; i < directory_.size();) {
    const Shard& shard = *shards_[directory_[i].shard];
    snapshot.AddPart(shard.filter.ToSnapshot(), depths.size());
    depths.push_back(static_cast<uint64_t>(shard.place.depth));
    i += size_t{1} << (depth_ - shard.place.depth);
  }
  snapshot.AddCopy("depths", std::move(depths));
  return snapshot;
}

Result<ShardedTamis> ShardedTamis::FromSnapshot(const Snapshot& snapshot,
                                                const LoadOptions& load) {
  Options options;
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, internal::kMaxHomes));
  TAMIS_ASSIGN_OR_RETURN(
      options.filter,
      internal::TamisOptionsFrom(snapshot.spec(), slots,
                                 internal::kShardedTamisParameters));
  if (options.filter.members == Members::kSource) {
    options.filter.source = load.source;
  }
  TAMIS_ASSIGN_OR_RETURN(options.shard_slots,
                         snapshot.Number("shard_slots", 32, uint64_t{1} << 30));
  TAMIS_ASSIGN_OR_RETURN(const auto depths,
                         snapshot.ArrayOf<uint64_t>("depths"));
  TAMIS_RETURN_IF_ERROR(
      snapshot.Number("shards", depths.size(), depths.size()).status());
  const ShardedTamis none(options, snapshot.hasher());
  const Spec inner = WithDefaults(internal::TamisSpecOf(none.ShardOptions()),
                                  internal::kTamisParameters);
  TAMIS_ASSIGN_OR_RETURN(const std::vector<Snapshot> parts,
                         snapshot.Parts(inner, depths.size()));
  LoadOptions unchecked = load;  // all are, at the end
  unchecked.check_invariants = false;
  Shards shards;
  uint64_t next = 0;  // where the shard begins
  for (size_t i = 0; i < depths.size(); ++i) {
    if (depths[i] > internal::kMaxShardDepth) {
      return Violation("(D1): a shard of " + std::to_string(depths[i]) +
                       " bits");
    }
    TAMIS_ASSIGN_OR_RETURN(TamisFilter filter,
                           TamisFilter::FromSnapshot(parts[i], unchecked));
    const ShardPlace place{next, static_cast<int>(depths[i])};
    shards.push_back(std::make_unique<Shard>(Shard{place, std::move(filter)}));
    next = place.range().high.high + 1;
  }
  TAMIS_ASSIGN_OR_RETURN(
      ShardedTamis filter,
      Assemble(options, snapshot.hasher(), std::move(shards), load));
  TAMIS_ASSIGN_OR_RETURN(filter.num_erases_, snapshot.Number("all_erases"));
  return filter;
}

// The last step of loading: shards from anywhere, in the order of hashes.
Result<ShardedTamis> ShardedTamis::Assemble(const Options& options,
                                            const Hasher& hasher, Shards shards,
                                            const LoadOptions& load) {
  if (options.filter.members == Members::kSource && !options.filter.source) {
    return Status(StatusCode::kUnsupported,
                  "the filter needs the source it stands for");
  }
  TAMIS_RETURN_IF_ERROR(CheckTiling(shards));
  ShardedTamis filter(options, hasher);
  for (const auto& shard : shards) {
    const TamisFilter& one = shard->filter;
    if (one.options().slots != 1 || !one.options().grow ||
        one.options().fingerprint_bits != options.filter.fingerprint_bits ||
        one.options().members != filter.ShardOptions().members ||
        one.hasher() != hasher) {
      return Violation("a shard is not of the filter's kind");
    }
  }
  filter.Take(std::move(shards));
  return internal::CheckedIfAsked(std::move(filter), load);
}

// (D1) and (D3)
Status ShardedTamis::CheckTiling(const Shards& shards) {
  uint64_t next = 0;
  int depth = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    const ShardPlace& place = shards[i]->place;
    if (place.prefix != next || (i > 0 && next == 0) ||
        place.prefix != ShardPlace::Of(place.index(), place.depth).prefix) {
      return Violation("(D1): shard " + std::to_string(i) +
                       " does not begin where the one before ends");
    }
    next = place.range().high.high + 1;
    depth = std::max(depth, place.depth);
  }
  if (shards.empty() || next != 0) {
    return Violation("(D1): the shards are not for all hashes");
  }
  if (depth > 20 && uint64_t{1} << (depth - 4) > shards.size()) {
    return Violation("(D3): " + std::to_string(shards.size()) +
                     " shards of up to " + std::to_string(depth) + " bits");
  }
  return {};
}

Status ShardedTamis::CheckInvariants() const {
  uint64_t found = 0;
  for (size_t i = 0; i < directory_.size(); ++i) {
    const ShardView& view = directory_[i];
    const KeyHash first = {ShardPlace::Of(i, depth_).prefix, 0};
    if (view.shard >= shards_.size() ||
        !shards_[view.shard]->place.Contains(first)) {
      return Violation("(D2): directory entry " + std::to_string(i));
    }
    const Shard& shard = *shards_[view.shard];
    ShardView fresh = ViewFor(shard.filter, shard.place.depth);
    fresh.shard = view.shard;
    // Cells of voids that are gone may stay.
    if ((fresh.void_cells & ~view.void_cells) == 0) {
      fresh.void_cells = view.void_cells;
    }
    if (fresh != view) {
      return Violation("(D2): the view of directory entry " +
                       std::to_string(i) + " is old");
    }
    found += static_cast<uint64_t>(first.high == shard.place.prefix);
  }
  if (found != shards_.size()) {
    return Violation("(D1): shards that the directory lacks");
  }
  for (const auto& shard : shards_) {
    const Status status = shard->filter.CheckInvariants();
    if (!status.ok()) {
      return status.WithContext("shard " +
                                std::to_string(shard->place.index()) + " of " +
                                std::to_string(shard->place.depth) + " bits");
    }
  }
  return {};
}

}  // namespace tamis
