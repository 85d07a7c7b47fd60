// What every filter promises of its answers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/conformance.h"
#include "model/statistics.h"

namespace tamis::testing {
namespace {

using std::string_view_literals::operator""sv;

TAMIS_CONFORMANCE_SUITE(ConformanceMembership);

TEST_P(ConformanceMembership, EmptyFilterSaysNo) {
  const AnyFilter filter = Make();
  EXPECT_EQ(filter.size(), 0u);
  const uint64_t tries = 10'000;
  EXPECT_TRUE(RateIsAtMost(FalsePositives(filter, tries).size(), tries,
                           filter.ExpectedFpr()));
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(ConformanceMembership, InsertedKeysAreFound) {
  AnyFilter filter = Make();
  ExpectAllFound(filter, Fill(filter));
}

TEST_P(ConformanceMembership, OneSlotWorks) {
  Result<AnyFilter> filter = Create(1, Hasher(Seed{1, 1}));
  if (!filter.ok()) {
    EXPECT_EQ(filter.status().code(), StatusCode::kInvalidArgument);
    return;
  }
  const std::vector<KeyHash> members =
      Hashes(*filter, 0, std::max<uint64_t>(1, filter->capacity() / 2));
  ASSERT_TRUE(filter->InsertEach(members).ok());
  ExpectAllFound(*filter, members);
}

TEST_P(ConformanceMembership, QueriesChangeNothing) {
  AnyFilter filter = Make();
  const std::vector<KeyHash> members = Fill(filter);
  const std::vector<std::byte> before = Bytes(filter);
  ExpectAllFound(filter, members);
  (void)FalsePositives(filter, 1000);
  (void)filter.stats();
  EXPECT_EQ(before, Bytes(filter));
}

TEST_P(ConformanceMembership, DuplicatesCount) {
  AnyFilter filter = Make();
  const KeyHash twice = filter.hasher().Hash("twice"sv);
  ASSERT_TRUE(filter.Insert(twice).ok());
  ASSERT_TRUE(filter.Insert(twice).ok());
  EXPECT_EQ(filter.size(), 2u);
  EXPECT_TRUE(filter.MayContain(twice));
  if (!filter.capabilities().erase) return;
  ASSERT_TRUE(filter.Erase(twice).ok());
  EXPECT_TRUE(filter.MayContain(twice)) << "one of two is left";
  ASSERT_TRUE(filter.Erase(twice).ok());
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_FALSE(filter.MayContain(twice));
}

TEST_P(ConformanceMembership, ManyDuplicatesAreFoundOrRefused) {
  AnyFilter filter = Make();
  const KeyHash same = filter.hasher().Hash("same"sv);
  uint64_t inserted = 0;
  while (inserted < 500 && filter.Insert(same).ok()) ++inserted;
  EXPECT_GE(inserted, 1u);
  EXPECT_EQ(filter.size(), inserted);
  EXPECT_TRUE(filter.MayContain(same));
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(ConformanceMembership, EraseGoesBackToEmpty) {
  AnyFilter filter = Make();
  if (!filter.capabilities().erase) GTEST_SKIP() << "has no Erase";
  const std::vector<KeyHash> members = Fill(filter);
  const size_t half = members.size() / 2;
  const std::vector<KeyHash> first(members.begin(),
                                   members.begin() + static_cast<long>(half));
  const std::vector<KeyHash> rest(members.begin() + static_cast<long>(half),
                                  members.end());
  ASSERT_TRUE(filter.EraseEach(first).ok());
  EXPECT_EQ(filter.size(), rest.size());
  ExpectAllFound(filter, rest);
  ASSERT_TRUE(filter.EraseEach(rest).ok());
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_EQ(filter.CountEach(members), 0u) << "empty, but still says yes";
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(ConformanceMembership, EraseOfAnAbsentKeyIsRefused) {
  AnyFilter filter = Make();
  if (!filter.capabilities().erase) GTEST_SKIP() << "has no Erase";
  (void)Fill(filter);
  const std::vector<std::byte> before = Bytes(filter);
  for (uint64_t i = 0; i < 1000; ++i) {
    const KeyHash hash = filter.hasher().Hash(kAbsent + i);
    // Where the filter says yes, it may not know better.
    if (filter.MayContain(hash)) continue;
    ASSERT_EQ(filter.Erase(hash).code(), StatusCode::kNotFound);
  }
  EXPECT_EQ(before, Bytes(filter));
}

TEST_P(ConformanceMembership, MovesKeepTheContents) {
  AnyFilter first = Make();
  const std::vector<KeyHash> members = Fill(first);
  AnyFilter second = std::move(first);
  ExpectAllFound(second, members);
  AnyFilter third = Make(2);
  (void)Fill(third, 0.25);
  third = std::move(second);
  ExpectAllFound(third, members);
  EXPECT_EQ(third.size(), members.size());
}

TEST_P(ConformanceMembership, IntegersAndTheirBytesAgree) {
  AnyFilter filter = Make();
  ASSERT_TRUE(filter.Insert(filter.hasher().Hash(uint64_t{0x2a})).ok());
  EXPECT_TRUE(filter.MayContain(filter.hasher().Hash("\x2a\0\0\0\0\0\0\0"sv)));
}

TEST_P(ConformanceMembership, BothHashersWork) {
  for (const HashAlgorithm algorithm :
       {HashAlgorithm::kXxh3, HashAlgorithm::kSipHash}) {
    const Hasher hasher(algorithm, Seed{3, 4});
    AnyFilter filter = Create(GetParam().slots, hasher).value();
    EXPECT_EQ(filter.hasher(), hasher);
    ExpectAllFound(filter, Fill(filter, 0.5));
  }
}

TEST_P(ConformanceMembership, ExtremeHashesAreFound) {
  AnyFilter filter = Make();
  const uint64_t ones = ~uint64_t{0};
  const std::vector<KeyHash> extremes = {
      {0, 0}, {ones, ones}, {ones, 0}, {0, ones}, {ones - 1, ones}};
  ASSERT_TRUE(filter.InsertEach(extremes).ok());
  ExpectAllFound(filter, extremes);
}

}  // namespace
}  // namespace tamis::testing
