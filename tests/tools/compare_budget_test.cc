// Fitting filters to a budget: no filter exceeds it, and none wastes it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tools/compare/budget.h"
#include "tools/compare/forms.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<KeyHash> SomeKeys(uint64_t count, const Hasher& hasher) {
  std::vector<KeyHash> hashes(count);
  for (uint64_t i = 0; i < count; ++i) hashes[i] = hasher.Hash(i);
  return hashes;
}

Spec Parse(std::string_view text) { return Spec::Parse(text).value(); }

// Checks every filter of a comparison of all; returns how many took part.
int CheckAllForms(const Budget& budget) {
  const Hasher hasher(Seed{.low = 77, .high = 0});
  const std::vector<KeyHash> members = SomeKeys(budget.keys, hasher);
  int fitting = 0;
  for (const std::string_view form : AllForms()) {
    for (const Spec& spec : WithShares(Parse(form))) {
      SCOPED_TRACE(spec.ToString());
      const Result<Fit> fit = FitComparable(spec, budget);
      EXPECT_TRUE(fit.ok()) << fit.status().message();
      if (!fit.ok()) continue;
      if (!fit->choice) {
        EXPECT_GT(fit->min_bits_per_key, budget.bits_per_key);
        continue;
      }
      const auto filter = MakeFilled(*fit->choice, budget, members, hasher);
      EXPECT_TRUE(filter.ok()) << filter.status().message();
      if (!filter.ok()) continue;
      ++fitting;
      EXPECT_EQ(filter->size(), budget.keys);
      EXPECT_LE(filter->stats().BitsPerKey(), 1.01 * budget.bits_per_key);
      // A fuse filter has fingerprints of 8 and of 16 bits and no others;
      // shards of a few keys are a matter of luck.
      const auto has = [&](std::string_view part) {
        return form.find(part) != std::string_view::npos;
      };
      if (has("fuse") || has("shards") || has("threads")) continue;
      EXPECT_GE(filter->stats().BitsPerKey(), 0.9 * budget.bits_per_key);
      EXPECT_NEAR(filter->ExpectedFpr(), fit->choice->fpr,
                  0.05 * fit->choice->fpr);
    }
  }
  return fitting;
}

