// How near the codes come to the entropy of what they encode.

#include "tamis/internal/codes/selector_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tamis::internal {
namespace {

SelectorProbabilities ProbabilitiesOf(const SelectorModel& model) {
  SelectorProbabilities probabilities;
  for (uint32_t s = 0; s <= kMaxSelector; ++s) {
    probabilities[s] = std::exp2(-model.Bits(s));
  }
  return probabilities;
}

TEST(SelectorModel, ProbabilitiesAddUpToOne) {
  for (const SelectorProbabilities& p :
       {ProbabilitiesOf(SelectorModel::Tuned()),
        ProbabilitiesOf(SelectorModel::Xy(2, 3)), XyProbabilities(7, 1),
        ExpectedSelectors(20, 8), ExpectedSelectors(3, 4)}) {
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
  }
}

TEST(SelectorModel, TunedIsWithin3PercentOfTheEntropy) {
  // P(0) = 0.78 at r = 8.
  const SelectorProbabilities truth =
      ExpectedSelectors(-256 * std::log(0.78), 8);
  ASSERT_NEAR(truth[0], 0.78, 1e-9);
  const double cost =
      CrossEntropy(truth, ProbabilitiesOf(SelectorModel::Tuned()));
  EXPECT_LE(cost, 1.03 * Entropy(truth));
}

TEST(SelectorModel, BestXyIsWithin3PercentOfTheEntropy) {
  for (int c = 1; c <= 80; ++c) {
    const SelectorProbabilities truth = ExpectedSelectors(c, 8);
    const Xy best = ChooseXy(8, c);
    const double cost = CrossEntropy(truth, XyProbabilities(best.x, best.y));
    EXPECT_LE(cost, 1.03 * Entropy(truth))
        << "c = " << c << ", x = " << best.x << ", y = " << best.y;
  }
}

// A group of 64 slots of which none was ever wrong must have a code.
TEST(SelectorModel, ZerosFitEveryChosenCode) {
  for (int r = 4; r <= 16; ++r) {
    for (const double c : {0.0, 1.0, 8.0, 100.0, 1e5, 1e9}) {
      const Xy best = ChooseXy(r, c);
      EXPECT_LT(-64 * std::log2(XyProbabilities(best.x, best.y)[0]), 56)
          << "r = " << r << ", c = " << c;
    }
  }
}

TEST(SelectorModel, AFullCodeIsTheSameForEveryWidth) {
  for (int r = 4; r <= 16; ++r) {
    const SelectorProbabilities full = ExpectedSelectors(FullCodeQueries(r), r);
    EXPECT_NEAR(Entropy(full), 56.0 / 64, 1e-6);
    EXPECT_NEAR(full[0], 0.78, 0.02) << "r = " << r;
  }
}

TEST(SelectorModel, ZerosFitTheChosenCodeOfEveryLength) {
  for (int bits = 16; bits <= kMaxCodeBits; bits += 8) {
    for (const double c : {1.0, 100.0, 1e9}) {
      const Xy best = ChooseXy(8, c, bits);
      EXPECT_LT(-64 * std::log2(XyProbabilities(best.x, best.y)[0]), bits);
    }
    EXPECT_NEAR(Entropy(ExpectedSelectors(FullCodeQueries(8, bits), 8)),
                bits / 64.0, 1e-6);
  }
}

TEST(SelectorModel, WhatIsGivenIsTaken) {
  EXPECT_EQ(ChooseXy(8, 10, 56, {7, 0}).x, 7);
  EXPECT_EQ(ChooseXy(8, 10, 56, {0, 2}).y, 2);
  const Xy both = ChooseXy(8, 10, 56, {3, 5});
  EXPECT_EQ(both.x, 3);
  EXPECT_EQ(both.y, 5);
}

// For 3 and more the corollary forgets that i queries can share k collisions
// in several ways, and is a little below the expectation, at 1e-7 and less.
TEST(SelectorModel, ExpectationKeepsToTheBoundOfCorollary3) {
  for (const double c : {1.0, 4.0, 10.0, 40.0}) {
    const SelectorProbabilities expected = ExpectedSelectors(c, 8);
    for (int k = 1; k <= 2; ++k) {
      EXPECT_LE(expected[static_cast<size_t>(k)],
                Corollary3Bound(k, c, 8) * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace tamis::internal
