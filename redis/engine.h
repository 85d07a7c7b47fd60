// Engine: the filter inside a value, a fixed one or one that grows by shards.
//
// The only place that knows which of the library's classes is underneath; all
// of it is handed on.

#ifndef TAMIS_REDIS_ENGINE_H_
#define TAMIS_REDIS_ENGINE_H_

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"
#include "tamis/spec.h"
#include "tamis/tamis_filter.h"

namespace tamis::redis {

// Slots of a shard: to rewrite one takes a millisecond or two.
inline constexpr uint64_t kShardSlots = uint64_t{1} << 16;

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
  static Result<Engine> Create(const Spec& spec, uint64_t slots,
                               const Hasher& hasher) {
    if (!ShardedTamis::IsFor(spec)) {
      return Of(TamisFilter::Create(spec, slots, hasher));
    }
    TAMIS_ASSIGN_OR_RETURN(const ShardedTamis none,
                           ShardedTamis::Create(spec, 64, hasher));
    ShardedTamis::Options options = none.options();
    options.filter.slots = slots;
    options.shard_slots = kShardSlots;
    return Of(ShardedTamis::Create(options, hasher));
  }
  static Result<Engine> FromSnapshot(const internal::Snapshot& snapshot,
                                     const LoadOptions& load) {
    if (ShardedTamis::IsFor(snapshot.spec())) {
      return Of(internal::BuildFilter<ShardedTamis>(snapshot, load));
    }
    return Of(internal::BuildFilter<TamisFilter>(snapshot, load));
  }

  bool MayContain(KeyHash hash) const {
    return growing_ != nullptr ? growing_->MayContain(hash)
                               : fixed_->MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    With([&](const auto& f) { f.MayContain(hashes, results); });
  }
  Status Insert(KeyHash hash) {
    return With([&](auto& f) { return f.Insert(hash); });
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
    return With([](const auto& f) { return f.size(); });
  }
  uint64_t capacity() const {
    return With([](const auto& f) { return f.capacity(); });
  }
  uint64_t SizeBits() const {
    return With([](const auto& f) { return f.SizeBits(); });
  }
  double ExpectedFpr() const {
    return With([](const auto& f) { return f.ExpectedFpr(); });
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
    return With([](const auto& f) { return f.ToSnapshot(); });
  }
  Status CheckInvariants() const {
    return With([](const auto& f) { return f.CheckInvariants(); });
  }

 private:
  Engine() = default;
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
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_ENGINE_H_
