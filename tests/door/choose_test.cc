// What the front door chooses, and that it keeps what was asked for.

#include "door/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/statistics.h"
#include "tamis/tamis.h"

namespace tamis {
namespace {

using internal::Choose;
using ::testing::HasSubstr;

const Hasher kChooseHasher(Seed{.low = 7, .high = 9});

std::string SpecFor(const Filter::Options& options) {
  const auto choice = Choose(options);
  return choice.ok() ? choice->spec.ToString() : choice.status().ToString();
}

Filter MustChoose(Filter::Options options) {
  options.hasher = kChooseHasher;
  Result<Filter> filter = Filter::Create(options);
  EXPECT_TRUE(filter.ok()) << filter.status().ToString();
  return std::move(filter).value();
}

TEST(Choose, IsTheTableOfTheHeader) {
  const SortedSource source;
  const uint64_t keys = 1000;
  EXPECT_THAT(SpecFor({.keys = keys, .fpr = 0.01}), HasSubstr("blocked:"));
  EXPECT_EQ(SpecFor({.keys = keys, .fpr = 0.01, .deletes = true}), "rsqf:r=7");
  EXPECT_EQ(SpecFor({.keys = keys, .fpr = 0.01, .adapts = true}),
            "tamis:grow=no,members=caller,f=7");
  EXPECT_EQ(SpecFor({.keys = keys, .fpr = 0.01, .source = source}),
            "tamis:grow=no,members=source,f=7");
  EXPECT_EQ(SpecFor({.keys = keys, .fpr = 0.01, .grows = true}),
            "tamis:shards=split,members=caller,f=10");
  EXPECT_EQ(SpecFor({.keys = keys,
                     .fpr = 0.01,
                     .grows = true,
                     .deletes = true,
                     .source = source}),
            "tamis:shards=split,members=source,f=10");
}

TEST(Choose, ThreadsNeedTheFilterForThem) {
  EXPECT_EQ(SpecFor({.keys = 1000, .fpr = 0.01, .threads = true}),
            "tamis:threads=yes,members=caller,f=7");
  EXPECT_EQ(
      SpecFor({.keys = 1000, .fpr = 0.01, .grows = true, .threads = true}),
      "tamis:threads=yes,members=caller,f=10");
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "rsqf", .threads = true}),
              HasSubstr("can't be changed by several threads"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "tamis:threads=no", .threads = true}),
              HasSubstr("can't be changed by several threads"));
}

TEST(Choose, TakesOnePercentIfNothingIsSaid) {
  EXPECT_EQ(SpecFor({.keys = 1000}), SpecFor({.keys = 1000, .fpr = 0.01}));
}

TEST(Choose, FillsWhatASpecLeavesOpen) {
  EXPECT_EQ(SpecFor({.keys = 1000, .fpr = 0.001, .spec = "rsqf"}), "rsqf:r=10");
  EXPECT_EQ(SpecFor({.keys = 1000, .spec = "rsqf:r=9"}), "rsqf:r=9");
  EXPECT_EQ(SpecFor({.keys = 1000, .fpr = 0.001, .spec = "taf:overflow=evict"}),
            "taf:overflow=evict,r=10");
  EXPECT_EQ(
      SpecFor({.keys = 1000, .fpr = 0.01, .spec = "tamis:members=mirror"}),
      "tamis:members=mirror,f=7");
}

TEST(Choose, SaysWhatIsMissingOrCanNotBe) {
  EXPECT_THAT(SpecFor({}), HasSubstr("how many keys"));
  EXPECT_THAT(SpecFor({.keys = 9, .fpr = 0.1, .bits_per_key = 8}),
              HasSubstr("both .fpr and .bits_per_key"));
  for (const double fpr : {-0.5, 1.0, 1e300}) {
    EXPECT_THAT(SpecFor({.keys = 9, .fpr = fpr}),
                HasSubstr("not between 0 and 1"));
  }
  EXPECT_THAT(SpecFor({.keys = 9, .bits_per_key = -3}),
              HasSubstr(".bits_per_key is -3"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "nosuch"}), HasSubstr("unknown"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "blocked", .deletes = true}),
              HasSubstr("can't delete"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "rsqf", .grows = true}),
              HasSubstr("can't grow"));
  EXPECT_THAT(
      SpecFor(
          {.keys = 9, .spec = "tamis:grow=no,members=caller", .grows = true}),
      HasSubstr("can't grow"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "rsqf", .adapts = true}),
              HasSubstr("can't adapt"));
  EXPECT_THAT(SpecFor({.keys = 9, .fpr = 1e-6, .spec = "rsqf:r=8"}),
              HasSubstr("above .fpr"));
  EXPECT_THAT(SpecFor({.keys = 9, .fpr = 1e-30, .deletes = true}),
              HasSubstr("so low a rate"));
  EXPECT_THAT(SpecFor({.keys = 9, .fpr = 1e-30, .adapts = true}),
              HasSubstr("so low a rate: it needs f=100, more than 40"));
  EXPECT_THAT(SpecFor({.keys = 9, .bits_per_key = 1.5, .adapts = true}),
              HasSubstr("for mistakes alone"));
  EXPECT_THAT(SpecFor({.keys = 9, .bits_per_key = 1.5, .deletes = true}),
              HasSubstr("bits a key or more"));
  EXPECT_THAT(SpecFor({.keys = 9, .spec = "cached(bloom):share=7"}),
              HasSubstr("no parameter 'share'"));
  EXPECT_THAT(
      SpecFor(
          {.keys = 9, .bits_per_key = 900, .spec = "cached(bloom):share=7"}),
      HasSubstr("no parameter 'share'"));
}

