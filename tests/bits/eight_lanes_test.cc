#include "tamis/internal/bits/eight_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

uint64_t Lane(uint64_t four, size_t i) { return four >> (16 * i) & 0xffff; }

TEST(EightLanes, FieldsAreSpreadInTheirOrder) {
  EXPECT_EQ(SpreadFour(0xdcba, 4), 0x000d'000c'000b'000au);
  EXPECT_EQ(SpreadFour(0b1010, 1), 0x0001'0000'0001'0000u);
  std::mt19937_64 random(1);
  for (int width = 1; width <= 16; ++width) {
    for (int i = 0; i < 1000; ++i) {
      const uint64_t bits = random();
      const uint64_t spread = SpreadFourPortable(bits, width);
      ASSERT_EQ(SpreadFour(bits, width), spread) << width;
      for (size_t lane = 0; lane < 4; ++lane) {
        ASSERT_EQ(Lane(spread, lane),
                  bits >> (lane * static_cast<size_t>(width)) &
                      LowBits(static_cast<unsigned>(width)));
      }
    }
  }
}

TEST(EightLanes, NonzeroLanesAreABitEach) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    uint64_t four = 0;
    uint64_t expected = 0;
    for (size_t lane = 0; lane < 4; ++lane) {
      // A single bit, at any place: each must count.
      const uint64_t value = random() % 2 << (random() % 16);
      four |= value << (16 * lane);
      expected |= uint64_t{value != 0} << lane;
    }
    ASSERT_EQ(NonzeroQuarters(four), expected) << four;
  }
}

TEST(EightLanes, AnyEqualIsThatOfOneByOne) {
  std::mt19937_64 random(3);
  uint64_t matches = 0;
  for (int i = 0; i < 100000; ++i) {
    // Few values, so that many are equal; high ones too.
    const uint64_t high = random() % 2 * 0xffe0;
    std::array<uint64_t, 8> values;
    for (uint64_t& value : values) value = high | random() % 32;
    EightLanes eight = {0, 0};
    for (size_t lane = 0; lane < 4; ++lane) {
      eight.first_four |= values[lane] << (16 * lane);
      eight.last_four |= values[4 + lane] << (16 * lane);
    }
    uint64_t four = 0;
    uint64_t expected = 0;
    for (size_t lane = 0; lane < 4; ++lane) {
      const uint64_t value = high | random() % 32;
      four |= value << (16 * lane);
      expected |= uint64_t{std::count(values.begin(), values.end(), value) > 0}
                  << lane;
    }
    ASSERT_EQ(NonzeroQuarters(eight.AnyEqual(four)), expected);
    ASSERT_EQ(NonzeroQuarters(eight.AnyEqualPortable(four)), expected);
    matches += expected != 0;
  }
  EXPECT_GT(matches, 10000u);
  EXPECT_LT(matches, 90000u);
}

}  // namespace
}  // namespace tamis::internal
