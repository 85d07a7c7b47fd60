// What TAF and exAF promise: the distribution of selectors, that a fixed false
// positive stays fixed, space, and look-ups that agree with the definition.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "filters/quotient/harness.h"
#include "model/forged.h"
#include "tamis/any_filter.h"
#include "tamis/internal/codes/selector_model.h"

namespace tamis::testing {
namespace {

template <typename F>
F Filled(const AdaptiveOptions& options, double load, uint64_t seed = 1) {
  F filter = F::Create(options, Hasher(Seed{seed, ~seed})).value();
  const auto count =
      static_cast<uint64_t>(load * static_cast<double>(options.slots));
  for (uint64_t key = 0; key < count; ++key) {
    EXPECT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  return filter;
}

constexpr uint64_t kAbsent = uint64_t{1} << 40;

// Asks for absent keys [first, limit), and adapts to false positives.
template <typename F>
void AdaptTo(F& filter, uint64_t first, uint64_t limit) {
  for (uint64_t i = first; i < limit; ++i) {
    const KeyHash x = filter.hasher().Hash(kAbsent + i);
    if (filter.MayContain(x)) {
      ASSERT_TRUE(filter.Adapt(x).ok());
    }
  }
}

std::vector<double> SelectorCounts(const Taf& filter) {
  std::vector<double> counts(internal::kNumSelectors);
  filter.table().ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    ++counts[filter.letters().at(slot)];
  });
  return counts;
}

// Lemma 2 for m homes, and Corollary 3.
TEST(TafSelectors, FollowLemma2AndCorollary3) {
  constexpr uint64_t kSlots = 40'000;
  constexpr double kLoad = 0.95;
  Taf filter = Filled<Taf>({.slots = kSlots}, kLoad);
  const auto n = static_cast<double>(filter.size());
  uint64_t asked = 0;
  for (const double c : {1.0, 4.0, 10.0}) {
    const auto limit = static_cast<uint64_t>(c * n);
    AdaptTo(filter, asked, limit);
    asked = limit;
    const std::vector<double> counts = SelectorCounts(filter);
    const double p0 = std::pow(1 - 1 / (kSlots * 256.0), c * n);
    EXPECT_NEAR(counts[0] / n, p0, 4 * std::sqrt(p0 * (1 - p0) / n));
    for (int k = 1; k < internal::kNumSelectors; ++k) {
      const double bound = internal::Corollary3Bound(k, c, 8);
      EXPECT_LE(counts[static_cast<size_t>(k)] / n,
                bound + 4 * std::sqrt(bound / n))
          << "selector " << k << ", c = " << c;
    }
    if (c <= 4) {
      EXPECT_EQ(filter.groups_reset(), 0u) << "Theorem 4";
    }
  }
}

TEST(TafSelectors, FewGroupsOverflowAfter20nQueries) {
  Taf filter =
      Filled<Taf>({.slots = 20'000, .overflow = OverflowPolicy::kReset}, 0.95);
  AdaptTo(filter, 0, 20 * filter.size());
  EXPECT_LT(static_cast<double>(filter.groups_reset()), 0.01 * 20'000 / 64);
}

TEST(Taf, SpendsElevenBitsASlot) {
  const Taf filter = Taf::Create({.slots = 1 << 20}).value();
  EXPECT_LE(static_cast<double>(filter.SizeBits()) / (1 << 20), 11.15);
}

TEST(Utaf, SpendsEightBitsASlotOnSelectors) {
  const Utaf filter = Utaf::Create({.slots = 1 << 20}).value();
  const auto bits = static_cast<double>(filter.SizeBits()) / (1 << 20);
  EXPECT_NEAR(bits, 10.24 + 8, 0.05);
}

// Adapts, refusals and the number of slots of each selector are reported.
TEST(Taf, ReportsWhatItDid) {
  Taf filter = Filled<Taf>({.slots = 4000, .remainder_bits = 4}, 0.9);
  AdaptTo(filter, 0, 8000);
  const FilterStats stats = filter.stats();
  const auto detail = [&](const std::string& name) {
    for (const auto& [key, value] : stats.details) {
      if (key == name) return value;
    }
    ADD_FAILURE() << "no detail " << name;
    return 0.0;
  };
  EXPECT_GT(detail("adapts"), 100);
  EXPECT_LE(detail("refusals"), detail("adapts"));
  EXPECT_EQ(detail("resets"), 0);
  const std::vector<double> counts = SelectorCounts(filter);
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(detail("selectors " + std::to_string(i)), counts[i]);
  }
  EXPECT_GT(detail("bits used per code"), 1);
  EXPECT_LE(detail("bits used per code"), detail("most bits used by a code"));
  EXPECT_LE(detail("most bits used by a code"), 56);
}

template <typename F>
void ExpectFixedStaysFixed(uint64_t allowed) {
  F filter = Filled<F>({.slots = 20'000}, 0.9);
  std::vector<KeyHash> fixed;
  for (uint64_t i = 0; i < 60'000; ++i) {
    const KeyHash x = filter.hasher().Hash(kAbsent + i);
    if (!filter.MayContain(x)) continue;
    ASSERT_EQ(filter.Adapt(x).value(), AdaptOutcome::kFixed);
    ASSERT_FALSE(filter.MayContain(x));
    fixed.push_back(x);
  }
  ASSERT_GT(fixed.size(), 100u);
  uint64_t again = 0;
  for (const KeyHash x : fixed) again += filter.MayContain(x);
  EXPECT_LE(again, allowed) << "of " << fixed.size();
}

TEST(Taf, AFixedFalsePositiveSeldomComesBack) {
  // Some 200 are fixed; each comes back with probability 2^-8 at most.
  ExpectFixedStaysFixed<Taf>(5);
}
TEST(Exaf, AFixedFalsePositiveNeverComesBack) {
  ExpectFixedStaysFixed<Exaf>(0);
}

// Up to the last selector, whose window may reach beyond the hash (or, in a
// table of few homes, may not): a query that differs from the member in the next
// window only, again and again.
void ExpectMemberUnderEverySelector(int r, int home_bits) {
  SCOPED_TRACE("r = " + std::to_string(r) + ", 2^" + std::to_string(home_bits));
  const uint64_t homes = uint64_t{1} << home_bits;
  Taf filter =
      Taf::Create({.slots = homes, .remainder_bits = r}, Hasher(Seed{1, 2}))
          .value();
  const KeyHash member = filter.hasher().Hash(1);
  ASSERT_TRUE(filter.Insert(member).ok());
  const uint64_t slot = internal::Place(member, homes).home;
  for (uint32_t selector = 1; selector <= internal::kMaxSelector; ++selector) {
    const unsigned bit =
        static_cast<unsigned>(home_bits) + static_cast<unsigned>(r) * selector;
    KeyHash x = member;
    (bit < 64 ? x.high : x.low) ^= uint64_t{1} << (63 - bit % 64);
    ASSERT_EQ(filter.Adapt(x).value(), AdaptOutcome::kFixed);
    ASSERT_EQ(filter.letters().at(slot), selector);
    ASSERT_TRUE(filter.MayContain(member));
    ASSERT_FALSE(filter.MayContain(x));
    std::array<bool, 2> batched;
    filter.MayContain(std::array{member, x}, batched);
    ASSERT_TRUE(batched[0]);
    ASSERT_FALSE(batched[1]);
  }
}
TEST(Taf, FindsItsMemberUnderEverySelector) {
  for (int r = 4; r <= 16; ++r) {
    ExpectMemberUnderEverySelector(r, 10);
    ExpectMemberUnderEverySelector(r, 2);
    ExpectMemberUnderEverySelector(r, 0);
  }
}

// A run of eight, in a filter that has adapted: more than is compared at once.
TEST(Taf, FindsAllMembersOfALongRunAtEveryWidth) {
  for (int r = 4; r <= 16; ++r) {
    SCOPED_TRACE("r = " + std::to_string(r));
    Taf filter =
        Taf::Create({.slots = 8, .remainder_bits = r}, Hasher(Seed{1, 2}))
            .value();
    std::vector<KeyHash> members;
    for (uint64_t key = 0; key < 8; ++key) {
      KeyHash hash = filter.hasher().Hash(key);
      hash.high >>= 3;  // home 0
      members.push_back(hash);
      ASSERT_TRUE(filter.Insert(hash).ok());
    }
    KeyHash x = members[4];
    x.high ^= uint64_t{1} << (63 - 3 - r);  // the first bit of window 1
    ASSERT_TRUE(filter.Adapt(x).ok());
    ASSERT_TRUE(filter.is_adapted());
    std::array<bool, 8> batched;
    filter.MayContain(members, batched);
    for (size_t i = 0; i < members.size(); ++i) {
      EXPECT_TRUE(filter.MayContain(members[i])) << i;
      EXPECT_TRUE(batched[i]) << i;
    }
  }
}

// Behind the last selector comes 0 again, which brings back what the first
// fixes were made for: that is a reset, and must be reported as one.
TEST(Taf, SelectorsThatWrapAroundAreReportedAsAReset) {
  Taf filter = Filled<Taf>({.slots = 1, .remainder_bits = 4}, 1);
  int wrapped = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    const KeyHash x = filter.hasher().Hash(kAbsent + i);
    if (!filter.MayContain(x)) continue;
    const uint32_t before = filter.letters().at(0);
    const AdaptOutcome outcome = filter.Adapt(x).value();
    const bool wraps = filter.letters().at(0) < before;
    ASSERT_EQ(outcome, wraps ? AdaptOutcome::kReset : AdaptOutcome::kFixed);
    wrapped += wraps;
  }
  EXPECT_GT(wrapped, 3);
}

// The look-up without decoding against the definition, slot by slot.
template <typename F, typename Kind>
void ExpectLookupsByDefinition(int r, uint64_t slots) {
  F filter = Filled<F>({.slots = slots, .remainder_bits = r}, 0.97);
  AdaptTo(filter, 0, 20 * slots);
  uint64_t positive = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    const KeyHash x = filter.hasher().Hash(kAbsent + 50 * slots + i);
    const internal::HashString string(x, slots);
    const auto run = filter.table().FindRun(internal::Place(x, slots).home);
    bool expected = false;
    for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
      expected |= Kind::Matches(string, r, filter.letters().at(slot),
                                filter.table().Get(slot));
    }
    ASSERT_EQ(filter.MayContain(x), expected) << "r = " << r;
    positive += expected;
  }
  if (r <= 8) {
    EXPECT_GT(positive, 0u);
  }
}

TEST(Lookup, OfTafFollowsTheDefinition) {
  for (int r = 4; r <= 16; ++r) {
    ExpectLookupsByDefinition<Taf, internal::TafTraits>(r, 1000);
  }
}
TEST(Lookup, OfExafFollowsTheDefinition) {
  for (const int r : {4, 5, 8, 9, 16}) {
    ExpectLookupsByDefinition<Exaf, internal::ExafTraits>(r, 1000);
  }
}
TEST(Lookup, OfUtafFollowsTheDefinition) {
  for (const int r : {4, 8, 16}) {
    ExpectLookupsByDefinition<Utaf, internal::UtafTraits>(r, 1000);
  }
}

// All keys in one home: a run of many lines.
TEST(Lookup, FollowsLongRuns) {
  Taf filter = Taf::Create({.slots = 400}).value();
  std::vector<KeyHash> members;
  for (uint64_t i = 0; i < 300; ++i) {
    members.push_back({(uint64_t{123} << 55) + i * 0x9e3779b97f4a, i});
    ASSERT_TRUE(filter.Insert(members.back()).ok());
  }
  for (const KeyHash hash : members) ASSERT_TRUE(filter.MayContain(hash));
  ASSERT_TRUE(filter.CheckInvariants().ok());
}

TEST(Exaf, AdaptOnInsertKeepsFingerprintsDifferent) {
  Exaf filter = Filled<Exaf>(
      {.slots = 2000, .remainder_bits = 8, .adapt_on_insert = true}, 0.5);
  uint64_t collisions = 0;
  for (uint64_t key = 0; key < filter.size(); ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    const internal::HashString string(hash, 2000);
    const auto run = filter.table().FindRun(internal::Place(hash, 2000).home);
    uint64_t matching = 0;
    for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
      matching += internal::ExafTraits::Matches(
          string, 8, filter.letters().at(slot), filter.table().Get(slot));
    }
    collisions += matching - 1;
  }
  EXPECT_EQ(collisions, 0u);
}

TEST(Exaf, RehashGivesAllExtensionsBack) {
  Exaf filter = Filled<Exaf>(
      {.slots = 2000, .remainder_bits = 6, .rehash_after = 200}, 0.9);
  AdaptTo(filter, 0, 40'000);
  ASSERT_TRUE(filter.CheckInvariants().ok());
  for (uint64_t key = 0; key < filter.size(); ++key) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(key)));
  }
  EXPECT_GT(filter.epoch(), 0u);
  // Up to the next rehash: it leaves no extension but that of the last query.
  // And the strings are others each time.
  std::vector<uint64_t> before;
  filter.table().ForEach(
      [&](uint64_t, uint64_t, uint64_t value) { before.push_back(value); });
  const uint64_t epoch = filter.epoch();
  for (uint64_t i = 40'000; filter.epoch() == epoch; ++i) {
    AdaptTo(filter, i, i + 1);
  }
  uint64_t extended = 0, same = 0, i = 0;
  filter.table().ForEach([&](uint64_t, uint64_t slot, uint64_t value) {
    extended += filter.letters().at(slot) != 0;
    same += before[i++] == value;
  });
  EXPECT_LE(extended, 2u);
  EXPECT_LT(same, before.size() / 8) << "1 in 64 by chance";
}

// After a rehash, members are read by other strings: a filter that never
// rehashes would insert by those and look up by the first ones.
TEST(AdaptiveQuotientFiles, RehashesOfFiltersWithoutAnyAreNoticed) {
  for (const char* spec : {"taf:r=8", "utaf:r=8", "exaf:r=8"}) {
    const AnyFilter good = AnyFilter::Create(spec, 100).value();
    const auto forged = WithNumber(good.ToSnapshot(), "rehashes", 1);
    EXPECT_EQ(AnyFilter::FromSnapshot(forged).status().code(),
              StatusCode::kCorrupt)
        << spec;
  }
}

}  // namespace
}  // namespace tamis::testing
