#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "tamis/serialize.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

using Members = TamisFilter::Members;

TamisFilter Make(TamisFilter::Options options, uint64_t seed = 1) {
  return TamisFilter::Create(options, Hasher(Seed{seed, ~seed})).value();
}
constexpr uint64_t kAbsent = uint64_t{1} << 40;

void InsertKeys(TamisFilter& filter, uint64_t first, uint64_t count) {
  for (uint64_t key = first; key < first + count; ++key) {
    const Status status = filter.Insert(filter.hasher().Hash(key));
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}
void ExpectKeys(const TamisFilter& filter, uint64_t count) {
  const Status status = filter.CheckInvariants();
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (uint64_t key = 0; key < count; ++key) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(key)));
  }
}
// Adapts to the false positives among `tries` absent keys; returns those that
// it was told of and fixed.
std::vector<KeyHash> Teach(TamisFilter& filter, uint64_t tries) {
  std::vector<KeyHash> fixed;
  for (uint64_t i = 0; i < tries; ++i) {
    const KeyHash absent = filter.hasher().Hash(kAbsent + i);
    if (!filter.MayContain(absent)) continue;
    const Result<AdaptOutcome> outcome = filter.Adapt(absent);
    EXPECT_TRUE(outcome.ok()) << outcome.status().ToString();
    EXPECT_NE(*outcome, AdaptOutcome::kNothingToFix);
    if (*outcome != AdaptOutcome::kNotFixed) fixed.push_back(absent);
  }
  return fixed;
}
uint64_t CountPositives(const TamisFilter& filter,
                        const std::vector<KeyHash>& hashes) {
  return static_cast<uint64_t>(
      std::count_if(hashes.begin(), hashes.end(),
                    [&](KeyHash hash) { return filter.MayContain(hash); }));
}

// 17.2 bits a key just before a step, 21.9 after: what doubling would make 34.
TEST(Tamis, GrowsByAQuarterAtATime) {
  TamisFilter filter = Make({.slots = 1024, .members = Members::kCaller});
  double most = 0;
  double sum = 0;
  uint64_t samples = 0;
  for (uint64_t n = 0; n < 1 << 18; ++n) {
    ASSERT_TRUE(filter.Insert(filter.hasher().Hash(n)).ok());
    if (n < 1 << 16) continue;
    const double bits = filter.stats().BitsPerKey();
    most = std::max(most, bits);
    sum += bits;
    ++samples;
  }
  EXPECT_LE(most, 22.3);
  EXPECT_LE(sum / static_cast<double>(samples), 20.0);
  EXPECT_GT(filter.generation(), 5);
  ExpectKeys(filter, 1 << 18);
}

// Blocks of allocators have 1, 1.25, 1.5 or 1.75 times a power of two bytes; a
// host gives a line more than a table has.  The homes a line are those of files.
TEST(Tamis, FourStepsFillBlocksOfAnAllocator) {
  std::set<int> homes;
  for (uint64_t keys = 8'000; keys < 100'000; keys += keys / 16) {
    const auto shard =
        TamisFilter::CreateShard({.fingerprint_bits = 11,
                                  .steps = 4,
                                  .members = TamisFilter::Members::kCaller,
                                  .extension_bits = 0,
                                  .threshold = 0.97},
                                 Hasher(), keys);
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    const uint64_t bytes = shard->active().table().SizeBits() / 8 + 64;
    const uint64_t quarter = std::bit_floor(bytes - 1) / 4;
    const uint64_t block = (bytes + quarter - 1) / quarter * quarter;
    EXPECT_LE(static_cast<double>(block), 1.04 * static_cast<double>(bytes));
    homes.insert(shard->active().homes_per_line());
  }
  EXPECT_EQ(homes, (std::set<int>{19, 22, 26, 33}));
}

