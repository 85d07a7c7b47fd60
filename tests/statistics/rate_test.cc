// The statistical helpers: they must accept what is right, and fail what is
// wrong, or no test that uses them means anything.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "model/statistics.h"

namespace tamis::testing {
namespace {

TEST(DeviationsFrom, IsZeroAtTheMean) {
  EXPECT_DOUBLE_EQ(DeviationsFrom(0.25, 250, 1000), 0);
}

TEST(DeviationsFrom, CountsDeviations) {
  // n p (1 - p) = 10000 * 0.5 * 0.5 = 50 squared.
  EXPECT_DOUBLE_EQ(DeviationsFrom(0.5, 5150, 10'000), 3);
  EXPECT_DOUBLE_EQ(DeviationsFrom(0.5, 4900, 10'000), -2);
}

TEST(DeviationsFrom, OneRareEventIsNoOutlier) {
  EXPECT_LE(DeviationsFrom(1e-9, 1, 1000), 1.0);
}

TEST(RateIs, AcceptsTheRightRateForAllOfManySeeds) {
  int rejected = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    std::mt19937_64 random(seed);
    uint64_t hits = 0;
    for (int i = 0; i < 1000; ++i) hits += random() % 32 == 0;
    rejected += !RateIs(hits, 1000, 1.0 / 32);
  }
  EXPECT_LE(rejected, 2) << "4 deviations are 1 in 16,000, a bit more here";
}

TEST(RateIs, RejectsARateThatIsATenthOff) {
  EXPECT_FALSE(RateIs(4300, 1'000'000, 1.0 / 256));
  EXPECT_FALSE(RateIs(3500, 1'000'000, 1.0 / 256));
  EXPECT_TRUE(RateIs(3906, 1'000'000, 1.0 / 256));
}

TEST(RateIs, RejectsNeverWhereSomeAreExpected) {
  EXPECT_FALSE(RateIs(0, 1'000'000, 1e-4));
}

TEST(RateIs, RejectsSomeWhereNoneAreExpected) {
  EXPECT_FALSE(RateIs(5, 1000, 0));
  EXPECT_TRUE(RateIs(0, 1000, 0));
}

TEST(RateIs, SlackWidensBothSides) {
  EXPECT_TRUE(RateIs(4300, 1'000'000, 1.0 / 256, 0.1));
  EXPECT_TRUE(RateIs(3520, 1'000'000, 1.0 / 256, 0.1));
  EXPECT_FALSE(RateIs(5000, 1'000'000, 1.0 / 256, 0.1));
}

TEST(RateIs, SaysWhatIsWrong) {
  const std::string text = RateIs(600, 1000, 0.5).message();
  EXPECT_NE(text.find("600 of 1000"), std::string::npos) << text;
  EXPECT_NE(text.find("0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("6.3"), std::string::npos) << text;
}

TEST(RateIsAtMost, IsOneSided) {
  EXPECT_TRUE(RateIsAtMost(0, 1'000'000, 0.5));
  EXPECT_TRUE(RateIsAtMost(501'000, 1'000'000, 0.5));
  EXPECT_FALSE(RateIsAtMost(503'000, 1'000'000, 0.5));
}

}  // namespace
}  // namespace tamis::testing
