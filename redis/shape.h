// Shape: which filter keeps to a plan.
//
// A filter that grows lets its old entries lose a bit with each doubling.  With
// fingerprints of F bits, after g doublings at a load of at most L,
//
//   false positive rate  <=  L 2^-F (1 + g)
//
// (half of it right after a doubling), and F is chosen for g = 14.  One that may
// not grow needs no length in its slots: half the rate, at equal bits.
//
// A Bloom filter for thousands of items begins as one that does not grow
// (reserved_tables.h).  Of its rate they keep their part r for good, and F is chosen for
// what is left, error - r, and g = 9.

#ifndef TAMIS_REDIS_SHAPE_H_
#define TAMIS_REDIS_SHAPE_H_

#include <cstdint>
#include <optional>

#include "redis/reserved_tables.h"
#include "redis/value.h"
#include "tamis/spec.h"

namespace tamis::redis {

struct Shape {
  Spec spec;
  uint64_t slots;
};

// What a filter of this plan holds before it grows; none if it is to grow from
// the first item on, or never.
std::optional<ReservedTables::Plan> ReserveFor(const Plan& plan);

Shape ShapeFor(const Plan& plan);
Shape ShapeWithBits(const Plan& plan, int fingerprint_bits);
// Whether a filter of this plan may have this spec, which came from elsewhere.
bool IsOurs(const Plan& plan, const Spec& spec);
// That of an empty filter beside one of this spec.
Shape ShapeLike(const Plan& plan, const Spec& spec);

// About what a new filter of this plan and shape takes.
uint64_t BytesOf(const Plan& plan, const Shape& shape);

// kOutOfMemory if that is more than the machine has.  The allocator would not
// tell: shards are small, and their pages not there before they are used.
Status CheckSize(const Plan& plan, const Shape& shape);

// What the fixes of so many items may take besides: 2 bits each.  Reports come
// later, and are not refused.
uint64_t BytesForFixes(const Plan& plan, uint64_t items);

// Whether one more item could make the value larger than `max_bytes`.
bool GrowthPasses(const Value& value, KeyHash hash, uint64_t max_bytes);

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_SHAPE_H_
