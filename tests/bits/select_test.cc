#include "tamis/internal/bits/select.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "bits/prefix_equal.h"

namespace tamis::internal {
namespace {

std::vector<uint64_t> InterestingWords() {
  std::vector<uint64_t> words = {0,
                                 1,
                                 ~uint64_t{0},
                                 uint64_t{1} << 63,
                                 0x5555555555555555,
                                 0xaaaaaaaaaaaaaaaa,
                                 0x0f0f0f0f0f0f0f0f,
                                 0x8000000000000001};
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    words.push_back(random());
    words.push_back(random() & random() & random());
    words.push_back(random() | random() | random());
  }
  return words;
}

// Counts bit by bit.
int NaiveSelect(uint64_t word, unsigned k) {
  for (int i = 0; i < 64; ++i) {
    if ((word >> i & 1) != 0 && k-- == 0) return i;
  }
  return 64;
}

TEST(Select, FindsEverySetBit) {
  for (const uint64_t word : InterestingWords()) {
    for (unsigned k = 0; k <= 64; ++k) {
      ASSERT_EQ(Select(word, k), NaiveSelect(word, k))
          << std::hex << word << " " << k;
    }
  }
}

TEST(Select, IsTheInverseOfRank) {
  for (const uint64_t word : InterestingWords()) {
    for (int i = 0; i < 64; ++i) {
      if ((word >> i & 1) == 0) continue;
      const auto rank = static_cast<unsigned>(
          std::popcount(word & LowBits(static_cast<unsigned>(i))));
      ASSERT_EQ(SelectBit(word, rank), uint64_t{1} << i);
    }
  }
}

TEST(Select, AcceleratedAgreesWithPortable) {
  for (const uint64_t word : InterestingWords()) {
    for (unsigned k = 0; k < 64; ++k) {
      ASSERT_EQ(SelectBit(word, k), SelectBitPortable(word, k))
          << std::hex << word << " " << k;
    }
  }
}

// Says which path this build runs, so that a log shows it.
TEST(Select, ReportsItsPath) {
#ifdef TAMIS_HAS_BMI2
  RecordProperty("path", "bmi2");
#else
  RecordProperty("path", "portable");
#endif
  EXPECT_EQ(Select(0b1010, 1), 3);
}

TEST(PrefixEqual, TheExampleInItsComment) {
  // Bit 0 on the right here, on the left there.
  EXPECT_EQ(PrefixEqual(0b00011010, 0b01101000) & 0xff, 0b11000001u);
}

TEST(PrefixEqual, CountsBitByBit) {
  const std::vector<uint64_t> words = InterestingWords();
  for (size_t i = 0; i < words.size(); ++i) {
    const uint64_t a = words[i];
    const uint64_t b = words[words.size() - 1 - i];
    uint64_t expected = 0;
    for (unsigned j = 0; j < 64; ++j) {
      const uint64_t low = LowBits(j + 1);
      expected |= uint64_t{std::popcount(a & low) == std::popcount(b & low)}
                  << j;
    }
    ASSERT_EQ(PrefixEqual(a, b), expected) << std::hex << a << " " << b;
    ASSERT_EQ(PrefixEqualPortable(a, b), expected);
  }
}

TEST(Words, LowBitsCoversAllOf64) {
  EXPECT_EQ(LowBits(0), 0u);
  EXPECT_EQ(LowBits(1), 1u);
  EXPECT_EQ(LowBits(63), ~uint64_t{0} >> 1);
  EXPECT_EQ(LowBits(64), ~uint64_t{0});
  EXPECT_EQ(LowBits(255), ~uint64_t{0});
}

TEST(Words, CeilLog2) {
  EXPECT_EQ(CeilLog2(1), 0);
  EXPECT_EQ(CeilLog2(2), 1);
  EXPECT_EQ(CeilLog2(3), 2);
  EXPECT_EQ(CeilLog2(uint64_t{1} << 40), 40);
  EXPECT_EQ(CeilLog2((uint64_t{1} << 40) + 1), 41);
}

}  // namespace
}  // namespace tamis::internal
