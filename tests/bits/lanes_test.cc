#include "tamis/internal/bits/lanes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

// Returns a value whose bits are mostly zeros or mostly ones, as they come.
uint64_t Extreme(std::mt19937_64& random) {
  switch (random() % 3) {
    case 0:
      return random() & random() & random();
    case 1:
      return random() | random() | random();
    default:
      return random();
  }
}

TEST(Lanes, OnesAreTheLowestBitsOfWholeLanes) {
  EXPECT_EQ(LaneOnes(10), 0x10040100401u);
  for (int width = 2; width <= 57; ++width) {
    const uint64_t ones = LaneOnes(width);
    ASSERT_EQ(std::popcount(ones), 57 / width);
    for (int lane = 0; lane < 57 / width; ++lane) {
      ASSERT_EQ(ones >> (lane * width) & 1, 1u) << width;
    }
  }
}

TEST(Lanes, EqualLanesAreThoseThatAreEqual) {
  std::mt19937_64 random(1);
  for (int width = 2; width <= 57; ++width) {
    const uint64_t mask = LowBits(static_cast<unsigned>(width));
    const uint64_t ones = LaneOnes(width);
    for (int i = 0; i < 2000; ++i) {
      uint64_t word = Extreme(random);
      const uint64_t value = Extreme(random) & mask;
      const int chosen = static_cast<int>(random() % 8) * width;
      if (chosen + width <= 57) {
        word = (word & ~(mask << chosen)) | (value << chosen);
      }
      uint64_t expected = 0;
      for (int bit = 0; bit + width <= 57; bit += width) {
        expected |= uint64_t{(word >> bit & mask) == value} << bit;
      }
      ASSERT_EQ(EqualLanes(word, ones, width, value), expected)
          << width << ", " << word << ", " << value;
    }
  }
}

}  // namespace
}  // namespace tamis::internal
