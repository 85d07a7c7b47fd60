// Statistics are tested as statistics: against a probability, with a tolerance
// in standard deviations.
//
//   EXPECT_TRUE(RateIs(false_positives, queries, filter.ExpectedFpr()));
//
// A fixed seed makes such a test repeatable; four deviations make it pass for
// all but 1 in 16,000 seeds.

#ifndef TAMIS_TESTS_MODEL_STATISTICS_H_
#define TAMIS_TESTS_MODEL_STATISTICS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tamis::testing {

// Returns by how many standard deviations `hits` of `trials` is above (or,
// negative, below) what a probability of `expected` predicts.
//
// The deviation of the number of hits is sqrt(n p (1 - p)), but not taken to
// be below 1: a count cannot be nearer to n p than to the next whole number,
// and one unlikely event must not fail a test where n p is far below 1.
inline double DeviationsFrom(double expected, uint64_t hits, uint64_t trials) {
  const double n = static_cast<double>(trials);
  const double deviation =
      std::max(1.0, std::sqrt(n * expected * (1 - expected)));
  return (static_cast<double>(hits) - n * expected) / deviation;
}

inline ::testing::AssertionResult DescribeRate(bool good, uint64_t hits,
                                               uint64_t trials, double expected,
                                               double tolerance) {
  auto result =
      good ? ::testing::AssertionSuccess() : ::testing::AssertionFailure();
  return result << hits << " of " << trials << " is a rate of "
                << static_cast<double>(hits) / static_cast<double>(trials)
                << "; expected " << expected << ", which is "
                << DeviationsFrom(expected, hits, trials)
                << " standard deviations away (tolerance " << tolerance << ")";
}

// Says whether `hits` of `trials` fits a probability, which may itself be off
// by a relative `slack` where the formula is known to be an approximation.
inline ::testing::AssertionResult RateIs(uint64_t hits, uint64_t trials,
                                         double expected, double slack = 0,
                                         double deviations = 4) {
  const double above = DeviationsFrom(expected * (1 + slack), hits, trials);
  const double below = DeviationsFrom(expected * (1 - slack), hits, trials);
  return DescribeRate(above <= deviations && below >= -deviations, hits, trials,
                      expected, deviations);
}

// Says whether the rate is not above a probability.
inline ::testing::AssertionResult RateIsAtMost(uint64_t hits, uint64_t trials,
                                               double expected,
                                               double deviations = 4) {
  return DescribeRate(DeviationsFrom(expected, hits, trials) <= deviations,
                      hits, trials, expected, deviations);
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_STATISTICS_H_
