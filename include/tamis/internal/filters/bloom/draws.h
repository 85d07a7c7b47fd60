// Draws: the bit positions of a key inside a word, from its hash alone.
//
// The hash times the number of words is the word and a fraction.  The fraction
// is cut into fields of 16 bits, and each field, again read as a number in
// [0, 1), times the number of bits of the word is a position:
//
//   hash * words  =  home . f0 f1 f2 f3 ...     fields of 16 bits
//                           position i = f_i * 62 >> 16
//
// So any number of bits will do, not only powers of two: an adaptive filter
// has w - s of them.  No position is favoured by more than 1 in 128, and eight
// positions are one multiplication of a vector (word_probe.h).
//
// A *stream* is eight fields; a key with more draws takes another.  The first
// starts with the fraction itself; the rest is the fraction's 128 bits folded
// by a multiplication.
//
// An adaptive filter has several *sets* of positions.  Set i takes the same
// fields times an odd constant of its own, modulo 2^16, so that finding them
// once the selector is read costs one more vector multiplication.  The
// constants were searched for (2026-11) so that two keys that share a position
// in one set share it in any other as often as chance would have it, within
// 5 % for every pair of sets.
//
// Tried (2026-11), in-cache look-ups at k = 6, blocked taking 2.8 ns: positions
// one after the other, each the integer part of the fraction so far times the
// range, a chain of k dependent multiplications: 10.5 ns for Bloom-1; sets
// folded apart, each by two 64-bit multiplications: ABF 1.9 times Bloom-1.
//
// Thread safety: pure functions.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_DRAWS_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_DRAWS_H_

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// Returns 64 bits that depend on all of `high`, `low` and `id`: the two halves
// of one product, folded.
inline uint64_t Fold(uint64_t high, uint64_t low, uint64_t id) {
  constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  constexpr uint64_t kOdd2 = 0xd1342543de82ef95;  // a multiplier of full period
  const Uint128 product =
      static_cast<Uint128>(high ^ (id * kOdd1)) * (low ^ ((id + 1) * kOdd2));
  return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
}

// Eight fields of 16 bits, from the lowest of `first` to the highest of
// `second`.
struct DrawBits {
  uint64_t first;
  uint64_t second;

  unsigned Field(int index) const {
    const uint64_t half = index < 4 ? first : second;
    return static_cast<unsigned>(half >> (index % 4 * 16)) & 0xffff;
  }
};
inline constexpr int kDrawsPerStream = 8;

// Returns the index-th stream of a key.
inline DrawBits Stream(const Placed& placed, unsigned index) {
  const uint64_t first =
      index == 0 ? placed.high : Fold(placed.high, placed.low, 2 * index);
  return {first, Fold(placed.high, placed.low, 2 * index + 1)};
}

inline constexpr unsigned kMaxSets = 8;
inline constexpr uint16_t kSetFactors[kMaxSets] = {
    0x0001, 0xb0f1, 0x4359, 0xb627, 0x2e81, 0x0f13, 0xa033, 0x8511};

// Returns the index-th hash of a key that lives in several words; the first
// is `hash` itself.
inline KeyHash Companion(KeyHash hash, unsigned index) {
  if (index == 0) return hash;
  constexpr uint64_t kCompanions = 1 << 20;  // ids that no stream has
  return {Fold(hash.high, hash.low, kCompanions + 2 * index),
          Fold(hash.high, hash.low, kCompanions + 2 * index + 1)};
}

// Returns the position of a field in `set`: the integer part of range times
// the number (field * factor mod 2^16) / 2^16.
inline unsigned PositionOf(unsigned field, unsigned set, unsigned range) {
  return (field * kSetFactors[set] & 0xffff) * range >> 16;
}

// A word of w bits: 64, 128, 256 or 512.  The lower usable_bits of them are
// the filter's; the bits above are a selector.
struct WordShape {
  unsigned word_bits = 64;
  unsigned usable_bits = 64;

  WordShape() = default;
  // REQUIRES: selector_bits < word_bits
  WordShape(unsigned bits, unsigned selector_bits)
      : word_bits(bits), usable_bits(bits - selector_bits) {
    assert(selector_bits < bits);
  }

  unsigned word_bytes() const { return word_bits / 8; }
  unsigned lanes() const { return word_bits / 64; }
  unsigned selector_bits() const { return word_bits - usable_bits; }
};
static_assert(kLineBits % 512 == 0, "the widest word is no wider than a line");

// Calls visit(position) for `count` positions below usable_bits.
template <typename Visit>
inline void ForEachPosition(const Placed& placed, unsigned set, int count,
                            const WordShape& shape, Visit visit) {
  for (unsigned stream = 0;; ++stream, count -= kDrawsPerStream) {
    const DrawBits bits = Stream(placed, stream);
    const int draws = std::min(count, kDrawsPerStream);
    for (int i = 0; i < draws; ++i) {
      visit(PositionOf(bits.Field(i), set, shape.usable_bits));
    }
    if (count <= kDrawsPerStream) return;
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_DRAWS_H_
