// WordProbe: up to eight positions of a key in a word of 64 bits, at once.
//
// The vector form multiplies eight fields by the factor of the set, then by the
// range, and keeps the upper halves, the positions; widens them to 64 bits;
// shifts a 1 by each; and asks whether a bit of these masks is missing:
//
//   fields     f0   f1   f2   f3   f4   f5   f6   f7      16 bits each
//   * factor   g0   g1   g2   g3   g4   g5   g6   g7      modulo 2^16
//   * 62 >> 16 p0   p1   p2   p3   p4   p5   p6   p7
//   1 or 0     1    1    1    1    0    0    0    0       count = 4 of them
//   shifted    1<<p0 ...                                  0 asks for nothing
//
// Thread safety: pure functions.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_WORD_PROBE_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_WORD_PROBE_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/bloom/draws.h"

namespace tamis::internal {

// Returns whether the first `count` positions of `bits` in `set`, below
// `range`, are all set in `word`.
// REQUIRES: 1 <= count <= kDrawsPerStream, range <= 64, set < kMaxSets
inline bool TestWordPortable(uint64_t word, const DrawBits& bits, unsigned set,
                             unsigned range, int count) {
  uint64_t mask = 0;
  for (int i = 0; i < count; ++i) {
    mask |= uint64_t{1} << PositionOf(bits.Field(i), set, range);
  }
  return (word & mask) == mask;
}

#ifdef TAMIS_HAS_AVX2
inline bool TestWord(uint64_t word, const DrawBits& bits, unsigned set,
                     unsigned range, int count) {
  assert(count >= 1 && count <= kDrawsPerStream && range <= 64);
  alignas(64) static constexpr uint64_t kOnesThenZeros[16] = {1, 1, 1, 1,
                                                              1, 1, 1, 1};
  const auto* ones = reinterpret_cast<const __m256i*>(kOnesThenZeros +
                                                      kDrawsPerStream - count);
  const __m128i fields = _mm_set_epi64x(static_cast<int64_t>(bits.second),
                                        static_cast<int64_t>(bits.first));
  const __m128i factor = _mm_set1_epi16(static_cast<int16_t>(kSetFactors[set]));
  const __m128i positions =
      _mm_mulhi_epu16(_mm_mullo_epi16(fields, factor),
                      _mm_set1_epi16(static_cast<int16_t>(range)));
  const __m256i low = _mm256_sllv_epi64(_mm256_loadu_si256(ones),
                                        _mm256_cvtepu16_epi64(positions));
  const __m256i high = _mm256_sllv_epi64(
      _mm256_loadu_si256(ones + 1),
      _mm256_cvtepu16_epi64(_mm_unpackhi_epi64(positions, positions)));
  const __m256i copies = _mm256_set1_epi64x(static_cast<int64_t>(word));
  const __m256i missing = _mm256_or_si256(_mm256_andnot_si256(copies, low),
                                          _mm256_andnot_si256(copies, high));
  return _mm256_testz_si256(missing, missing) != 0;
}
#else
inline bool TestWord(uint64_t word, const DrawBits& bits, unsigned set,
                     unsigned range, int count) {
  return TestWordPortable(word, bits, set, range, count);
}
#endif

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_WORD_PROBE_H_
