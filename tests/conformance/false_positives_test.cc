// The false positive rate, against the filter's own formula.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conformance/conformance.h"
#include "model/statistics.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceFalsePositives);

struct Measured {
  uint64_t hits = 0;
  uint64_t queries = 0;
  double expected = 0;  // mean of ExpectedFpr
};

// Several filters, so that the luck of one hash function is averaged too.
TEST_P(ConformanceFalsePositives, RateMatchesTheFormula) {
  constexpr uint64_t kSeeds = 16;
  constexpr uint64_t kQueries = 20'000;
  for (const double load : {0.3, 0.8}) {
    Measured measured;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      AnyFilter filter = Make(100 + seed);
      (void)Fill(filter, load);
      measured.hits += FalsePositives(filter, kQueries).size();
      measured.queries += kQueries;
      measured.expected += filter.ExpectedFpr() / kSeeds;
    }
    EXPECT_TRUE(RateIs(measured.hits, measured.queries, measured.expected,
                       GetParam().fpr_slack))
        << "at load " << load;
  }
}

// A false positive of one filter is one of another only by chance.
TEST_P(ConformanceFalsePositives, DifferBetweenSeeds) {
  constexpr uint64_t kQueries = 100'000;
  AnyFilter first = Make(1);
  AnyFilter second = Make(2);
  (void)Fill(first);
  (void)Fill(second);
  uint64_t of_first = 0;
  uint64_t common = 0;
  for (uint64_t key = kAbsent; key < kAbsent + kQueries; ++key) {
    if (!first.MayContain(first.hasher().Hash(key))) continue;
    ++of_first;
    common += second.MayContain(second.hasher().Hash(key));
  }
  if (of_first == 0) return;
  EXPECT_TRUE(RateIsAtMost(common, of_first,
                           second.ExpectedFpr() * (1 + GetParam().fpr_slack)));
}

}  // namespace
}  // namespace tamis::testing
