// The sets of positions of an adaptive filter are independent of one another:
// a key that is positive in one is so in the others by chance alone.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "filters/bloom/bloom_math.h"
#include "tamis/abf.h"
#include "tamis/internal/filters/bloom/draws.h"
#include "tamis/internal/filters/bloom/word_array.h"

namespace tamis {
namespace {

using internal::kMaxSets;
using internal::Place;
using internal::Placed;
using internal::WordArray;
using internal::WordShape;

const Hasher kSetHasher{Seed{15, 16}};
constexpr uint64_t kWords = 1 << 13;
constexpr uint64_t kSetKeys = 16 * kWords;  // four bits a key: many positives
constexpr uint64_t kQueries = 500'000;
constexpr int kK = 3;

KeyHash SetMember(uint64_t i) { return kSetHasher.Hash(2 * i); }
KeyHash SetAbsent(uint64_t i) { return kSetHasher.Hash(2 * i + 1); }

// Returns the mean of (X/w)^(2k) for the X bits set by n keys of k draws: that
// of m keys of 2k draws each, where n = 2m, and between two of these otherwise.
double MeanSquare(const std::vector<double>& doubled, uint64_t n) {
  return std::sqrt(doubled[n / 2] * doubled[(n + 1) / 2]);
}

// Returns the standard deviation, from filter to filter, of the chance of
// being positive in S sets: that of one word, over the root of their number.
double SpreadOfFilters(int word_bits, int sets, double mean) {
  const Pmf keys = BinomialPmf(kSetKeys, 1.0 / kWords);
  const std::vector<double> doubled =
      WordFprs(word_bits, 2 * kK, static_cast<int>(keys.limit() / 2 + 1));
  double square = 0;
  for (size_t i = 0; i < keys.chances.size(); ++i) {
    square +=
        keys.chances[i] * std::pow(MeanSquare(doubled, keys.first + i), sets);
  }
  return std::sqrt((square - mean * mean) / kWords);
}

class AbfSets : public testing::TestWithParam<int> {};

// Within four standard deviations: of the queries, and of the filters.
TEST_P(AbfSets, AreIndependentTogether) {
  const int sets = GetParam();
  const std::string spec = "abf:bits=4,k=3,sets=" + std::to_string(sets);
  AdaptiveBloomFilter filter =
      std::move(
          AdaptiveBloomFilter::Create(*Spec::Parse(spec), kSetKeys, kSetHasher))
          .value();
  for (uint64_t i = 0; i < kSetKeys; ++i) {
    ASSERT_TRUE(filter.Insert(SetMember(i)).ok());
  }
  uint64_t in_all = 0;
  for (uint64_t i = 0; i < kQueries; ++i) {
    in_all += !filter.ProvesAbsent(SetAbsent(i));
  }
  const int word_bits = 64 - std::countr_zero(static_cast<unsigned>(sets));
  const double expected =
      WordBloomFpr(kWords, word_bits, kSetKeys, {&kK, 1}, sets);
  const double of_queries = expected * (1 - expected) / kQueries;
  const double of_filters = SpreadOfFilters(word_bits, sets, expected);
  EXPECT_NEAR(static_cast<double>(in_all) / kQueries, expected,
              4 * std::sqrt(of_queries + of_filters * of_filters))
      << in_all << " of " << kQueries;
}

INSTANTIATE_TEST_SUITE_P(Numbers, AbfSets, testing::Values(2, 4, 8));

// All pairs of the eight sets.  What a query hits in two of them is compared
// with what their words, as they are filled, let expect of independent draws,
// so that only the queries vary.
TEST(AbfSetPairs, AreIndependent) {
  const WordShape shape(64, 3);
  std::vector<WordArray> arrays;
  for (unsigned set = 0; set < kMaxSets; ++set) {
    arrays.emplace_back(kWords, shape);
    ASSERT_TRUE(arrays[set].Allocate().ok());
    for (uint64_t i = 0; i < kSetKeys; ++i) {
      const Placed placed = Place(SetMember(i), kWords);
      arrays[set].Set(placed.home, placed, set, kK);
    }
  }
  const auto chance = [&](unsigned set, uint64_t word) {
    const int ones = std::popcount(arrays[set].Load(word)[0]);
    return std::pow(static_cast<double>(ones) / shape.usable_bits, kK);
  };
  std::array<std::array<uint64_t, kMaxSets>, kMaxSets> hits = {};
  for (uint64_t i = 0; i < kQueries; ++i) {
    const Placed placed = Place(SetAbsent(i), kWords);
    std::array<bool, kMaxSets> positive;
    for (unsigned set = 0; set < kMaxSets; ++set) {
      positive[set] = arrays[set].Test(placed.home, placed, set, kK);
    }
    for (unsigned a = 0; a < kMaxSets; ++a) {
      for (unsigned b = 0; b < a; ++b) hits[a][b] += positive[a] && positive[b];
    }
  }
  for (unsigned a = 0; a < kMaxSets; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      double expected = 0;
      for (uint64_t word = 0; word < kWords; ++word) {
        expected += chance(a, word) * chance(b, word) / kWords;
      }
      const double deviation = std::sqrt(expected * (1 - expected) / kQueries);
      EXPECT_NEAR(static_cast<double>(hits[a][b]) / kQueries, expected,
                  4 * deviation)
          << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace tamis
