// MatchWindows: which of 8 bytes of a line equal which of 8 given bytes?
//
// A TAF query has 8 possible remainders, one per selector.  At r = 8 they are
// the bytes of one word, and so are the first 8 slots of a run: all 64
// comparisons are two vector compares.
//
//   slots      7 6 5 4 3 2 1 0         byte 0 on the right
//              . . . . . b c a
//   windows    . . . . . . a b         windows[0] = b, windows[1] = a
//   answer     byte s is the mask of the slots that equal windows[s]:
//              byte 0 = 00000100 (slot 2), byte 1 = 00000001 (slot 0)

#ifndef TAMIS_INTERNAL_BITS_MATCH_WINDOWS_H_
#define TAMIS_INTERNAL_BITS_MATCH_WINDOWS_H_

#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr uint64_t kEveryByte = 0x0101010101010101;

// Returns a word whose bit 8 s + i is set iff byte i of `slots` equals byte s
// of `windows`.
constexpr uint64_t MatchWindowsPortable(uint64_t slots, uint64_t windows) {
  uint64_t matches = 0;
  for (int s = 0; s < 8; ++s) {
    const uint64_t window = (windows >> (8 * s)) & 0xff;
    for (int i = 0; i < 8; ++i) {
      const uint64_t slot = (slots >> (8 * i)) & 0xff;
      matches |= uint64_t{slot == window} << (8 * s + i);
    }
  }
  return matches;
}

#ifdef TAMIS_HAS_AVX2
// pshufb repeats each window eight times, against the slots repeated as a
// whole; the two halves are windows 0 to 3 and 4 to 7.
inline uint64_t MatchWindowsAvx2(uint64_t slots, uint64_t windows) {
  const __m256i all_slots = _mm256_set1_epi64x(static_cast<long long>(slots));
  const __m256i all = _mm256_set1_epi64x(static_cast<long long>(windows));
  const auto repeat = [](uint64_t window) {
    return static_cast<long long>(window * kEveryByte);
  };
  const __m256i lower =
      _mm256_setr_epi64x(repeat(0), repeat(1), repeat(2), repeat(3));
  const __m256i upper =
      _mm256_setr_epi64x(repeat(4), repeat(5), repeat(6), repeat(7));
  const auto match = [&](__m256i which) {
    return static_cast<uint32_t>(_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(all_slots, _mm256_shuffle_epi8(all, which))));
  };
  return match(lower) | (static_cast<uint64_t>(match(upper)) << 32);
}
#endif

inline uint64_t MatchWindows(uint64_t slots, uint64_t windows) {
#ifdef TAMIS_HAS_AVX2
  return MatchWindowsAvx2(slots, windows);
#else
  return MatchWindowsPortable(slots, windows);
#endif
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_MATCH_WINDOWS_H_
