// The two readings of a KeyHash: where the key lives, and its string of bits.
//
// A hash is a number in [0, 1).  Multiplied by the number of homes m it falls
// apart at the binary point:
//
//   hash * m  =  home . s0 s1 s2 s3 ...
//                 |      \-- the string: what a filter stores a window of
//                 \-- where
//
// m need not be a power of two.  Doubling m moves s0 from the string to the
// home, exactly: home i becomes 2i + s0 and the string starts one bit later.
//
// A product of 128 bits and m has 128 bits after the point, but the last
// log2(m) of them are not fresh (zeros, when m is a power of two).  So the
// string is: the first FreshBits(m) bits of the fraction, then Extend(0),
// Extend(1), ..., 128 bits each, rehashed from the KeyHash itself, because a
// mirror has no key to hash again.  For a filter that grows, m0 is the number
// of homes at its creation; after X doublings its string is that of m0 from
// bit X on, so a stored window keeps its meaning.

#ifndef TAMIS_INTERNAL_HASH_HASH_STRING_H_
#define TAMIS_INTERNAL_HASH_HASH_STRING_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/short_xxh3.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// hash * m, split at the binary point.
struct Placed {
  uint64_t home;
  uint64_t high;  // the first 64 bits of the fraction, s0 the top one
  uint64_t low;   // the next 64
};

// Returns the integer part of hash * homes, and the fraction.
inline Placed Place(KeyHash hash, uint64_t homes) {
  // Added in words, not as 128 bits, which g++ 12 would do in memory.
  const Uint128 upper = static_cast<Uint128>(hash.high) * homes;
  const Uint128 lower = static_cast<Uint128>(hash.low) * homes;
  const auto carry_to = static_cast<uint64_t>(upper);
  const uint64_t high = carry_to + static_cast<uint64_t>(lower >> 64);
  return {static_cast<uint64_t>(upper >> 64) + uint64_t{high < carry_to}, high,
          static_cast<uint64_t>(lower)};
}

// Returns the first `count` bits of the string as a number, s0 its top bit.
// REQUIRES: 1 <= count <= 64, and count <= FreshBits(homes)
inline uint64_t FirstBits(const Placed& placed, int count) {
  assert(count >= 1 && count <= 64);
  return placed.high >> (64 - count);
}

// Returns how many bits of the fraction of hash * homes are fresh.
inline int FreshBits(uint64_t homes) { return 128 - CeilLog2(homes); }

// Returns 128 more bits for the string of `hash`, the index-th such piece.
inline KeyHash Extend(KeyHash hash, uint64_t index) {
  return ShortXxh3(index).Hash(hash.low, hash.high);
}

// The string of one hash, readable at any place.
class HashString {
 public:
  // The string of `hash` in a table that was created with `first_homes` homes
  // and has doubled `doublings` times since.
  HashString(KeyHash hash, uint64_t first_homes, int doublings = 0)
      : hash_(hash),
        placed_(Place(hash, first_homes)),
        fresh_(static_cast<unsigned>(FreshBits(first_homes))),
        skip_(static_cast<unsigned>(doublings)) {}

  // Returns bits [begin, begin + count) as a number, the first the top bit.
  // REQUIRES: count <= 64
  uint64_t Bits(uint64_t begin, int count) const {
    assert(count >= 0 && count <= 64);
    if (count == 0) return 0;
    begin += skip_;
    if (begin + static_cast<unsigned>(count) <= fresh_) {
      return Window({placed_.high, placed_.low}, static_cast<int>(begin),
                    count);
    }
    return BitsBeyondFraction(begin, count);
  }

 private:
  // Returns bits [begin, begin + count) of the 128 in `bits`.
  static uint64_t Window(KeyHash bits, int begin, int count) {
    const Uint128 all = (static_cast<Uint128>(bits.high) << 64) | bits.low;
    return static_cast<uint64_t>((all << begin) >> (128 - count));
  }
  uint64_t BitsBeyondFraction(uint64_t begin, int count) const;

  KeyHash hash_;
  Placed placed_;
  unsigned fresh_;
  unsigned skip_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_HASH_HASH_STRING_H_
