// What Adapt does, filter by filter.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filters/cuckoo/cuckoo_testing.h"
#include "tamis/adaptive_cuckoo.h"

namespace tamis::testing {
namespace {

CuckooingFilter FilledCuckooing(std::string_view spec, uint64_t slots,
                                uint64_t keys, uint64_t seed) {
  CuckooingFilter filter =
      std::move(CuckooingFilter::Create(*Spec::Parse(spec), slots,
                                        SeededHasher(seed)))
          .value();
  for (uint64_t key = 0; key < keys; ++key) {
    EXPECT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  return filter;
}

// Returns `count` false positives, none of them a key below 2^40.
template <typename F>
std::vector<KeyHash> FalsePositives(const F& filter, size_t count) {
  std::vector<KeyHash> found;
  for (uint64_t key = uint64_t{1} << 40; found.size() < count; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    if (filter.MayContain(hash)) found.push_back(hash);
  }
  return found;
}

TEST(CuckooAdapt, FixesAlmostAllFalsePositives) {
  for (const std::string& spec : AdaptiveCuckooSpecs(8)) {
    AnyFilter filter = FilledFilter(spec, 20'000, 0.95);
    int fixed = 0;
    for (const KeyHash hash : FalsePositives(filter, 500)) {
      if (!filter.MayContain(hash)) continue;
      const auto outcome = filter.Adapt(hash);
      ASSERT_TRUE(outcome.ok());
      EXPECT_EQ(*outcome == AdaptOutcome::kFixed, !filter.MayContain(hash));
      fixed += *outcome == AdaptOutcome::kFixed;
    }
    EXPECT_GT(fixed, 450) << spec;
    EXPECT_TRUE(filter.CheckInvariants().ok()) << spec;
  }
}

TEST(CuckooAdapt, RefusesMembersAndLeavesNegativesAlone) {
  for (const std::string& spec : AdaptiveCuckooSpecs(8)) {
    AnyFilter filter = FilledFilter(spec, 1000, 0.9);
    const std::string state = StateOf(filter);
    for (uint64_t key = 0; key < 900; ++key) {
      EXPECT_EQ(filter.Adapt(filter.hasher().Hash(key)).status().code(),
                StatusCode::kIsMember);
    }
    for (uint64_t key = 1'000'000; key < 1'001'000; ++key) {
      const KeyHash hash = filter.hasher().Hash(key);
      if (filter.MayContain(hash)) continue;
      EXPECT_EQ(*filter.Adapt(hash), AdaptOutcome::kNothingToFix);
    }
    EXPECT_TRUE(StateOf(filter) == state) << spec;
  }
}

// 2^s adaptations to keys that collide lead a cyclic slot round to selector 0.
TEST(CuckooAdapt, CyclicComesBackAfterAllSelectors) {
  for (int s = 1; s <= 3; ++s) {
    AnyFilter filter =
        MakeFilter("cyclic:f=4,s=" + std::to_string(s), 4, /*seed=*/5);
    ASSERT_TRUE(filter.Insert(filter.hasher().Hash(1)).ok());
    const auto table_of = [](const AnyFilter& f) {
      const auto bytes = f.ToSnapshot().arrays()[0].bytes;
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    const auto table = table_of(filter);
    for (int step = 0; step < 1 << s; ++step) {
      EXPECT_EQ(table_of(filter) == table, step == 0);
      ASSERT_TRUE(filter.Adapt(FalsePositives(filter, 1)[0]).ok());
    }
    EXPECT_EQ(table_of(filter), table);
  }
}

// Two keys with the same two bins fill a table of k = 2, b = 1 and one bin a
// table: neither has anywhere to go but the other's place, in a ring.
// Two slots of a bin that both collide change places once, not there and back.
TEST(CuckooAdapt, SwappingChangesTheOrderOfABin) {
  AnyFilter filter = MakeFilter("swapping:f=4,b=2", 4);
  ASSERT_EQ(InsertKeys(filter, 0, 2), 2u);
  const auto members_of = [](const AnyFilter& f) {
    const internal::Snapshot snapshot = f.ToSnapshot();
    const auto bytes = snapshot.Array("mirror").value();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  for (const KeyHash query : FalsePositives(filter, 2000)) {
    if (!filter.MayContain(query)) continue;
    const auto before = members_of(filter);
    ASSERT_TRUE(filter.Adapt(query).ok());
    ASSERT_NE(members_of(filter), before);
  }
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST(CuckooAdapt, CuckooingTurnsARing) {
  AnyFilter filter = MakeFilter("cuckooing:f=8,k=2,b=1", 2);
  ASSERT_EQ(InsertKeys(filter, 0, 2), 2u);
  const KeyHash query = FalsePositives(filter, 1)[0];
  // The other key comes to the slot, the colliding one goes to where the query
  // finds it again: there is just one bin a table.
  EXPECT_EQ(*filter.Adapt(query), AdaptOutcome::kNotFixed);
  EXPECT_TRUE(filter.CheckInvariants().ok());
  EXPECT_TRUE(filter.MayContain(filter.hasher().Hash(0)));
  EXPECT_TRUE(filter.MayContain(filter.hasher().Hash(1)));
}

// A full table has no free slot to move to: what can't be moved stays exactly
// where it was.
TEST(CuckooAdapt, ALoopIsRolledBackAndReported) {
  int loops = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    AnyFilter filter = MakeFilter("cuckooing:f=4,k=2,b=1", 40, seed);
    InsertKeys(filter, 0, 22);
    for (const KeyHash query : FalsePositives(filter, 20)) {
      if (!filter.MayContain(query)) continue;
      const auto before = filter.stats().details[1].second;
      const std::string state = StateOf(filter);
      const bool fixed = *filter.Adapt(query) == AdaptOutcome::kFixed;
      if (!fixed && filter.stats().details[1].second == before) {
        ++loops;
        // Only the counter of adaptations differs.
        EXPECT_EQ(StateOf(filter).substr(StateOf(filter).find(";salt")),
                  state.substr(state.find(";salt")));
      }
    }
    EXPECT_TRUE(filter.CheckInvariants().ok());
  }
  EXPECT_GT(loops, 0);
}

TEST(CuckooAdapt, RebuildKeepsMembersAndMendsFalsePositives) {
  CuckooingFilter filter = FilledCuckooing("cuckooing:f=8", 10'000, 9'000, 1);
  ASSERT_TRUE(filter.Rebuild(123).ok());
  EXPECT_EQ(filter.size(), 9'000u);
  EXPECT_TRUE(filter.CheckInvariants().ok());
  for (uint64_t key = 0; key < 9'000; ++key) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(key)));
  }
  // Saved, loaded and erased like any other.
  auto loaded = CuckooingFilter::FromSnapshot(filter.ToSnapshot());
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  for (uint64_t key = 0; key < 9'000; ++key) {
    ASSERT_TRUE(loaded->Erase(loaded->hasher().Hash(key)).ok());
  }
  EXPECT_EQ(loaded->size(), 0u);
}

TEST(CuckooAdapt, RebuildChangesWhichKeysCollide) {
  CuckooingFilter filter = FilledCuckooing("cuckooing:f=8", 10'000, 9'000, 1);
  const std::vector<KeyHash> positives = FalsePositives(filter, 300);
  ASSERT_TRUE(filter.Rebuild(9).ok());
  int still = 0;
  for (const KeyHash hash : positives) still += filter.MayContain(hash);
  EXPECT_LT(still, 30);
}

// Asks all of `queries` `rounds` times; returns how often it had to adapt.
int AdaptsOfRounds(CuckooingFilter& filter, const std::vector<KeyHash>& queries,
                   int rounds) {
  int adapts = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const KeyHash query : queries) {
      if (!filter.MayContain(query)) continue;
      EXPECT_TRUE(filter.Adapt(query).ok());
      ++adapts;
    }
  }
  return adapts;
}

// At load 0.95 two queries may undo each other's fix for ever.  The count of
// adaptations shows it, and other hashes end it.
TEST(CuckooAdapt, RebuildEndsTheTurnsOfTwoQueries) {
  constexpr int kRounds = 40;
  std::vector<KeyHash> queries;
  for (uint64_t key = 0; key < 150; ++key) {
    queries.push_back(SeededHasher(0).Hash((uint64_t{1} << 40) + key));
  }
  int ended = 0;
  for (uint64_t seed = 1; ended < 3 && seed < 500; ++seed) {
    CuckooingFilter filter =
        FilledCuckooing("cuckooing:f=6", 2'000, 1'900, seed);
    AdaptsOfRounds(filter, queries, kRounds);
    const double before = filter.stats().details[2].second;
    if (AdaptsOfRounds(filter, queries, kRounds) == 0) continue;
    EXPECT_GE(filter.stats().details[2].second, before + kRounds);
    for (uint64_t other = 1;; ++other) {
      ASSERT_LE(other, 10u) << "ten rebuilds did not help";
      ASSERT_TRUE(filter.Rebuild(other).ok());
      AdaptsOfRounds(filter, queries, kRounds);
      if (AdaptsOfRounds(filter, queries, kRounds) == 0) break;
    }
    ++ended;
  }
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace tamis::testing
