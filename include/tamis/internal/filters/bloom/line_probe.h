// LineProbe: one bit in each of the eight lanes of a cache line.
//
// The positions are eight fields of six bits, cut from the top of 64 bits of
// a key's string:
//
//   string   s0..s5  s6..s11  s12..s17  ...  s42..s47  s48..s63 unused
//   lane        0       1        2      ...     7
//
// The vector form shifts four copies of the string by 58, 52, 46, 40 (then by
// 34 to 16), masks six bits, and shifts a 1 by them: a mask of four lanes in
// three instructions.  A line holds the key if no bit of the mask is missing.
//
// Thread safety: pure functions, and one writer for SetLine.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_LINE_PROBE_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_LINE_PROBE_H_

#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr int kLineLanes = 8;
static_assert(kLineLanes * 64 == kLineBits, "a lane is one 64-bit word");

// Returns the one bit that a key with this string has in `lane`.
inline uint64_t LaneBit(uint64_t string, int lane) {
  return uint64_t{1} << ((string >> (58 - 6 * lane)) & 63);
}

// Returns whether all eight bits are set.  REQUIRES: `line` starts a line
inline bool TestLinePortable(const std::byte* line, uint64_t string) {
  uint64_t missing = 0;
  for (int lane = 0; lane < kLineLanes; ++lane) {
    missing |= LaneBit(string, lane) & ~LoadWord(line + 8 * lane);
  }
  return missing == 0;
}

inline void SetLinePortable(std::byte* line, uint64_t string) {
  for (int lane = 0; lane < kLineLanes; ++lane) {
    std::byte* bytes = line + 8 * lane;
    StoreWord(bytes, LoadWord(bytes) | LaneBit(string, lane));
  }
}

#ifdef TAMIS_HAS_AVX2
// The bits of a key: lanes 0 to 3, and 4 to 7.
struct LineMask {
  __m256i low;
  __m256i high;
};
inline LineMask MaskOf(uint64_t string) {
  const __m256i ones = _mm256_set1_epi64x(1);
  const __m256i sixes = _mm256_set1_epi64x(63);
  const __m256i copies = _mm256_set1_epi64x(static_cast<int64_t>(string));
  const __m256i low_fields =
      _mm256_srlv_epi64(copies, _mm256_setr_epi64x(58, 52, 46, 40));
  const __m256i high_fields =
      _mm256_srlv_epi64(copies, _mm256_setr_epi64x(34, 28, 22, 16));
  return {_mm256_sllv_epi64(ones, _mm256_and_si256(low_fields, sixes)),
          _mm256_sllv_epi64(ones, _mm256_and_si256(high_fields, sixes))};
}

inline bool TestLine(const std::byte* line, uint64_t string) {
  const LineMask mask = MaskOf(string);
  const auto* lanes = reinterpret_cast<const __m256i*>(line);
  const __m256i missing = _mm256_or_si256(
      _mm256_andnot_si256(_mm256_load_si256(lanes), mask.low),
      _mm256_andnot_si256(_mm256_load_si256(lanes + 1), mask.high));
  return _mm256_testz_si256(missing, missing) != 0;
}
inline void SetLine(std::byte* line, uint64_t string) {
  const LineMask mask = MaskOf(string);
  auto* lanes = reinterpret_cast<__m256i*>(line);
  _mm256_store_si256(lanes,
                     _mm256_or_si256(_mm256_load_si256(lanes), mask.low));
  _mm256_store_si256(lanes + 1,
                     _mm256_or_si256(_mm256_load_si256(lanes + 1), mask.high));
}
#else
inline void SetLine(std::byte* line, uint64_t string) {
  SetLinePortable(line, string);
}
inline bool TestLine(const std::byte* line, uint64_t string) {
  return TestLinePortable(line, string);
}
#endif

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_LINE_PROBE_H_
