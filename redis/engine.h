// Engine: the filter inside a value, a fixed one or one that grows by shards.
//
// One that grows may have a reserve before it (reserved_tables.h), which holds the first
// items.  Each hash is in one of both, by its place; what nobody asks of a Bloom
// filter (to count, erase, merge, adapt) is asked of one without a reserve.
//
// The only place that knows which of the library's classes is underneath; all
// of it is handed on.

#ifndef TAMIS_REDIS_ENGINE_H_
#define TAMIS_REDIS_ENGINE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "redis/reserved_tables.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"
#include "tamis/spec.h"
#include "tamis/tamis_filter.h"

namespace tamis::redis {

// Slots of a shard: to cut one in two takes about a millisecond, and a command of
// 100 items may meet a few.
inline constexpr uint64_t kShardSlots = uint64_t{1} << 15;
// What a shard takes beside its tables, or more.
inline constexpr uint64_t kObjectBytes = 2048;

class Engine {
  // Before all that uses it: its results are deduced.
  template <typename Function>
  auto With(Function function) {
    return growing_ != nullptr ? function(*growing_) : function(*fixed_);
  }
  template <typename Function>
  auto With(Function function) const {
    return growing_ != nullptr ? function(std::as_const(*growing_))
                               : function(std::as_const(*fixed_));
  }

 public:
  static Result<Engine> Create(
      const Spec& spec, uint64_t slots, const Hasher& hasher,
      const std::optional<ReservedTables::Plan>& reserved) {
    if (!ShardedTamis::IsFor(spec)) {
      return Of(TamisFilter::Create(spec, slots, hasher));
    }
    TAMIS_ASSIGN_OR_RETURN(const ShardedTamis none,
                           ShardedTamis::Create(spec, 64, hasher));
    ShardedTamis::Options options = none.options();
    options.filter.slots = slots;
    options.shard_slots = kShardSlots;
    if (!reserved) return Of(ShardedTamis::Create(options, hasher));
    TAMIS_ASSIGN_OR_RETURN(
        Engine engine,
        Of(ShardedTamis::CreateEmpty(options, hasher, reserved->depth)));
    TAMIS_ASSIGN_OR_RETURN(engine.reserve_, ReservedTables::Create(*reserved));
    return engine;
  }
  static Result<Engine> FromSnapshot(const internal::Snapshot& snapshot,
                                     const LoadOptions& load) {
    if (ShardedTamis::IsFor(snapshot.spec())) {
      TAMIS_ASSIGN_OR_RETURN(Engine engine,
                             Of(internal::BuildFilter<ShardedTamis>(
                                 ReservedTables::TakenOutOf(snapshot), load)));
      TAMIS_ASSIGN_OR_RETURN(engine.reserve_, ReservedTables::From(snapshot));
      TAMIS_RETURN_IF_ERROR(engine.CheckPlaces());
      return engine;
    }
    return Of(internal::BuildFilter<TamisFilter>(snapshot, load));
  }

