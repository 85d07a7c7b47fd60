// Draws: the bit positions of a key inside a word, from its hash alone.
//
// The library's one idea, used again and again: a number in [0, 1) times the
// number of words is the word and a fraction; the fraction times the number of
// bits of the word is a position and a fraction; and so on.
//
//   hash * words  =  home . f          word `home`
//      f * 62     =  p0 . f'           its first position
//      f' * 62    =  p1 . f''          its second, ...
//
// So any number of bits will do, not only powers of two: an adaptive filter
// has w - s of them.  Each draw uses up log2(range) of the 64 bits at hand, and
// what is left is dropped while at least 8 more are there than a draw needs:
// no position is then favoured by more than 1 in 256.
//
// A key needs several *streams* of 64 bits: one for each set of an adaptive
// filter, and another one when the draws are many.  Stream 0 is the fraction
// itself; the others are the fraction's 128 bits folded by a multiplication
// under constants of their own, which costs less than waiting for the cache.
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
  const Uint128 product = static_cast<Uint128>(high ^ (id * kOdd1)) *
                          (low ^ ((id + 1) * kOdd2));
  return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
}

inline uint64_t Stream(const Placed& placed, unsigned id) {
  return id == 0 ? placed.high : Fold(placed.high, placed.low, id);
}

// Returns the index-th hash of a key that lives in several words; the first
// is `hash` itself.
inline KeyHash Companion(KeyHash hash, unsigned index) {
  if (index == 0) return hash;
  return {Fold(hash.high, hash.low, 2 * index),
          Fold(hash.high, hash.low, 2 * index + 1)};
}

// Returns the integer part of bits * range, and leaves the fraction in `bits`.
inline unsigned Draw(uint64_t& bits, unsigned range) {
  const Uint128 product = static_cast<Uint128>(bits) * range;
  bits = static_cast<uint64_t>(product);
  return static_cast<unsigned>(product >> 64);
}

// A word of w bits: 64, 128, 256 or 512.  The lower usable_bits of them are
// the filter's; the bits above are a selector.
struct WordShape {
  unsigned word_bits = 64;
  unsigned usable_bits = 64;
  int draws_per_stream = 9;

  WordShape() = default;
  // REQUIRES: selector_bits < word_bits
  WordShape(unsigned bits, unsigned selector_bits)
      : word_bits(bits),
        usable_bits(bits - selector_bits),
        draws_per_stream(56 / CeilLog2(bits)) {
    assert(selector_bits < bits);
  }

  unsigned word_bytes() const { return word_bits / 8; }
  unsigned lanes() const { return word_bits / 64; }
  unsigned selector_bits() const { return word_bits - usable_bits; }
};
static_assert(kLineBits % 512 == 0, "the widest word is no wider than a line");

// Streams that continue stream `id` are id + kNextStream, id + 2 kNextStream...
inline constexpr unsigned kNextStream = 16;

// Calls visit(position) for `count` positions below usable_bits.
template <typename Visit>
inline void ForEachPosition(const Placed& placed, unsigned stream, int count,
                            const WordShape& shape, Visit visit) {
  for (;;) {
    uint64_t bits = Stream(placed, stream);
    const int draws = std::min(count, shape.draws_per_stream);
    for (int i = 0; i < draws; ++i) visit(Draw(bits, shape.usable_bits));
    count -= draws;
    if (count == 0) return;
    stream += kNextStream;
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_DRAWS_H_
