// GreaterBytes: which bytes of a line are greater than a value?
//
// Runs are sorted, so the first slot of a run that is greater than a new entry is
// where that belongs.  All slots are compared at once: which of them are of the
// run is known by then, and a loop over it would be as long as nobody can
// predict.

#ifndef TAMIS_BITS_GREATER_BYTES_H_
#define TAMIS_BITS_GREATER_BYTES_H_

#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Returns a word whose bit i says whether byte i of the line is greater than
// `value`.
inline uint64_t GreaterBytesPortable(const std::byte* line, uint8_t value) {
  uint64_t greater = 0;
  for (int i = 0; i < kLineBytes; ++i) {
    greater |= uint64_t{std::to_integer<uint8_t>(line[i]) > value} << i;
  }
  return greater;
}

inline uint64_t GreaterBytes(const std::byte* line, uint8_t value) {
#ifdef TAMIS_HAS_AVX2
  // Bytes compare as signed numbers only: a byte is not greater if it is the
  // lesser of the two.
  const HalfLines halves = LoadHalves(line);
  const __m256i all = _mm256_set1_epi8(static_cast<char>(value));
  return ~BytesSet(
      {_mm256_cmpeq_epi8(_mm256_min_epu8(halves.lower, all), halves.lower),
       _mm256_cmpeq_epi8(_mm256_min_epu8(halves.upper, all), halves.upper)});
#else
  return GreaterBytesPortable(line, value);
#endif
}

}  // namespace tamis::internal

#endif  // TAMIS_BITS_GREATER_BYTES_H_
