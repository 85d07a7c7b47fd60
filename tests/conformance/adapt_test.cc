// Adaptive filters: a false positive that was reported is none any more, and
// no member is lost on the way.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "conformance/conformance.h"
#include "model/random_operations.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceAdapt);

TEST_P(ConformanceAdapt, FixesFalsePositivesAndLosesNoMember) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  const std::vector<KeyHash> members = Fill(filter, 0.8);
  uint64_t fixed = 0;
  const std::vector<KeyHash> wrong = FalsePositives(filter, 60'000);
  for (const KeyHash hash : wrong) {
    if (!filter.MayContain(hash)) continue;  // fixed together with another
    const Result<AdaptOutcome> outcome = filter.Adapt(hash);
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    ASSERT_NE(*outcome, AdaptOutcome::kNothingToFix);
    if (*outcome == AdaptOutcome::kNotFixed) continue;
    ++fixed;
    ASSERT_FALSE(filter.MayContain(hash)) << ToString(*outcome);
  }
  EXPECT_GE(fixed, wrong.empty() ? 0u : 1u) << "never fixed anything";
  ExpectAllFound(filter, members);
  EXPECT_EQ(filter.size(), members.size());
}

// The point of adapting: asked again, the same keys are mostly right.
TEST_P(ConformanceAdapt, RemembersWhatItFixed) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  (void)Fill(filter, 0.7);
  std::vector<KeyHash> wrong = FalsePositives(filter, 20'000);
  if (wrong.size() > 20) wrong.resize(20);
  for (const KeyHash hash : wrong) ASSERT_TRUE(filter.Adapt(hash).ok());
  EXPECT_LE(filter.CountEach(wrong), wrong.size() / 2)
      << "of " << wrong.size() << " false positives that it was told of";
}

// Where the filter can't know members, it must do them no harm.
TEST_P(ConformanceAdapt, OfAMemberLosesNoMember) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  if (TrustsAdapt(filter.spec())) {
    GTEST_SKIP() << "believes what it is told";
  }
  const bool knows = filter.capabilities().knows_members;
  const std::vector<KeyHash> members = Fill(filter);
  for (const KeyHash hash : members) {
    const Result<AdaptOutcome> outcome = filter.Adapt(hash);
    ASSERT_EQ(outcome.ok(), !knows);
    if (!knows) {
      ASSERT_EQ(*outcome, AdaptOutcome::kNotFixed);
    }
    ASSERT_TRUE(filter.MayContain(hash));
  }
  ExpectAllFound(filter, members);
}

TEST_P(ConformanceAdapt, OfAMemberIsRefused) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  if (!filter.capabilities().knows_members) {
    GTEST_SKIP() << "can't know its members";
  }
  const std::vector<KeyHash> members = Fill(filter);
  const std::vector<std::byte> before = Bytes(filter);
  for (const KeyHash hash : members) {
    const Result<AdaptOutcome> outcome = filter.Adapt(hash);
    ASSERT_EQ(outcome.status().code(), StatusCode::kIsMember);
  }
  EXPECT_EQ(Bytes(filter), before);
}

TEST_P(ConformanceAdapt, OfATrueNegativeDoesNothing) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  (void)Fill(filter);
  const std::vector<std::byte> before = Bytes(filter);
  for (uint64_t i = 0; i < 1000; ++i) {
    const KeyHash hash = filter.hasher().Hash(kAbsent + i);
    if (filter.MayContain(hash)) continue;
    const Result<AdaptOutcome> outcome = filter.Adapt(hash);
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    ASSERT_EQ(*outcome, AdaptOutcome::kNothingToFix);
  }
  EXPECT_EQ(Bytes(filter), before);
}

// Adapts between inserts: codes overflow while entries are being moved.
TEST_P(ConformanceAdapt, InsertsBetweenAdaptsLoseNoMember) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  std::vector<KeyHash> members;
  const uint64_t count = filter.capacity() * 8 / 10;
  for (uint64_t key = 0; key < count; ++key) {
    members.push_back(filter.hasher().Hash(key));
    ASSERT_TRUE(filter.Insert(members.back()).ok());
    for (uint64_t i = 0; i < 20; ++i) {
      const KeyHash hash = filter.hasher().Hash(kAbsent + 20 * key + i);
      if (!filter.MayContain(hash)) continue;
      ASSERT_TRUE(filter.Adapt(hash).ok());
    }
    if (key % 256 == 0) ExpectAllFound(filter, members);
  }
  ExpectAllFound(filter, members);
}

// An adversary repeats one false positive for as long as it is one.
TEST_P(ConformanceAdapt, ARepeatedFalsePositiveEnds) {
  AnyFilter filter = Make();
  if (!filter.capabilities().adapt) GTEST_SKIP() << "has no Adapt";
  const std::vector<KeyHash> members = Fill(filter, 0.6);
  const std::vector<KeyHash> wrong = FalsePositives(filter, 20'000);
  if (wrong.empty()) GTEST_SKIP() << "has no false positive";
  uint64_t rounds = 0;
  while (rounds < 100 && filter.MayContain(wrong[0])) {
    const Result<AdaptOutcome> outcome = filter.Adapt(wrong[0]);
    ASSERT_TRUE(outcome.ok());
    if (*outcome == AdaptOutcome::kNotFixed) break;
    ++rounds;
  }
  EXPECT_LT(rounds, 100u);
  ExpectAllFound(filter, members);
}

}  // namespace
}  // namespace tamis::testing
