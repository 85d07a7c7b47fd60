// MatchPacked: which of the packed slots of a line equal a value, all at once.
//
// Slots of w bits end where the line ends.  Eight of them are w bytes, so that
// groups of eight, counted from the end, all look alike:
//
//   w = 10      byte  0 ....         44         54         64
//               | ... |  group 2  |  group 1  |  group 0  |
//
//   in a group  byte   0       1       2       3       4       5  ...
//               bit    0       8       16      24      32      40
//               slot   |000000000011111111112222222222333333333344...
//
// A slot that lies in two adjacent bytes becomes a 16-bit lane: a byte shuffle
// brings its bytes there, the value is multiplied to where the slot's bits are,
// and the others are masked out.  What is shuffled, multiplied and masked is the
// same for all groups, and two groups are one vector.
//
//   lane 3      bytes 3 and 4, bits 30 to 39:  shift 6, mask 0xffc0
//
// That works for w = 2 to 10 and 12.  A slot of another width can be spread over
// three bytes.

#ifndef TAMIS_INTERNAL_BITS_PACKED_MATCH_H_
#define TAMIS_INTERNAL_BITS_PACKED_MATCH_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// How the slots of one width are compared.
struct PackedPlan {
  // Sixteen slots, the first eight in the lower half of the vector.
  struct Vector {
    alignas(32) std::array<uint8_t, 32> shuffle{};
    std::array<int, 2> load{};  // the byte of the line where each half begins
  };

  size_t vectors = 0;
  size_t missing = 0;  // slots of the first vector that a line does not have
  std::array<Vector, 4> vector{};
  // Of each lane: 1 in the lowest bit of the slot, 1s in all of its bits.
  alignas(32) std::array<uint16_t, 16> unit{};
  alignas(32) std::array<uint16_t, 16> mask{};
};

// Says how to load a group of eight slots that begins at byte `begin`, which is
// before the line if the line does not have all of them.
constexpr void PlanHalf(int width, int begin, size_t half,
                        PackedPlan::Vector& vector) {
  const int load = std::max(0, begin + width - 16);
  vector.load[half] = load;
  for (int byte = 0; byte < 16; ++byte) {
    const int from = begin - load + (byte / 2) * width / 8 + byte % 2;
    const bool is_there = from >= 0 && from < 16;
    vector.shuffle[16 * half + static_cast<size_t>(byte)] =
        is_there ? static_cast<uint8_t>(from) : 0x80;  // which gives 0
  }
}

// REQUIRES: IsPacked(width), slots <= 64, slots * width <= 512
constexpr PackedPlan MakePackedPlan(int width, int slots) {
  PackedPlan plan;
  plan.vectors = static_cast<size_t>(slots + 15) / 16;
  plan.missing = 16 * plan.vectors - static_cast<size_t>(slots);
  for (size_t lane = 0; lane < 16; ++lane) {
    const int shift = static_cast<int>(lane % 8) * width % 8;
    assert(shift + width <= 16);
    plan.unit[lane] = static_cast<uint16_t>(1 << shift);
    plan.mask[lane] = static_cast<uint16_t>(((1 << width) - 1) << shift);
  }
  int begin = kLineBytes - 2 * static_cast<int>(plan.vectors) * width;
  for (PackedPlan::Vector& vector :
       std::span(plan.vector).first(plan.vectors)) {
    PlanHalf(width, begin, 0, vector);
    PlanHalf(width, begin + width, 1, vector);
    begin += 2 * width;
  }
  return plan;
}

#ifdef TAMIS_HAS_AVX2
// Can slots of this width be compared so?
constexpr bool IsPacked(int width) {
  return width >= 2 && (width <= 10 || width == 12);
}

template <typename Array>
inline __m256i LoadVector(const Array& array) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(array.data()));
}
inline __m128i LoadHalfVector(const std::byte* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// Returns a word whose bit i says whether slot i of the line equals `value`.
// REQUIRES: value < 2^kWidth
template <int kWidth, int kSlots>
inline uint64_t MatchPacked(const std::byte* line, uint64_t value) {
  static constexpr PackedPlan kPlan = MakePackedPlan(kWidth, kSlots);
  const __m256i wanted = _mm256_mullo_epi16(
      _mm256_set1_epi16(static_cast<short>(value)), LoadVector(kPlan.unit));
  uint64_t equal = 0;
  for (size_t i = 0; i < kPlan.vectors; ++i) {
    const PackedPlan::Vector& vector = kPlan.vector[i];
    const __m256i bytes =
        _mm256_set_m128i(LoadHalfVector(line + vector.load[1]),
                         LoadHalfVector(line + vector.load[0]));
    const __m256i lanes =
        _mm256_and_si256(_mm256_shuffle_epi8(bytes, LoadVector(vector.shuffle)),
                         LoadVector(kPlan.mask));
    const auto same = static_cast<uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi16(lanes, wanted)));
    equal |= uint64_t{_pext_u32(same, 0x55555555)} << (16 * i);
  }
  return equal >> kPlan.missing;
}
#else
constexpr bool IsPacked(int /*width*/) { return false; }
#endif

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_PACKED_MATCH_H_
