// One line for a look-up: that words never cross a line, and twins that agree.

#include "tamis/internal/filters/bloom/word_array.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/internal/filters/bloom/counters.h"
#include "tamis/internal/filters/bloom/line_probe.h"

namespace tamis::internal {
namespace {

const Hasher kHasher{Seed{9, 9}};

TEST(WordArray, NoWordCrossesALineInSmallAndLargeAllocations) {
  for (const uint64_t words : {1, 7, 100'000}) {
    for (const unsigned width : {64u, 128u, 256u, 512u}) {
      WordArray array(words, WordShape(width, 0));
      ASSERT_TRUE(array.Allocate().ok());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(array.At(0)) % kLineBytes, 0u);
      for (uint64_t word = 0; word < words; word += 1 + words / 50) {
        const auto first = reinterpret_cast<uintptr_t>(array.At(word));
        const uintptr_t last = first + width / 8 - 1;
        EXPECT_EQ(first / kLineBytes, last / kLineBytes);
      }
    }
  }
}

// Sets every bit of one line, and nothing else: then a key is found exactly
// if its word is in that line, so a look-up depends on no other line.
TEST(WordArray, AnAnswerDependsOnOneLine) {
  for (const unsigned width : {64u, 128u, 256u, 512u}) {
    WordArray array(64, WordShape(width, 0));
    ASSERT_TRUE(array.Allocate().ok());
    const uint64_t words_per_line = kLineBits / width;
    std::vector<std::byte> bytes(array.size_bytes(), std::byte{0});
    std::fill_n(bytes.begin() + kLineBytes, kLineBytes, std::byte{0xff});
    ASSERT_TRUE(array.LoadFrom(std::span<const std::byte>(bytes)).ok());
    for (uint64_t i = 0; i < 2000; ++i) {
      const Placed placed = Place(kHasher.Hash(i), 64);
      EXPECT_EQ(array.Test(placed.home, placed, 0, 5),
                placed.home / words_per_line == 1);
    }
  }
}

TEST(WordArray, SetThenTestForAllShapesAndStreams) {
  for (const unsigned width : {64u, 128u, 256u, 512u}) {
    for (const unsigned selector : {0u, 1u, 3u}) {
      for (const int count : {1, 4, 9, 10, 16}) {
        WordArray array(5, WordShape(width, selector));
        ASSERT_TRUE(array.Allocate().ok());
        const Placed placed = Place(kHasher.Hash(count), 5);
        EXPECT_FALSE(array.Test(placed.home, placed, 3, count));
        array.Set(placed.home, placed, 3, count);
        EXPECT_TRUE(array.Test(placed.home, placed, 3, count));
        EXPECT_LE(array.CountOnes(), static_cast<uint64_t>(count));
        if (selector > 0) {
          EXPECT_EQ(array.Selector(placed.home), 0u);
        }
      }
    }
  }
}

TEST(WordArray, StoreKeepsBitsAndSelectorApart) {
  for (const unsigned width : {64u, 128u, 256u, 512u}) {
    WordArray array(3, WordShape(width, 3));
    ASSERT_TRUE(array.Allocate().ok());
    WordBits bits = {};
    for (unsigned i = 0; i < width / 64; ++i) bits[i] = ~uint64_t{0} / (i + 2);
    bits[width / 64 - 1] &= LowBits(61);
    array.Store(1, bits, 5);
    EXPECT_EQ(array.Load(1), bits);
    EXPECT_EQ(array.Selector(1), 5u);
    EXPECT_EQ(array.Load(0), WordBits{});
    EXPECT_EQ(array.Load(2), WordBits{});
  }
}

// Chi-squared over the positions of each draw, at five standard deviations.
TEST(Draws, PositionsAreUniform) {
  for (const unsigned width : {64u, 512u}) {
    const WordShape shape(width, 2);
    constexpr int kCount = 16, kKeys = 200'000;
    std::vector<uint64_t> seen(shape.usable_bits, 0);
    for (int i = 0; i < kKeys; ++i) {
      ForEachPosition(Place(kHasher.Hash(i), 1000), 1, kCount, shape,
                      [&](unsigned position) { ++seen.at(position); });
    }
    const double expected =
        static_cast<double>(kKeys) * kCount / shape.usable_bits;
    double chi = 0;
    for (const uint64_t n : seen) {
      chi += std::pow(static_cast<double>(n) - expected, 2) / expected;
    }
    const double freedom = shape.usable_bits - 1;
    EXPECT_NEAR(chi, freedom, 5 * std::sqrt(2 * freedom));
  }
}

TEST(WordProbe, AcceleratedAgreesWithPortable) {
  uint64_t yes = 0;
  for (uint64_t i = 0; i < 200'000; ++i) {
    const KeyHash dice = kHasher.Hash(i);
    const KeyHash more = kHasher.Hash(~i);
    const DrawBits bits{dice.high, dice.low};
    const uint64_t word = i % 2 == 0 ? more.high | more.low : more.high;
    const int count = 1 + static_cast<int>(i % kDrawsPerStream);
    const unsigned range = 61 + static_cast<unsigned>(more.low % 4);
    const auto set = static_cast<unsigned>(dice.low % kMaxSets);
    const bool answer = TestWordPortable(word, bits, set, range, count);
    ASSERT_EQ(TestWord(word, bits, set, range, count), answer) << i;
    yes += answer;
  }
  EXPECT_GT(yes, 10'000u);
}

TEST(LineProbe, AcceleratedAgreesWithPortable) {
  alignas(kLineBytes) std::array<std::byte, kLineBytes> line;
  for (uint64_t i = 0; i < 20'000; ++i) {
    // From nearly empty to nearly full lines.
    for (size_t lane = 0; lane < 8; ++lane) {
      const KeyHash dice = kHasher.Hash(i * 8 + lane);
      const uint64_t bits = i % 3 == 0   ? dice.high | dice.low
                            : i % 3 == 1 ? dice.high
                                         : ~(dice.high & dice.low >> 1);
      StoreWord(line.data() + 8 * lane, bits);
    }
    const uint64_t string = kHasher.Hash(i).high;
    EXPECT_EQ(TestLine(line.data(), string),
              TestLinePortable(line.data(), string));
    alignas(kLineBytes) std::array<std::byte, kLineBytes> twin = line;
    SetLinePortable(twin.data(), string);
    SetLine(line.data(), string);
    EXPECT_EQ(line, twin);
    EXPECT_TRUE(TestLine(line.data(), string));
    EXPECT_TRUE(TestLinePortable(line.data(), string));
  }
}

TEST(Counters, StickAtTheirMaximum) {
  Counters counters(5);
  ASSERT_TRUE(counters.Allocate().ok());
  EXPECT_EQ(counters.size_bytes(), 3u);
  for (int i = 0; i < 20; ++i) counters.Raise(1);
  for (int i = 0; i < 3; ++i) counters.Raise(2);
  EXPECT_EQ(counters.Get(0), 0u);
  EXPECT_EQ(counters.Get(1), Counters::kSaturated);
  EXPECT_EQ(counters.Get(2), 3u);
  counters.Lower(1);
  counters.Lower(2);
  EXPECT_EQ(counters.Get(1), Counters::kSaturated);
  EXPECT_EQ(counters.Get(2), 2u);
  EXPECT_EQ(counters.Get(3), 0u);
}

}  // namespace
}  // namespace tamis::internal