TEST(CompareBudget, NoFilterExceedsItAndNoneWastesIt) {
  EXPECT_GT(CheckAllForms({.keys = 6'000, .bits_per_key = 8}), 20);
  EXPECT_GT(CheckAllForms({.keys = 6'000, .bits_per_key = 10}), 40);
}

TEST(CompareBudget, NoFilterExceedsItAndNoneWastesItWithMoreBits) {
  EXPECT_GT(CheckAllForms({.keys = 6'000, .bits_per_key = 12.6}), 50);
  EXPECT_GT(CheckAllForms({.keys = 6'000, .bits_per_key = 25}), 50);
}

TEST(CompareBudget, NoFilterExceedsItAtAwkwardNumbersOfKeys) {
  CheckAllForms({.keys = 3'001, .bits_per_key = 16});
  CheckAllForms({.keys = 1'777, .bits_per_key = 11.3});
}

TEST(CompareBudget, NoFilterExceedsItWithManyKeysLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) GTEST_SKIP();
  for (const double bits : {8.0, 10.0, 12.6, 16.0}) {
    CheckAllForms({.keys = 1'000'000, .bits_per_key = bits});
  }
}

TEST(CompareBudget, EveryWidthIsTriedAndTheRestLowersTheLoad) {
  const Budget budget{.keys = 100'000, .bits_per_key = 12.6};
  const auto rsqf = FitComparable(Parse("rsqf"), budget);
  ASSERT_TRUE(rsqf.ok() && rsqf->choice);
  EXPECT_EQ(rsqf->choice->spec.ToString(), "rsqf:r=9");
  EXPECT_GT(rsqf->choice->slots, 100'000 / 0.95);
  const auto cuckooing = FitComparable(Parse("cuckooing"), budget);
  ASSERT_TRUE(cuckooing.ok() && cuckooing->choice);
  EXPECT_EQ(cuckooing->choice->spec.ToString(), "cuckooing:f=12");
}

TEST(CompareBudget, WhatTheSpecFixesStaysAsItIs) {
  const Budget budget{.keys = 10'000, .bits_per_key = 16};
  const auto rsqf = FitComparable(Parse("rsqf:r=8"), budget);
  ASSERT_TRUE(rsqf.ok() && rsqf->choice);
  EXPECT_EQ(rsqf->choice->spec.ToString(), "rsqf:r=8");
  const auto bloom = FitComparable(Parse("bloom:bits=12,k=3"), budget);
  ASSERT_TRUE(bloom.ok() && bloom->choice);
  EXPECT_EQ(bloom->choice->spec.ToString(), "bloom:bits=12,k=3");
}

TEST(CompareBudget, WhatDoesNotFitSaysTheLeastItNeeds) {
  const Budget budget{.keys = 100'000, .bits_per_key = 8};
  const auto fit = FitComparable(Parse("taf"), budget);
  ASSERT_TRUE(fit.ok());
  EXPECT_FALSE(fit->choice);
  EXPECT_NEAR(fit->min_bits_per_key, 9.4, 0.2);
  const auto more = FitComparable(
      Parse("taf"),
      {.keys = 100'000, .bits_per_key = fit->min_bits_per_key + 1e-4});
  EXPECT_TRUE(more.ok() && more->choice);
}

TEST(CompareBudget, LinesThatRoundUpToJustAboveTheBudgetAreTakenOneFewer) {
  // 12 bits a key are 4 bits short of whole lines of 512.
  const Budget budget{.keys = 1365, .bits_per_key = 12};
  for (const char* spec : {"blocked", "bloom1:w=512"}) {
    const auto fit = FitComparable(Parse(spec), budget);
    ASSERT_TRUE(fit.ok()) << spec;
    EXPECT_TRUE(fit->choice) << spec;
  }
}

TEST(CompareBudget, WhatFindsNoPlaceForItsKeysSaysSo) {
  // Two places for a key, one slot each: no more than half of the slots.
  const auto fit = FitComparable(Parse("cuckoo:f=12,k=2,b=1"),
                                 {.keys = 10'000, .bits_per_key = 12.6});
  ASSERT_TRUE(fit.ok());
  EXPECT_FALSE(fit->choice);
  EXPECT_THAT(fit->other_reason,
              ::testing::StartsWith("keys could not be placed at load 0.95: "));
}

TEST(CompareBudget, AGrowingFilterDoesNotDoubleOnTheWay) {
  const Budget budget{.keys = 10'000, .bits_per_key = 14};
  const Hasher hasher(Seed{.low = 5, .high = 0});
  const auto fit = FitComparable(Parse("infini:threshold=0.7"), budget);
  ASSERT_TRUE(fit.ok() && fit->choice);
  const auto filter =
      MakeFilled(*fit->choice, budget, SomeKeys(budget.keys, hasher), hasher);
  ASSERT_TRUE(filter.ok());
  EXPECT_LE(filter->stats().BitsPerKey(), 14 * 1.01);
}

TEST(CompareBudget, CachesAreTriedWithSeveralShares) {
  EXPECT_THAT(WithShares(Parse("cached(bloom):policy=topk")), SizeIs(4));
  EXPECT_THAT(WithShares(Parse("cached(bloom):share=7")), SizeIs(1));
  EXPECT_THAT(WithShares(Parse("rsqf")), SizeIs(1));
  EXPECT_THAT(WithShares(Parse("tamis"), KeysIn::kRam), SizeIs(1));
  EXPECT_THAT(WithShares(Parse("tamis"), KeysIn::kStore), SizeIs(4));
  EXPECT_THAT(WithShares(Parse("tamis:extensions=1"), KeysIn::kStore),
              SizeIs(1));
}

TEST(CompareBudget, UnknownFiltersAndParametersAreRefused) {
  const Budget budget{.keys = 1000, .bits_per_key = 12};
  const auto message = [&](std::string_view spec) {
    return std::string(FitComparable(Parse(spec), budget).status().message());
  };
  EXPECT_THAT(message("sieve"), HasSubstr("no filter 'sieve'"));
  EXPECT_THAT(message("rsqf:q=3"), HasSubstr("no parameter 'q'"));
  EXPECT_THAT(message("bloom:bits=x"), HasSubstr("bits=x"));
  EXPECT_THAT(message("cached(sieve)"), HasSubstr("unknown filter 'sieve'"));
  EXPECT_THAT(message("cached(bloom):policy=fifo"), HasSubstr("fifo"));
  EXPECT_THAT(message("cached(taf)"), HasSubstr("learns by itself"));
  EXPECT_THAT(message("cached(bloom):share=100"), HasSubstr("share=100"));
  EXPECT_THAT(message("cached(cached(bloom))"),
              HasSubstr("cached(cached(bloom)) is a cache around a cache"));
}

}  // namespace
}  // namespace tamis::tools
