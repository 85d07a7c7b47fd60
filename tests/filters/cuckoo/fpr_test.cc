// False positive rates against the formula.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "filters/cuckoo/cuckoo_math.h"
#include "filters/cuckoo/cuckoo_testing.h"

namespace tamis::testing {
namespace {

// Returns by how many standard deviations the false positives of `queries`
// absent keys are off what the filter expects.
double DeviationsOf(const AnyFilter& filter, uint64_t queries) {
  constexpr uint64_t kAbsent = uint64_t{1} << 40;
  uint64_t positives = 0;
  for (uint64_t key = kAbsent; key < kAbsent + queries; ++key) {
    positives += filter.MayContain(filter.hasher().Hash(key));
  }
  const double p = filter.ExpectedFpr();
  const double mean = p * static_cast<double>(queries);
  return (static_cast<double>(positives) - mean) / std::sqrt(mean * (1 - p));
}

TEST(CuckooFpr, IsWithinThreeDeviationsOfTheFormula) {
  for (int f : {8, 12, 16}) {
    for (const std::string& spec : CuckooSpecs(f)) {
      const AnyFilter filter = FilledFilter(spec, 100'000, 0.95, 3);
      ASSERT_EQ(filter.size(), 95'000u) << spec;
      EXPECT_LT(std::abs(DeviationsOf(filter, 400'000)), 3) << spec;
    }
  }
}

TEST(CuckooFpr, IsWithinThreeDeviationsOfTheFormulaLong) {
  if (!LongTestsWanted()) GTEST_SKIP() << "set TAMIS_LONG_TESTS";
  for (int f : {8, 12, 16}) {
    for (const std::string& spec : CuckooSpecs(f)) {
      const AnyFilter filter = FilledFilter(spec, 4'000'000, 0.95, 3);
      EXPECT_LT(std::abs(DeviationsOf(filter, 20'000'000)), 3) << spec;
    }
  }
}

TEST(CuckooFpr, HoldsAtHalfLoadAndFewBits) {
  for (const std::string& spec : CuckooSpecs(5)) {
    const AnyFilter filter = FilledFilter(spec, 50'000, 0.5, 4);
    EXPECT_LT(std::abs(DeviationsOf(filter, 100'000)), 4) << spec;
  }
}

TEST(CuckooFpr, HoldsAtWidthsThatAreNotWords) {
  for (int f : {17, 20}) {
    for (const std::string& spec : CuckooSpecs(f)) {
      const AnyFilter filter = FilledFilter(spec, 100'000, 0.95, 5);
      EXPECT_LT(std::abs(DeviationsOf(filter, 1'000'000)), 4.5) << spec;
    }
  }
}

TEST(CuckooFpr, DoesNotChangeByAdapting) {
  for (const std::string& spec : AdaptiveCuckooSpecs(8)) {
    AnyFilter filter = FilledFilter(spec, 20'000, 0.95, 6);
    for (uint64_t key = uint64_t{1} << 50;
         filter.stats().details[2].second < 10'000; ++key) {
      const KeyHash hash = filter.hasher().Hash(key);
      if (filter.MayContain(hash)) {
        ASSERT_TRUE(filter.Adapt(hash).ok());
      }
    }
    EXPECT_LT(std::abs(DeviationsOf(filter, 100'000)), 4) << spec;
  }
}

}  // namespace
}  // namespace tamis::testing
