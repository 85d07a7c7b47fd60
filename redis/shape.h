// Shape: which filter keeps to a plan.
//
// A filter that grows lets its old entries lose a bit with each doubling.  With
// fingerprints of F bits, after g doublings at a load of at most L,
//
//   false positive rate  <=  L 2^-F (1 + g)
//
// (half of it right after a doubling), and F is chosen for g = 14.  One that may not grow needs no length in its slots: half the rate, at
// equal bits.

#ifndef TAMIS_REDIS_SHAPE_H_
#define TAMIS_REDIS_SHAPE_H_

#include <cstdint>

#include "redis/value.h"
#include "tamis/spec.h"

namespace tamis::redis {

struct Shape {
  Spec spec;
  uint64_t slots;
};

Shape ShapeFor(const Plan& plan);
Shape ShapeWithBits(const Plan& plan, int fingerprint_bits);
// That of an empty filter beside one of this spec.
Shape ShapeLike(const Plan& plan, const Spec& spec);

// About what a new filter of this shape takes.
uint64_t BytesOf(const Shape& shape);

// Whether one more item could make the value larger than `max_bytes`.
bool GrowthPasses(const Value& value, uint64_t max_bytes);

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_SHAPE_H_
