#include "redis/shape.h"

#include <algorithm>
#include <cmath>

#include "redis/memory.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/sharded_tamis.h"
#include "tamis/tamis_filter.h"

namespace tamis::redis {
namespace {

constexpr double kFixedLoad = 0.95;
constexpr double kThreshold = 0.975;
// The allocator gives 1024 bytes for a shard's object, or 1280: 0.015 more an
// item, as much as a load of 0.006 is worth.
static_assert(sizeof(TamisFilter) + sizeof(internal::ShardPlace) <= 1024);
// For which the rate is kept: capacity times 2^14.
constexpr double kDoublings = 14;
// The same beyond what was reserved.
constexpr double kReservedDoublings = 9;
constexpr uint64_t kLeastReserve = 4096;
constexpr int kMinBits = 3;
constexpr int kMaxBits = 40;

int BitsFor(double load, double doublings, double error) {
  const double bits = std::log2(load * (1 + doublings) / error);
  return std::clamp(static_cast<int>(std::ceil(bits)), kMinBits, kMaxBits);
}

// So that `capacity` items fit before the first step of growth.
uint64_t SlotsFor(uint64_t capacity, double load) {
  return static_cast<uint64_t>(static_cast<double>(capacity) / load) + 1;
}

}  // namespace

Shape ShapeWithBits(const Plan& plan, int fingerprint_bits) {
  Spec spec("tamis");
  spec.Set("f", static_cast<uint64_t>(fingerprint_bits));
  if (plan.fixed()) spec.Set("grow", "no");
  spec.Set("members", "caller");
  if (plan.family != Family::kAdaptive) spec.Set("extensions", uint64_t{0});
  if (plan.fixed()) return {spec, SlotsFor(plan.capacity, kFixedLoad)};
  spec.Set("steps", uint64_t{4});
  spec.Set("threshold", internal::ShortestText(kThreshold));
  spec.Set("shards", "split");
  return {spec, SlotsFor(plan.capacity, kThreshold)};
}

Shape ShapeFor(const Plan& plan) {
  if (plan.fixed()) {
    return ShapeWithBits(plan, BitsFor(kFixedLoad, 0, plan.error));
  }
  if (const auto reserved = ReserveFor(plan)) {
    return ShapeWithBits(
        plan, std::max(reserved->bits, BitsFor(kThreshold, kReservedDoublings,
                                               plan.error - reserved->rate)));
  }
  return ShapeWithBits(plan, BitsFor(kThreshold, kDoublings, plan.error));
}

std::optional<ReservedTables::Plan> ReserveFor(const Plan& plan) {
  if (plan.family != Family::kBloom || plan.fixed() ||
      plan.capacity < kLeastReserve) {
    return std::nullopt;
  }
  const ReservedTables::Plan reserved =
      ReservedTables::PlanFor(plan.capacity, plan.error, kShardSlots);
  // A rate that no fingerprint gives: let it grow from the start.
  if (reserved.rate >= plan.error) return std::nullopt;
  return reserved;
}

bool IsOurs(const Plan& plan, const Spec& spec) {
  const auto bits = spec.Integer("f", kMinBits, kMinBits, kMaxBits);
  const auto members = spec.Text("members");
  return bits.ok() && spec.name() == "tamis" && members.ok() &&
         *members == "caller" && ShardedTamis::IsFor(spec) == !plan.fixed();
}

Shape ShapeLike(const Plan& plan, const Spec& spec) {
  return {spec, plan.fixed() ? SlotsFor(plan.capacity, kFixedLoad)
                             : SlotsFor(plan.capacity, kThreshold)};
}

uint64_t BytesOf(const Plan& plan, const Shape& shape) {
  if (const auto reserved = ReserveFor(plan)) return reserved->bytes();
  const auto bits = shape.spec.Integer("f", kMinBits, kMinBits, kMaxBits);
  const int width = static_cast<int>(*bits) + (shape.spec.Has("grow") ? 0 : 1);
  const auto slots = static_cast<uint64_t>(internal::SlotsPerLine(width));
  return (shape.slots + slots - 1) / slots * internal::kLineBytes;
}

Status CheckSize(const Plan& plan, const Shape& shape) {
  if (BytesOf(plan, shape) <= MachineBytes()) return {};
  return {StatusCode::kOutOfMemory, "larger than all memory"};
}

uint64_t BytesForFixes(const Plan& plan, uint64_t items) {
  return plan.family == Family::kAdaptive ? items / 4 : 0;
}

bool GrowthPasses(const Value& value, KeyHash hash, uint64_t max_bytes) {
  const uint64_t growth = value.filter().BytesToGrow(hash);
  if (growth == 0) return false;
  return value.bytes() + growth + BytesForFixes(value.plan(), value.size()) >
         max_bytes;
}

}  // namespace tamis::redis
