#include "filters/cuckoo/cuckoo_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

TEST(CuckooMath, MatchProbabilityCountsTheDoubledOne) {
  // f = 2: of the 16 pairs, (1,1) (1,0) (0,1) (0,0) (2,2) (3,3) are equal.
  EXPECT_DOUBLE_EQ(CuckooMatchProbability(2), 6.0 / 16);
  EXPECT_NEAR(CuckooMatchProbability(12), std::ldexp(1.0, -12), 2e-7);
}

TEST(CuckooMath, FprOfFewBitsIsAlmostLinear) {
  EXPECT_NEAR(CuckooFpr(0.95, 12, 4, 1), 4 * 0.95 / 4096, 1e-6);
  EXPECT_NEAR(CuckooFpr(0.95, 12, 2, 4), 8 * 0.95 / 4096, 3e-6);
  EXPECT_DOUBLE_EQ(CuckooFpr(0, 8, 4, 1), 0);
}

TEST(CuckooMath, OccupancyIsKeysPerBin) {
  EXPECT_DOUBLE_EQ(CuckooExpectedOccupancy(95, 25), 3.8);
}

// The thresholds in the literature on cuckoo hashing.
TEST(CuckooMath, KnownLoadThresholds) {
  EXPECT_NEAR(CuckooLoadThreshold(3, 1), 0.917935, 1e-6);
  EXPECT_NEAR(CuckooLoadThreshold(4, 1), 0.976770, 1e-6);
  EXPECT_NEAR(CuckooLoadThreshold(2, 2), 0.897012, 1e-6);
  EXPECT_NEAR(CuckooLoadThreshold(2, 4), 0.980377, 1e-4);
}

TEST(CuckooMath, SupportOptimalBoundHasThreeTerms) {
  EXPECT_DOUBLE_EQ(SupportOptimalBound(0.5, 8, 16), 4 + 2 + 256);
}

TEST(CuckooMath, SizesOfTheAdversariesSearches) {
  EXPECT_DOUBLE_EQ(UnfixableSearchSize(4, 2), 256);
  EXPECT_DOUBLE_EQ(MutuallyUnfixableSearchSize(4, 2, 1024, 1100),
                   1.5 * 1100 * 16 / 32);
}

}  // namespace
}  // namespace tamis
