// PrefixEqual: where have two words had equally many set bits so far?
//
// In a line of a quotient table every run is opened by an `occupied` bit and
// closed by a `run_end` bit.  A slot at which as many runs have been closed as
// opened is free, so all free slots of a line come from one call, where the
// usual way, jumping from the end of one run to the end of the next, takes a
// rank and a select for every few slots.
//
//   a       . 1 . 1 1 . . .      bit 0 on the left
//   b       . . . 1 . 1 1 .
//   counts  0 1 1 2 3 3 3 3      set bits of a up to here, inclusive
//           0 0 0 1 1 2 3 3      of b
//   equal   1 . . . . . 1 1

#ifndef TAMIS_BITS_PREFIX_EQUAL_H_
#define TAMIS_BITS_PREFIX_EQUAL_H_

#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Returns a word whose bit i is set iff a and b have equally many set bits
// among their bits 0 to i.
constexpr uint64_t PrefixEqualPortable(uint64_t a, uint64_t b) {
  uint64_t equal = 0;
  int balance = 0;
  for (int i = 0; i < 64; ++i) {
    balance += static_cast<int>((a >> i) & 1) - static_cast<int>((b >> i) & 1);
    equal |= uint64_t{balance == 0} << i;
  }
  return equal;
}

#ifdef TAMIS_HAS_AVX2
// Spreads the 16 nibbles of `word` over 16 bytes, the lowest first.
inline __m128i Nibbles(uint64_t word) {
  constexpr uint64_t kLowNibbles = 0x0f0f0f0f0f0f0f0f;
  const __m128i low =
      _mm_cvtsi64_si128(static_cast<long long>(word & kLowNibbles));
  const __m128i high =
      _mm_cvtsi64_si128(static_cast<long long>((word >> 4) & kLowNibbles));
  return _mm_unpacklo_epi8(low, high);
}

// One byte per nibble of the words.  Table j holds, for a nibble, how many of
// its bits 0 to j are set, so pshufb gives the balance inside each nibble at
// its four bits; a prefix sum of the nibbles' totals gives the balance before
// each nibble.  Where the two add up to 0 the counts are equal.  The four byte
// masks are those of bits 0, 4, 8, ..., of bits 1, 5, 9, ..., and so on.
inline uint64_t PrefixEqualAvx2(uint64_t a, uint64_t b) {
  const __m128i count0 =
      _mm_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
  const __m128i count1 =
      _mm_setr_epi8(0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1, 2);
  const __m128i count2 =
      _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 0, 1, 1, 2, 1, 2, 2, 3);
  const __m128i count3 =
      _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m128i na = Nibbles(a);
  const __m128i nb = Nibbles(b);
  const auto balance = [&](__m128i counts) {
    return _mm_sub_epi8(_mm_shuffle_epi8(counts, na),
                        _mm_shuffle_epi8(counts, nb));
  };
  const __m128i totals = balance(count3);
  __m128i sum = _mm_add_epi8(totals, _mm_slli_si128(totals, 1));
  sum = _mm_add_epi8(sum, _mm_slli_si128(sum, 2));
  sum = _mm_add_epi8(sum, _mm_slli_si128(sum, 4));
  sum = _mm_add_epi8(sum, _mm_slli_si128(sum, 8));
  // Equal to 0 together with what came before <=> equal to its negative.
  const __m128i before =
      _mm_sub_epi8(_mm_setzero_si128(), _mm_slli_si128(sum, 1));
  const auto mask = [&](__m128i inside) {
    return static_cast<uint64_t>(static_cast<uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(inside, before))));
  };
  constexpr uint64_t kEveryFourth = 0x1111111111111111;
  return _pdep_u64(mask(balance(count0)), kEveryFourth) |
         _pdep_u64(mask(balance(count1)), kEveryFourth << 1) |
         _pdep_u64(mask(balance(count2)), kEveryFourth << 2) |
         _pdep_u64(mask(totals), kEveryFourth << 3);
}
#endif

inline uint64_t PrefixEqual(uint64_t a, uint64_t b) {
#ifdef TAMIS_HAS_AVX2
  return PrefixEqualAvx2(a, b);
#else
  return PrefixEqualPortable(a, b);
#endif
}

}  // namespace tamis::internal

#endif  // TAMIS_BITS_PREFIX_EQUAL_H_