TEST(Choose, SaysWhatIsTooLarge) {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  for (const Filter::Options& options :
       {Filter::Options{}, Filter::Options{.deletes = true},
        Filter::Options{.adapts = true}, Filter::Options{.grows = true},
        Filter::Options{.threads = true}}) {
    Filter::Options large = options;
    for (const uint64_t keys : {kMost + 1, ~uint64_t{0}}) {
      for (const double fpr : {0.0, 1e-9}) {
        large.keys = keys;
        large.fpr = fpr;
        EXPECT_THAT(SpecFor(large), HasSubstr("expected 2^40 at most"));
      }
    }
    large = options;
    large.keys = 1000;
    large.bits_per_key = 1e300;
    EXPECT_THAT(SpecFor(large), HasSubstr("2^20 at most"));
    large.bits_per_key = 2000;  // more than the widest takes: that one
    EXPECT_TRUE(Filter::Create(large).ok()) << SpecFor(large);
  }
}

// Asks for absent keys; returns how many are taken for members.
uint64_t FalsePositives(const Filter& filter, uint64_t queries) {
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < queries; ++i) {
    wrong += filter.MayContain((uint64_t{1} << 40) + i) ? 1 : 0;
  }
  return wrong;
}

void ExpectRate(const Filter& filter, double fpr) {
  constexpr uint64_t kQueries = 400'000;
  EXPECT_TRUE(
      testing::RateIsAtMost(FalsePositives(filter, kQueries), kQueries, fpr))
      << filter.spec().ToString() << " with " << filter.size() << " keys";
}

void InsertUpTo(uint64_t keys, Filter* filter) {
  for (uint64_t key = filter->size(); key < keys; ++key) {
    ASSERT_TRUE(filter->Insert(key).ok());
  }
}

TEST(Promise, RateOfEveryRowOfTheTable) {
  constexpr uint64_t kKeys = 20'000;
  for (const double fpr : {0.03, 0.01, 0.001}) {
    for (const Filter::Options& options :
         {Filter::Options{}, Filter::Options{.deletes = true},
          Filter::Options{.adapts = true}, Filter::Options{.grows = true},
          Filter::Options{.spec = "infini", .grows = true},
          Filter::Options{.spec = "cuckooing"}}) {
      Filter::Options sized = options;
      sized.keys = kKeys;
      sized.fpr = fpr;
      Filter filter = MustChoose(sized);
      InsertUpTo(kKeys, &filter);
      ExpectRate(filter, fpr);
    }
  }
}

// The rate is highest at the end of a generation: look at every one on the way.
TEST(Promise, RateUpToAThousandTimesTheKeys) {
  for (const double fpr : {0.01, 0.003}) {
    for (const uint64_t start : {uint64_t{100}, uint64_t{777}}) {
      Filter filter = MustChoose({.keys = start, .fpr = fpr, .grows = true});
      for (uint64_t keys = start; keys <= start * internal::kGrowth;
           keys += keys / 16) {
        InsertUpTo(keys, &filter);
        EXPECT_LE(filter.stats().expected_fpr, fpr)
            << filter.spec().ToString() << " " << start << " -> " << keys;
      }
      InsertUpTo(start * internal::kGrowth, &filter);
      ExpectRate(filter, fpr);
      ASSERT_TRUE(filter.CheckInvariants().ok());
    }
  }
}

// And it is no waste: a bit less would not do.
TEST(Promise, IsNotMoreThanAskedFor) {
  for (const double fpr : {0.1, 0.01, 0.001}) {
    Filter filter = MustChoose({.keys = 500, .fpr = fpr, .grows = true});
    InsertUpTo(500 * internal::kGrowth, &filter);
    EXPECT_GT(filter.stats().expected_fpr, fpr / 2.5);
  }
}

TEST(Promise, BudgetOfEveryRowOfTheTable) {
  constexpr uint64_t kKeys = 20'000;
  for (const double bits : {12.0, 14.0, 16.0}) {
    for (const Filter::Options& options :
         {Filter::Options{}, Filter::Options{.deletes = true},
          Filter::Options{.adapts = true}, Filter::Options{.grows = true}}) {
      Filter::Options sized = options;
      sized.keys = kKeys;
      sized.bits_per_key = bits;
      Filter filter = MustChoose(sized);
      InsertUpTo(kKeys, &filter);
      EXPECT_LE(filter.stats().BitsPerKey(), bits) << filter.spec().ToString();
      EXPECT_GT(filter.stats().BitsPerKey(), bits * 0.7)
          << filter.spec().ToString();
      EXPECT_EQ(filter.stats().side_bits, 0);
    }
  }
}

// What it learns is part of the budget.
TEST(Promise, BudgetWithAllItLearns) {
  constexpr uint64_t kKeys = 20'000;
  constexpr double kBits = 12;
  SortedSource source;
  Filter filter =
      MustChoose({.keys = kKeys, .bits_per_key = kBits, .source = source});
  for (uint64_t key = 0; key < kKeys; ++key) {
    source.Add(filter.Hash(key));
    ASSERT_TRUE(filter.Insert(key).ok());
  }
  uint64_t reported = 0;
  for (uint64_t i = 0; i < 1'000'000; ++i) {
    const uint64_t absent = (uint64_t{1} << 40) + i;
    if (!filter.MayContain(absent)) continue;
    ASSERT_TRUE(filter.ReportFalsePositive(absent).ok());
    ++reported;
  }
  EXPECT_GT(reported, 1000);
  EXPECT_LE(filter.stats().BitsPerKey(), kBits);
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

}  // namespace
}  // namespace tamis