  bool MayContain(KeyHash hash) const {
    if (reserve_.Has(hash)) return reserve_.MayContain(hash);
    return growing_ != nullptr ? growing_->MayContain(hash)
                               : fixed_->MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    if (reserve_.empty()) {
      With([&](const auto& f) { f.MayContain(hashes, results); });
      return;
    }
    for (const KeyHash hash : hashes) Prefetch(hash);
    for (size_t i = 0; i < hashes.size(); ++i) {
      results[i] = MayContain(hashes[i]);
    }
  }
  // Fetches what MayContain and Insert will read, some other keys before.
  void Prefetch(KeyHash hash) const {
    if (reserve_.Has(hash)) {
      reserve_.Prefetch(hash);
    } else {
      With([&](const auto& f) { f.PrefetchInsert(hash); });
    }
  }
  Status Insert(KeyHash hash) {
    if (reserve_.Has(hash)) {
      if (!reserve_.IsFull(hash)) return reserve_.Insert(hash);
      TAMIS_RETURN_IF_ERROR(HandOver(hash));
    }
    return With([&](auto& f) { return f.Insert(hash); });
  }
  // About by how many bytes it grows if this hash is inserted, or more; 0 if
  // there is room.
  uint64_t BytesToGrow(KeyHash hash) const {
    if (growing_ == nullptr) return 0;
    if (reserve_.Has(hash)) {
      return reserve_.IsFull(hash) ? reserve_.TableOf(hash).SizeBits() / 8 : 0;
    }
    const TamisFilter& shard = growing_->ShardOf(hash);
    if (!shard.MustExpand()) return 0;
    // A step is 1.25x at most; a cut brings an object, and may double the
    // directory; of short fingerprints, some have aged to nothing by then.
    const uint64_t directory = sizeof(internal::ShardView) << growing_->depth();
    const uint64_t voids = 3 * sizeof(internal::VoidArray::Entry) / 2 *
                           (shard.size() >> shard.options().fingerprint_bits);
    return shard.SizeBits() / 8 / 3 + kObjectBytes + directory + voids;
  }
  Status Erase(KeyHash hash) {
    return With([&](auto& f) { return f.Erase(hash); });
  }
  // Entries that match; at least as many as the copies of the key.
  uint64_t Count(KeyHash hash) const {
    if (growing_ == nullptr) return fixed_->Count(hash);
    const HashRange range = growing_->RangeOf(hash);
    const int depth = std::countl_zero(range.low.high ^ range.high.high);
    return growing_->ShardOf(hash).Count(internal::ShiftHash(hash, depth));
  }
  Status Merge(const Engine& other) {
    if ((growing_ == nullptr) != (other.growing_ == nullptr)) {
      return {StatusCode::kIncompatible, "one of them can't grow"};
    }
    return growing_ != nullptr ? growing_->Merge(*other.growing_)
                               : fixed_->Merge(*other.fixed_);
  }
  // kUnsupported or kFull: as small as it gets.
  Status Contract() {
    return With([&](auto& f) { return f.Contract(); });
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const {
    return With([&](const auto& f) { return f.CollisionRange(hash); });
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) {
    return With([&](auto& f) { return f.Adapt(absent, members, num_erases); });
  }
  uint64_t num_erases() const {
    return With([](const auto& f) { return f.num_erases(); });
  }
  uint64_t size() const {
    return With([](const auto& f) { return f.size(); }) + reserve_.size();
  }
  uint64_t capacity() const {
    return With([](const auto& f) { return f.capacity(); }) +
           reserve_.capacity();
  }
  uint64_t SizeBits() const {
    return With([](const auto& f) { return f.SizeBits(); }) +
           reserve_.SizeBits();
  }
  double ExpectedFpr() const {
    return With([](const auto& f) { return f.ExpectedFpr(); }) +
           reserve_.ExpectedFpr();
  }
  FilterStats stats() const {
    return With([](const auto& f) { return f.stats(); });
  }
  Spec spec() const {
    return With([](const auto& f) { return f.spec(); });
  }
  const Hasher& hasher() const {
    return growing_ != nullptr ? growing_->hasher() : fixed_->hasher();
  }
  internal::Snapshot ToSnapshot() const {
    internal::Snapshot snapshot =
        With([](const auto& f) { return f.ToSnapshot(); });
    reserve_.AddTo(snapshot);
    return snapshot;
  }
  Status CheckInvariants() const {
    TAMIS_RETURN_IF_ERROR(reserve_.CheckInvariants());
    return With([](const auto& f) { return f.CheckInvariants(); });
  }

 private:
  Engine() = default;
  // The table of a place that is full becomes a shard.
  Status HandOver(KeyHash hash) {
    TAMIS_RETURN_IF_ERROR(
        growing_->Adopt(reserve_.PlaceOf(hash), reserve_.TableOf(hash)));
    reserve_.Drop(hash);
    return {};
  }
  // Where the reserve has a table, the other has an empty shard.
  Status CheckPlaces() const {
    if (reserve_.empty()) return {};
    for (uint64_t i = 0; i < uint64_t{1} << reserve_.plan().depth; ++i) {
      const auto place = internal::ShardPlace::Of(i, reserve_.plan().depth);
      const KeyHash first = {place.prefix, 0};
      if (!reserve_.Has(first)) continue;
      if (growing_->RangeOf(first) != place.range() ||
          growing_->ShardOf(first).size() != 0) {
        return {StatusCode::kCorrupt, "entries in a place that is reserved"};
      }
    }
    return {};
  }
  static Result<Engine> Of(Result<ShardedTamis> filter) {
    if (!filter.ok()) return filter.status();
    Engine engine;
    engine.growing_ = std::make_unique<ShardedTamis>(*std::move(filter));
    return engine;
  }
  static Result<Engine> Of(Result<TamisFilter> filter) {
    if (!filter.ok()) return filter.status();
    Engine engine;
    engine.fixed_ = std::make_unique<TamisFilter>(*std::move(filter));
    return engine;
  }
  std::unique_ptr<TamisFilter> fixed_;  // one of both
  std::unique_ptr<ShardedTamis> growing_;
  ReservedTables reserve_;  // beside growing_
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_ENGINE_H_