TEST(Tamis, ShrinksToWhereItBegan) {
  TamisFilter filter = Make({.slots = 64, .fingerprint_bits = 5});
  InsertKeys(filter, 0, 20'000);
  EXPECT_GT(filter.generation(), 6);
  EXPECT_GT(filter.voids().size(), 0u);
  for (uint64_t key = 20'000; key-- > 20;) {
    ASSERT_TRUE(filter.Erase(filter.hasher().Hash(key)).ok());
  }
  EXPECT_EQ(filter.generation(), 0);
  EXPECT_EQ(filter.step(), 0);
  EXPECT_EQ(filter.voids().size(), 0u);
  ExpectKeys(filter, 20);
}

TEST(Tamis, WhatIsFixedStaysFixedWhileItGrows) {
  TamisFilter filter =
      Make({.slots = 4000, .fingerprint_bits = 6, .extension_bits = 32});
  InsertKeys(filter, 0, 3500);
  const std::vector<KeyHash> fixed = Teach(filter, 100'000);
  ASSERT_GT(fixed.size(), 500u);
  EXPECT_EQ(CountPositives(filter, fixed), 0u);
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(filter.Expand().ok());
    EXPECT_EQ(CountPositives(filter, fixed), 0u) << "after " << i << " steps";
    ExpectKeys(filter, 3500);
  }
  const auto bytes = Serialize(filter).value();
  const TamisFilter loaded = Deserialize<TamisFilter>(bytes).value();
  EXPECT_EQ(CountPositives(loaded, fixed), 0u);
}

// Asked for ever, a filter with room for its fixes is wrong about each absent
// key at most once.
TEST(Tamis, NoKeyIsWrongTwice) {
  TamisFilter filter = Make({.slots = 5000,
                             .fingerprint_bits = 5,
                             .grow = false,
                             .extension_bits = 64});
  InsertKeys(filter, 0, 4900);
  (void)Teach(filter, 50'000);
  for (uint64_t i = 0; i < 50'000; ++i) {
    ASSERT_FALSE(filter.MayContain(filter.hasher().Hash(kAbsent + i)));
  }
  ExpectKeys(filter, 4900);
}

TEST(Tamis, AFixCostsAtMost34Bits) {
  TamisFilter filter = Make({.slots = 125'000,
                             .fingerprint_bits = 8,
                             .grow = false,
                             .members = Members::kMirror,
                             .extension_bits = 8});
  InsertKeys(filter, 0, 124'518);
  (void)Teach(filter, 2'000'000);
  const uint64_t fixes = filter.extensions().size();
  ASSERT_GT(fixes, 5000u);
  EXPECT_LE(filter.extensions().SizeBits() / filter.extensions().capacity(),
            34u);
}

TEST(Tamis, ForgetsWithinItsBudget) {
  TamisFilter filter = Make({.slots = 5000,
                             .fingerprint_bits = 5,
                             .grow = false,
                             .extension_bits = 2});
  InsertKeys(filter, 0, 4900);
  uint64_t resets = 0;
  for (uint64_t i = 0; i < 100'000; ++i) {
    const KeyHash absent = filter.hasher().Hash(kAbsent + i);
    if (!filter.MayContain(absent)) continue;
    const Result<AdaptOutcome> outcome = filter.Adapt(absent);
    ASSERT_TRUE(outcome.ok());
    resets += static_cast<uint64_t>(*outcome == AdaptOutcome::kReset);
    // The tail of its table may have to grow, by four lines, and chance may
    // bring four long extensions more than were reckoned with.
    ASSERT_LE(filter.extensions().SizeBits(), 2u * 5000u + 4 * 512u + 4 * 128u);
  }
  EXPECT_GT(resets, 100u);
  EXPECT_EQ(filter.stats().details[8].first, "forgotten");
  EXPECT_GT(filter.stats().details[8].second, 100);
  ExpectKeys(filter, 4900);
  filter.Forget(0);
  EXPECT_TRUE(filter.extensions().empty());
  ExpectKeys(filter, 4900);
}

TEST(Tamis, ThousandsOfCopies) {
  for (const bool grow : {true, false}) {
    TamisFilter filter = Make({.slots = grow ? 64u : 9000u,
                               .fingerprint_bits = 4,
                               .grow = grow,
                               .extension_bits = 64});
    const KeyHash key = filter.hasher().Hash(uint64_t{7});
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(filter.Insert(key).ok());
    InsertKeys(filter, 100, 4000);
    (void)Teach(filter, 3000);
    ASSERT_TRUE(filter.CheckInvariants().ok());
    for (int i = 0; i < 4000; ++i) {
      ASSERT_TRUE(filter.MayContain(key));
      ASSERT_TRUE(filter.Erase(key).ok());
    }
    EXPECT_EQ(filter.Erase(key).code(), StatusCode::kNotFound);
    for (uint64_t k = 100; k < 4100; ++k) {
      ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(k)));
    }
    ASSERT_TRUE(filter.CheckInvariants().ok());
  }
}

// Count sees what MayContain sees: aged, extended and void entries.
TEST(Tamis, CountsWhatMatches) {
  TamisFilter filter =
      Make({.slots = 50, .fingerprint_bits = 4, .extension_bits = 32});
  for (uint64_t key = 0; key < 3000; ++key) {
    for (uint64_t i = 0; i <= key % 3; ++i) InsertKeys(filter, key, 1);
  }
  (void)Teach(filter, 5000);
  ASSERT_GT(filter.voids().size(), 0u);
  ASSERT_GT(filter.extensions().size(), 100u);
  for (uint64_t key = 0; key < 3000; ++key) {
    ASSERT_GE(filter.Count(filter.hasher().Hash(key)), key % 3 + 1);
  }
  uint64_t more_than_one = 0;
  for (uint64_t key = kAbsent; key < kAbsent + 20'000; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    ASSERT_EQ(filter.Count(hash) > 0, filter.MayContain(hash));
    more_than_one += static_cast<uint64_t>(filter.Count(hash) > 1);
  }
  EXPECT_GT(more_than_one, 0u);
  TamisFilter fine = Make({.slots = 100, .fingerprint_bits = 40});
  InsertKeys(fine, 1, 1);
  InsertKeys(fine, 1, 1);
  EXPECT_EQ(fine.Count(fine.hasher().Hash(uint64_t{1})), 2u);
  EXPECT_EQ(fine.Count(fine.hasher().Hash(uint64_t{2})), 0u);
}

TEST(Tamis, ListsOfMembers) {
  TamisFilter filter =
      Make({.slots = 100, .fingerprint_bits = 3, .members = Members::kCaller});
  InsertKeys(filter, 0, 90);
  uint64_t absent_key = kAbsent;
  while (!filter.MayContain(filter.hasher().Hash(absent_key))) ++absent_key;
  const KeyHash absent = filter.hasher().Hash(absent_key);
  const auto range = filter.CollisionRange(absent);
  ASSERT_TRUE(range.has_value());
  std::vector<KeyHash> members;
  for (uint64_t key = 0; key < 90; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    if (range->low <= hash && hash <= range->high) members.push_back(hash);
  }
  ASSERT_FALSE(members.empty());
  const uint64_t erases = filter.num_erases();
  EXPECT_EQ(*filter.Adapt(absent), AdaptOutcome::kNotFixed);
  EXPECT_EQ(*filter.Adapt(absent, {}, erases), AdaptOutcome::kNotFixed);
  EXPECT_EQ(filter.Adapt(absent, members, erases + 1).status().code(),
            StatusCode::kStale);
  std::vector<KeyHash> too_many(200, members[0]);
  EXPECT_EQ(filter.Adapt(absent, too_many, erases).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(filter.Adapt(members[0], members, erases).status().code(),
            StatusCode::kIsMember);
  EXPECT_TRUE(filter.MayContain(absent));
  EXPECT_EQ(*filter.Adapt(absent, members, erases), AdaptOutcome::kFixed);
  EXPECT_FALSE(filter.MayContain(absent));
  EXPECT_FALSE(filter.CollisionRange(absent).has_value());
  ExpectKeys(filter, 90);
}

TEST(Tamis, MergeKeepsWhatBothLearnt) {
  const TamisFilter::Options options = {
      .slots = 500, .fingerprint_bits = 6, .extension_bits = 64};
  TamisFilter small = Make(options);
  TamisFilter large = Make(options);
  InsertKeys(small, 0, 400);
  InsertKeys(large, 400, 5000);
  (void)Teach(small, 20'000);
  (void)Teach(large, 20'000);
  TamisFilter both = Make(options);
  ASSERT_TRUE(both.Merge(small).ok());
  EXPECT_GT(both.extensions().size(), 0u);
  ASSERT_TRUE(both.Merge(large).ok());
  EXPECT_EQ(both.size(), 5400u);
  ExpectKeys(both, 5400);
  const TamisFilter other = Make({.slots = 501, .fingerprint_bits = 6});
  EXPECT_EQ(both.Merge(other).code(), StatusCode::kIncompatible);
  // At the same homes other steps are other sizes.
  const TamisFilter stepped =
      Make({.slots = 500, .fingerprint_bits = 6, .steps = 2});
  EXPECT_EQ(both.Merge(stepped).code(), StatusCode::kIncompatible);
}

// Where one member in a hundred is extended, few others ask the second table.
TEST(Tamis, TheScreenKeepsMembersOffTheExtensions) {
  constexpr uint64_t kKeys = 50'000;
  TamisFilter filter =
      Make({.slots = 56'000, .fingerprint_bits = 8, .extension_bits = 2});
  InsertKeys(filter, 0, kKeys);
  for (uint64_t i = 0; filter.extensions().size() < kKeys / 100; ++i) {
    (void)filter.Adapt(filter.hasher().Hash(kAbsent + i)).ok();
  }
  uint64_t passed = 0;
  for (uint64_t key = 0; key < kKeys; ++key) {
    passed += static_cast<uint64_t>(
        filter.extensions().MayHave(filter.hasher().Hash(key)));
  }
  EXPECT_GE(passed, kKeys / 100);
  EXPECT_LE(passed, kKeys / 11);
}

// A random absent key is taken for a member as often as the formula says, with
// entries of all ages, voids and extensions.
TEST(Tamis, ExpectedFprIsWhatIsMeasured) {
  for (const bool taught : {false, true}) {
    TamisFilter filter =
        Make({.slots = 100, .fingerprint_bits = 5, .extension_bits = 32}, 3);
    InsertKeys(filter, 0, 30'000);
    if (taught) (void)Teach(filter, 40'000);
    constexpr uint64_t kTries = 400'000;
    uint64_t found = 0;
    for (uint64_t i = 0; i < kTries; ++i) {
      found += filter.MayContain(filter.hasher().Hash((kAbsent << 1) + i));
    }
    const double expected = filter.ExpectedFpr() * kTries;
    EXPECT_NEAR(static_cast<double>(found), expected,
                5 * std::sqrt(expected) + 0.03 * expected)
        << (taught ? "taught" : "fresh");
  }
}

TEST(Tamis, RejuvenatesFromTheMirror) {
  TamisFilter aged = Make({.slots = 100, .fingerprint_bits = 6});
  TamisFilter young =
      Make({.slots = 100, .fingerprint_bits = 6, .rejuvenate_all = true});
  InsertKeys(aged, 0, 20'000);
  InsertKeys(young, 0, 20'000);
  EXPECT_LT(young.ExpectedFpr(), aged.ExpectedFpr() / 2);
  EXPECT_EQ(young.voids().size(), 0u);
  ASSERT_TRUE(aged.RejuvenateAll().ok());
  EXPECT_DOUBLE_EQ(young.ExpectedFpr(), aged.ExpectedFpr());
  ExpectKeys(young, 20'000);
  ExpectKeys(aged, 20'000);
}

TEST(Tamis, RefusesWhatItCannotBe) {
  const auto code = [](const TamisFilter::Options& options) {
    return TamisFilter::Create(options).status().code();
  };
  EXPECT_EQ(code({.slots = 0}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.slots = 9, .fingerprint_bits = 2}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.slots = 9, .fingerprint_bits = 41}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.slots = 9, .steps = 5}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.slots = 9, .members = Members::kSource}),
            StatusCode::kUnsupported);
  EXPECT_EQ(Make({.slots = 9, .grow = false}).Expand().code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tamis::testing
