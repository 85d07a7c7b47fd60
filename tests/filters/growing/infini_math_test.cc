// The paper's equations: against each other, worked values, and the filter.

#include "filters/growing/infini_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "filters/growing/growing_testing.h"
#include "tamis/internal/filters/growing/generations.h"

namespace tamis::testing {
namespace {

constexpr InfiniMath kMath = {.first_bits = 12, .threshold = 0.8};

TEST(InfiniMath, AgesAddUpToOne) {
  double sum = 0;
  for (int age = 0; age <= 9; ++age) sum += InfiniMath::ExactAgeShare(age, 9);
  EXPECT_DOUBLE_EQ(sum, 1);
  EXPECT_DOUBLE_EQ(InfiniMath::AgeShare(3), 1.0 / 16);
}

// Equation 3 is the sum over the ages that it is derived from.
TEST(InfiniMath, BasicMatchesIsTheWeightedSum) {
  for (int x = 0; x <= 12; ++x) {
    double sum = 0;
    for (int age = 0; age <= x; ++age) {
      sum += InfiniMath::ExactAgeShare(age, x) * std::ldexp(0.8, age - 12);
    }
    EXPECT_NEAR(kMath.BasicMatches(x), sum, 1e-15) << x;
    EXPECT_DOUBLE_EQ(kMath.ChainedMatches(std::ldexp(1.0, x)),
                     kMath.BasicMatches(x));
  }
}

TEST(InfiniMath, WorkedValues) {
  EXPECT_DOUBLE_EQ(kMath.PaperBitsPerKey(), 20);
  EXPECT_EQ(kMath.GrowingBits(0), 12);
  EXPECT_EQ(kMath.GrowingBits(1), 14);
  EXPECT_EQ(kMath.GrowingBits(2), 16);
  EXPECT_EQ(kMath.GrowingBits(15), 20);
  EXPECT_DOUBLE_EQ(kMath.PaperGrowingBitsPerKey(1 << 15), (4 + 12 + 8) / 0.8);
  EXPECT_EQ(kMath.NumTables(12), 1);
  EXPECT_EQ(kMath.NumTables(13), 2);
  EXPECT_EQ(kMath.NumTables(26), 3);
  EXPECT_DOUBLE_EQ(kMath.GrowingLengthLeft(0, 0), 0) << "void";
}

TEST(InfiniMath, GrowingConverges) {
  const double limit =
      std::ldexp(0.8, -13) * std::numbers::pi * std::numbers::pi / 6;
  EXPECT_NEAR(kMath.PaperGrowingMatches(100'000), limit, 1e-5 * limit);
  EXPECT_LT(kMath.GrowingMatches(10'000), 2 * limit);
  EXPECT_LT(kMath.GrowingTableMatches(0), limit);
}

// Equation 6 is computed in whole numbers; as the paper writes it, it is this.
// (Where 2 log2(g + 1) is whole, g + 1 is a power of two and log2 is exact.)
TEST(InfiniMath, LengthsAreThoseOfEquation6) {
  const internal::Generations plan = {1, 12, true};
  for (int g = 0; g <= 50; ++g) {
    const int bits = 12 + static_cast<int>(std::ceil(2 * std::log2(g + 1.0)));
    EXPECT_EQ(plan.Bits(g), bits) << g;
    EXPECT_EQ(kMath.GrowingBits(g), bits) << g;
  }
}

// The filter's own expectation, from what it holds, is the formula's.
TEST(InfiniMath, FormulasAreWhatTheFilterExpects) {
  for (const bool growing : {false, true}) {
    const InfiniMath math = {.first_bits = 6, .threshold = 0.8};
    InfiniFilter filter =
        MakeInfini(growing ? "infini-growing:f=6" : "infini:f=6", 1000);
    uint64_t key = 0;
    for (int x = 0; x <= 8; ++x) {
      while (filter.size() < filter.capacity()) {
        ASSERT_OK(filter.Insert(filter.hasher().Hash(key++)));
      }
      ASSERT_EQ(filter.generation(), x);
      const double formula = growing ? math.GrowingFpr(x) : math.ChainedFpr(x);
      EXPECT_NEAR(filter.ExpectedFpr(), formula, 1e-3 * formula) << x;
      ASSERT_OK(filter.Expand());
    }
  }
}

}  // namespace
}  // namespace tamis::testing
