#include "tamis/internal/table/line_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "tamis/internal/table/match_eight.h"
#include "tamis/internal/table/match_few.h"

namespace tamis::internal {
namespace {

// A line with nothing but itself around it: a read outside is seen by asan.
struct alignas(64) Line {
  std::array<std::byte, kLineBytes> bytes;
};

Line RandomLine(std::mt19937_64& random) {
  Line line;
  for (std::byte& byte : line.bytes) byte = static_cast<std::byte>(random());
  return line;
}

// Returns a run of slots, or any slots, or none.
uint64_t SomeSlots(std::mt19937_64& random, int slots) {
  const uint64_t all = LowBits(static_cast<unsigned>(slots));
  const auto begin = static_cast<unsigned>(random() % 64);
  const auto length = static_cast<unsigned>(random() % 12);
  if (random() % 4 == 0) return random() & all;
  return (LowBits(length) << begin) & all;
}

// Compares MatchSlots of a shape with reading slot by slot; returns how many
// slots it found.
template <typename Shape>
int CheckMatches(const Shape& shape, std::mt19937_64& random) {
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const Line line = RandomLine(random);
    const uint64_t among = SomeSlots(random, shape.slots());
    // A value that is there as a rule, or nearly.
    const auto slot =
        static_cast<int>(random() % static_cast<unsigned>(shape.slots()));
    const uint64_t value =
        shape.ReadSlot(line.bytes.data(), slot) ^ (random() % 8 == 0 ? 1 : 0);
    const uint64_t matches = shape.MatchSlots(line.bytes.data(), among, value);
    EXPECT_EQ(matches,
              shape.MatchSlotsPortable(line.bytes.data(), among, value))
        << "width " << shape.width() << ", slots " << among;
    found += std::popcount(matches);
  }
  return found;
}

TEST(LineShape, MatchesAreThoseOfTheSlotsReadOneByOne) {
  std::mt19937_64 random(1);
  for (int width = kMinSlotBits; width <= kMaxSlotBits; ++width) {
    EXPECT_GT(CheckMatches(LineShape<0>(width), random), 50) << width;
  }
  EXPECT_GT(CheckMatches(LineShape<2>(2), random), 50);
  EXPECT_GT(CheckMatches(LineShape<3>(3), random), 50);
  EXPECT_GT(CheckMatches(LineShape<4>(4), random), 50);
  EXPECT_GT(CheckMatches(LineShape<5>(5), random), 50);
  EXPECT_GT(CheckMatches(LineShape<6>(6), random), 50);
  EXPECT_GT(CheckMatches(LineShape<7>(7), random), 50);
  EXPECT_GT(CheckMatches(LineShape<9>(9), random), 50);
  EXPECT_GT(CheckMatches(LineShape<10>(10), random), 50);
  EXPECT_GT(CheckMatches(LineShape<11>(11), random), 50);
  EXPECT_GT(CheckMatches(LineShape<12>(12), random), 50);
  EXPECT_GT(CheckMatches(LineShape<13>(13), random), 50);
  EXPECT_GT(CheckMatches(LineShape<14>(14), random), 50);
  EXPECT_GT(CheckMatches(LineShape<15>(15), random), 50);
  EXPECT_GT(CheckMatches(LineShape<8>(8), random), 50);
  EXPECT_GT(CheckMatches(LineShape<16>(16), random), 50);
}

// Compares MatchSlotsOfEight of a shape with MatchSlots of each value.
template <typename Shape>
int CheckMatchesOfEight(const Shape& shape, std::mt19937_64& random) {
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Line line = RandomLine(random);
    const uint64_t among = SomeSlots(random, shape.slots());
    EightLanes values = {0, 0};
    uint64_t expected = 0;
    for (int lane = 0; lane < 64; lane += 16) {
      for (uint64_t* four : {&values.first_four, &values.last_four}) {
        const auto slot =
            static_cast<int>(random() % static_cast<unsigned>(shape.slots()));
        const uint64_t value = shape.ReadSlot(line.bytes.data(), slot);
        *four |= value << lane;
        expected |= shape.MatchSlotsPortable(line.bytes.data(), among, value);
      }
    }
    EXPECT_EQ(MatchSlotsOfEight(shape, line.bytes.data(), among, values),
              expected)
        << "width " << shape.width() << ", slots " << among;
    found += std::popcount(expected);
  }
  return found;
}

TEST(LineShape, MatchesOfEightAreThoseOfEach) {
  std::mt19937_64 random(2);
  for (int width = kMinSlotBits; width <= kMaxBitsOfFour; ++width) {
    EXPECT_GT(CheckMatchesOfEight(LineShape<0>(width), random), 50) << width;
  }
  EXPECT_GT(CheckMatchesOfEight(LineShape<4>(4), random), 50);
  EXPECT_GT(CheckMatchesOfEight(LineShape<10>(10), random), 50);
  EXPECT_GT(CheckMatchesOfEight(LineShape<12>(12), random), 50);
}

// Compares MatchLineOfFew of a shape with MatchSlots of each value.
template <int kWidth>
int CheckMatchesOfFew(std::mt19937_64& random) {
  const LineShape<kWidth> shape(kWidth);
  int found = 0;
  if constexpr (LineShape<kWidth>::kFastMatch) {
    const uint64_t all = LowBits(static_cast<unsigned>(shape.slots()));
    for (int i = 0; i < 1000; ++i) {
      const Line line = RandomLine(random);
      std::array<uint64_t, 3> values;
      uint64_t expected = 0;
      for (uint64_t& value : values) {
        const auto slot =
            static_cast<int>(random() % static_cast<unsigned>(shape.slots()));
        value = shape.ReadSlot(line.bytes.data(), slot);
        expected |= shape.MatchSlotsPortable(line.bytes.data(), all, value);
      }
      EXPECT_EQ(MatchLineOfFew(shape, line.bytes.data(), values) & all,
                expected)
          << "width " << kWidth;
      found += std::popcount(expected);
    }
  } else {
    found = 1000;
  }
  return found;
}

TEST(LineShape, MatchesOfFewAreThoseOfEach) {
  std::mt19937_64 random(4);
  EXPECT_GE(CheckMatchesOfFew<4>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<8>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<9>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<10>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<11>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<12>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<15>(random), 1000);
  EXPECT_GE(CheckMatchesOfFew<16>(random), 1000);
}

TEST(LineShape, NoSlotEndsInTheFirstWord) {
  for (int width = kMinSlotBits; width <= kMaxSlotBits; ++width) {
    const LineShape<0> shape(width);
    EXPECT_GE(shape.first_slot_bit() + width, 64) << width;
    EXPECT_LE(shape.HeaderBits(), shape.first_slot_bit()) << width;
  }
}

}  // namespace
}  // namespace tamis::internal
