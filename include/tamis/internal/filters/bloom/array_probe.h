// The bits of a key in an array of any size, one after the other.
//
// A sum of 64 bits starts at the hash's upper word; the lower word is added to
// it again and again.  Each sum, read as a number in [0, 1), times the number
// of bits is a position:
//
//   sum 0   high                        position i = sum i * m >> 64
//   sum 1   high + low
//   sum 2   high + low + rotl(low, 37)
//   ...
//
// TurnedProbe rotates what it adds, so that every sum depends on other bits of
// the hash: two keys that share the first j positions do so with chance 1/m^j,
// as if positions were drawn one by one.
//
// SteppedProbe, that of files of old, counts up what it adds, from
// the low end: that reaches no position, so two keys whose first two positions
// are equal have all in common.  It happens to n of m^2 absent keys, whatever k
// is: 100 keys that were promised one mistake in 10^6 made 48 (2026-11).
//
// Tried: multiplying the sum by a constant is as good, but a chain of
// multiplications is slower than one of sums for keys that are there.
//
// Thread safety: pure functions.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_ARRAY_PROBE_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_ARRAY_PROBE_H_

#include <bit>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

class TurnedProbe {
 public:
  explicit TurnedProbe(KeyHash hash) : sum_(hash.high), step_(hash.low) {}
  // Returns the next position below `bits`.
  uint64_t Next(uint64_t bits) {
    const uint64_t position = MultiplyHigh(sum_, bits);
    sum_ += step_;
    step_ = std::rotl(step_, kTurn);
    return position;
  }

 private:
  // Odd, so that all 64 turns differ; five windows of 10 bits are disjoint.
  static constexpr int kTurn = 37;

  uint64_t sum_;
  uint64_t step_;
};

class SteppedProbe {
 public:
  explicit SteppedProbe(KeyHash hash) : sum_(hash.high), step_(hash.low) {}
  uint64_t Next(uint64_t bits) {
    const uint64_t position = MultiplyHigh(sum_, bits);
    sum_ += step_;
    step_ += ++count_;
    return position;
  }

 private:
  uint64_t sum_;
  uint64_t step_;
  uint64_t count_ = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_ARRAY_PROBE_H_
