// EightLanes: eight numbers of equal width, four others compared with all of
// them at once.
//
//   eight           h  g  f  e  d  c  b  a         16 bits each, two words
//   four            z  y  x  w                     one word
//   AnyEqual        .  1  .  .                     y is one of the eight
//
// A TAF query has eight windows, one per selector, and a run seldom more than
// four slots.

#ifndef TAMIS_INTERNAL_BITS_EIGHT_LANES_H_
#define TAMIS_INTERNAL_BITS_EIGHT_LANES_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/lanes.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr uint64_t kQuarterOnes = 0x0001000100010001;

// Returns the last four fields of `width` bits of `bits`, 16 bits for each.
// REQUIRES: 1 <= width <= 16
constexpr uint64_t SpreadFourPortable(uint64_t bits, int width) {
  assert(width >= 1 && width <= 16);
  const uint64_t mask = LowBits(static_cast<unsigned>(width));
  return (bits & mask) | ((bits >> width & mask) << 16) |
         ((bits >> (2 * width) & mask) << 32) |
         ((bits >> (3 * width) & mask) << 48);
}
inline uint64_t SpreadFour(uint64_t bits, int width) {
#ifdef TAMIS_HAS_BMI2
  return _pdep_u64(bits, LowBits(static_cast<unsigned>(width)) * kQuarterOnes);
#else
  return SpreadFourPortable(bits, width);
#endif
}

// Returns the lanes that are not 0, a bit for each.
constexpr uint64_t NonzeroQuarters(uint64_t four) {
  const uint64_t ones = kQuarterOnes ^ EqualLanes(four, kQuarterOnes, 16, 0);
  return (ones | ones >> 15 | ones >> 30 | ones >> 45) & 15;
}
static_assert(NonzeroQuarters(0x8000'0000'0001'0000) == 0b1010);

struct EightLanes {
  uint64_t first_four;
  uint64_t last_four;

  // Returns a word that has ones in each lane of `four` that equals one of the
  // eight, and in no other.
  uint64_t AnyEqualPortable(uint64_t four) const {
    uint64_t equal = 0;
    for (int lane = 0; lane < 64; lane += 16) {
      const uint64_t value = four >> lane & 0xffff;
      const uint64_t same = EqualLanes(first_four, kQuarterOnes, 16, value) |
                            EqualLanes(last_four, kQuarterOnes, 16, value);
      equal |= uint64_t{same != 0} << lane;
    }
    return equal;
  }
  uint64_t AnyEqual(uint64_t four) const {
#ifdef TAMIS_HAS_AVX2
    const auto first = static_cast<int64_t>(first_four);
    const auto last = static_cast<int64_t>(last_four);
    const __m256i eight = _mm256_set_epi64x(last, first, last, first);
    const __m256i lanes = _mm256_set1_epi64x(static_cast<int64_t>(four));
    // Eight copies of each: the first two in one vector, the others in another.
    const __m256i low_copies =
        _mm256_setr_epi64x(0x0100010001000100, 0x0100010001000100,
                           0x0302030203020302, 0x0302030203020302);
    const __m256i high_copies =
        _mm256_setr_epi64x(0x0504050405040504, 0x0504050405040504,
                           0x0706070607060706, 0x0706070607060706);
    const __m256i low =
        _mm256_cmpeq_epi16(eight, _mm256_shuffle_epi8(lanes, low_copies));
    const __m256i high =
        _mm256_cmpeq_epi16(eight, _mm256_shuffle_epi8(lanes, high_copies));
    const auto low_bits = static_cast<uint32_t>(_mm256_movemask_epi8(low));
    const auto high_bits = static_cast<uint32_t>(_mm256_movemask_epi8(high));
    return low_bits | (uint64_t{high_bits} << 32);
#else
    return AnyEqualPortable(four);
#endif
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_EIGHT_LANES_H_
