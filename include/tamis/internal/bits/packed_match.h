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
// A slot that lies in two adjacent bytes becomes a lane of 16 bits: a byte
// shuffle brings its bytes there, the value is shifted to where the slot's bits
// are, and the others are masked out.  What is shifted and masked is the same
// for all groups, and two groups are one vector.
//
//   lane 3      bytes 3 and 4, bits 30 to 39:  shift 6, mask 0xffc0
//
// That works for w = 2 to 10 and 12.  A slot of 11 or 13 to 15 bits can be
// spread over three bytes: its lane has 32 bits, and a vector is one group.

#ifndef TAMIS_INTERNAL_BITS_PACKED_MATCH_H_
#define TAMIS_INTERNAL_BITS_PACKED_MATCH_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// How the slots of one width are compared.
template <typename Lane>
struct PackedPlan {
  static constexpr int kHalf = 16 / sizeof(Lane);  // lanes in half a vector
  static constexpr int kLanes = 2 * kHalf;
  struct Vector {
    alignas(32) std::array<uint8_t, 32> shuffle{};
    std::array<int, 2> load{};  // the byte of the line where each half begins
  };

  size_t vectors = 0;
  size_t missing = 0;  // slots of the first vector that a line does not have
  std::array<Vector, 5> vector{};
  // Of each lane: where the slot begins in it; 1 in the lowest bit of the slot;
  // 1s in all of its bits.
  alignas(32) std::array<Lane, kLanes> shift{};
  alignas(32) std::array<Lane, kLanes> unit{};
  alignas(32) std::array<Lane, kLanes> mask{};
};

// Says how to load half a vector of slots, the first of which begins at
// `first_bit` of the line, and before the line if the line does not have all.
template <typename Lane>
constexpr void PlanHalf(int width, int first_bit, size_t half,
                        typename PackedPlan<Lane>::Vector& vector) {
  constexpr int kLaneBytes = sizeof(Lane);
  // Shifts, because a bit before the line belongs to the byte before it.
  const int load = std::clamp(first_bit >> 3, 0, kLineBytes - 16);
  vector.load[half] = load;
  for (int byte = 0; byte < 16; ++byte) {
    const int slot_bit = first_bit + byte / kLaneBytes * width;
    const int in_line = (slot_bit >> 3) + byte % kLaneBytes;
    const int from = in_line - load;
    const bool is_there =
        8 * in_line < slot_bit + width && from >= 0 && from < 16;
    vector.shuffle[16 * half + static_cast<size_t>(byte)] =
        is_there ? static_cast<uint8_t>(from) : 0x80;  // which gives 0
  }
}

// REQUIRES: slots <= 64, slots * width <= 512, and every slot fits a lane
template <typename Lane>
constexpr PackedPlan<Lane> MakePackedPlan(int width, int slots) {
  using Plan = PackedPlan<Lane>;
  Plan plan;
  const int vectors = (slots + Plan::kLanes - 1) / Plan::kLanes;
  plan.vectors = static_cast<size_t>(vectors);
  plan.missing = static_cast<size_t>(Plan::kLanes * vectors - slots);
  for (size_t lane = 0; lane < Plan::kLanes; ++lane) {
    const int shift = static_cast<int>(lane) * width % 8;
    assert(shift + width <= 8 * static_cast<int>(sizeof(Lane)));
    plan.shift[lane] = static_cast<Lane>(shift);
    plan.unit[lane] = static_cast<Lane>(1 << shift);
    plan.mask[lane] = static_cast<Lane>(((1 << width) - 1) << shift);
  }
  int first_bit = kLineBits - Plan::kLanes * vectors * width;
  for (auto& vector : std::span(plan.vector).first(plan.vectors)) {
    PlanHalf<Lane>(width, first_bit, 0, vector);
    PlanHalf<Lane>(width, first_bit + Plan::kHalf * width, 1, vector);
    first_bit += Plan::kLanes * width;
  }
  return plan;
}

#ifdef TAMIS_HAS_AVX2
// Can slots of this width be compared so?
constexpr bool IsPacked(int width) { return width >= 2 && width <= 15; }
constexpr bool FitsTwoBytes(int width) { return width <= 10 || width == 12; }

template <typename Array>
inline __m256i LoadVector(const Array& array) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(array.data()));
}
inline __m128i LoadHalfVector(const std::byte* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

// The two sizes of lanes: the value at the place of each lane's slot, ones in
// each lane that is equal, and a bit for each lane of ones.
inline __m256i ShiftToSlots(const PackedPlan<uint16_t>& plan, uint64_t value) {
  return _mm256_mullo_epi16(_mm256_set1_epi16(static_cast<short>(value)),
                            LoadVector(plan.unit));
}
inline __m256i ShiftToSlots(const PackedPlan<uint32_t>& plan, uint64_t value) {
  return _mm256_sllv_epi32(_mm256_set1_epi32(static_cast<int>(value)),
                           LoadVector(plan.shift));
}
inline __m256i EqualLanes(const PackedPlan<uint16_t>& /*plan*/, __m256i a,
                          __m256i b) {
  return _mm256_cmpeq_epi16(a, b);
}
inline __m256i EqualLanes(const PackedPlan<uint32_t>& /*plan*/, __m256i a,
                          __m256i b) {
  return _mm256_cmpeq_epi32(a, b);
}
inline uint64_t LaneBits(const PackedPlan<uint16_t>& /*plan*/, __m256i lanes) {
  return _pext_u32(static_cast<uint32_t>(_mm256_movemask_epi8(lanes)),
                   0x55555555);
}
inline uint64_t LaneBits(const PackedPlan<uint32_t>& /*plan*/, __m256i lanes) {
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
}

// Returns a word whose bit i says whether slot i of the line equals one of
// `values`.
// REQUIRES: each of them < 2^kWidth
template <int kWidth, int kSlots, size_t kValues>
inline uint64_t MatchPackedAny(const std::byte* line,
                               const std::array<uint64_t, kValues>& values) {
  using Lane = std::conditional_t<FitsTwoBytes(kWidth), uint16_t, uint32_t>;
  using Plan = PackedPlan<Lane>;
  static constexpr Plan kPlan = MakePackedPlan<Lane>(kWidth, kSlots);
  uint64_t equal = 0;
  for (size_t i = 0; i < kPlan.vectors; ++i) {
    const typename Plan::Vector& vector = kPlan.vector[i];
    const __m256i bytes =
        _mm256_set_m128i(LoadHalfVector(line + vector.load[1]),
                         LoadHalfVector(line + vector.load[0]));
    const __m256i lanes =
        _mm256_and_si256(_mm256_shuffle_epi8(bytes, LoadVector(vector.shuffle)),
                         LoadVector(kPlan.mask));
    __m256i any = EqualLanes(kPlan, lanes, ShiftToSlots(kPlan, values[0]));
    for (size_t j = 1; j < kValues; ++j) {
      any = _mm256_or_si256(
          any, EqualLanes(kPlan, lanes, ShiftToSlots(kPlan, values[j])));
    }
    equal |= LaneBits(kPlan, any) << (Plan::kLanes * i);
  }
  return equal >> kPlan.missing;
}
// Returns a word whose bit i says whether slot i of the line equals `value`.
template <int kWidth, int kSlots>
inline uint64_t MatchPacked(const std::byte* line, uint64_t value) {
  return MatchPackedAny<kWidth, kSlots>(line, std::array{value});
}
#else
constexpr bool IsPacked(int /*width*/) { return false; }
#endif

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_PACKED_MATCH_H_
