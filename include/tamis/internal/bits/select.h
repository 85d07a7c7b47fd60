// Select: where is the k-th set bit of a word?
//
// Rank (how many set bits up to here?) is a popcount of masked bits; select is
// its inverse, and together they find every run of a quotient table.
//
//   word  0 1 1 0 1 0 0 0      bit 7 on the left
//   k = 0         ^            bit 3
//   k = 1     ^                bit 5, and SelectBit(word, 1) == 1 << 5

#ifndef TAMIS_INTERNAL_BITS_SELECT_H_
#define TAMIS_INTERNAL_BITS_SELECT_H_

#include <bit>
#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Returns the k-th set bit of `word` (k counts from 0), alone in a word, or 0
// if there are not so many.  Halves the word six times: if the lower half has
// too few set bits, the answer is in the upper one.
constexpr uint64_t SelectBitPortable(uint64_t word, unsigned k) {
  if (k >= static_cast<unsigned>(std::popcount(word))) return 0;
  unsigned at = 0;
  for (unsigned half = 32; half > 0; half /= 2) {
    const uint64_t lower = (word >> at) & LowBits(half);
    const auto count = static_cast<unsigned>(std::popcount(lower));
    if (k >= count) {
      k -= count;
      at += half;
    }
  }
  return uint64_t{1} << at;
}

#ifdef TAMIS_HAS_BMI2
// pdep hands out the bits of its first argument to the places of the set bits
// of the second: a lone bit k lands on the k-th set bit.
inline uint64_t SelectBitBmi2(uint64_t word, unsigned k) {
  return k < 64 ? _pdep_u64(uint64_t{1} << k, word) : 0;
}
#endif

// The same, by the fastest way that this build has.
inline uint64_t SelectBit(uint64_t word, unsigned k) {
#ifdef TAMIS_HAS_BMI2
  return SelectBitBmi2(word, k);
#else
  return SelectBitPortable(word, k);
#endif
}

// Returns the index of the k-th set bit, or 64 if there are not so many.
inline int Select(uint64_t word, unsigned k) {
  return std::countr_zero(SelectBit(word, k));
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_SELECT_H_
