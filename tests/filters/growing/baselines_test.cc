// The baselines: fingerprint sacrifice, chains, full reconstruction.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "filters/growing/chain.h"
#include "filters/growing/growing_testing.h"
#include "filters/growing/infini_math.h"
#include "filters/growing/reconstructed.h"
#include "filters/growing/sacrifice.h"
#include "model/statistics.h"

namespace tamis::testing {
namespace {

// A filter expanded X times is, bit by bit, one built that large with X bits
// less.
TEST(SacrificeFilter, ExpandedEqualsBuiltLargeBitByBit) {
  for (const uint64_t slots : {7u, 100u, 333u}) {
    SacrificeFilter grown =
        MakeGrowing<SacrificeFilter>("sacrifice:f=10", slots);
    const std::vector<KeyHash> keys = HashesOf(grown, 0, slots / 2);
    InsertAll(grown, keys);
    for (uint64_t x = 1; x <= 6; ++x) {
      ASSERT_OK(grown.Expand());
      SacrificeFilter large = MakeGrowing<SacrificeFilter>(
          "sacrifice:f=" + std::to_string(10 - x), slots << x);
      InsertAll(large, keys);
      EXPECT_EQ(LinesOf(grown.table()), LinesOf(large.table())) << x;
    }
  }
}

TEST(SacrificeFilter, StopsAfterExactlyFExpansions) {
  SacrificeFilter filter = MakeGrowing<SacrificeFilter>("sacrifice:f=5", 16);
  std::vector<KeyHash> members;
  Status status;
  for (uint64_t key = 0; status.ok(); ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    status = filter.Insert(hash);
    if (status.ok()) members.push_back(hash);
  }
  EXPECT_EQ(status.code(), StatusCode::kFull);
  EXPECT_EQ(filter.generation(), 5);
  EXPECT_EQ(filter.fingerprint_bits(), 0);
  ExpectHasAll(filter, members);
  for (const KeyHash hash : members) ASSERT_OK(filter.Erase(hash));
  EXPECT_EQ(filter.generation(), 0);
  EXPECT_EQ(filter.fingerprint_bits(), 5);
}

TEST(SacrificeFilter, RateIsTheFormula) {
  const InfiniMath math = {.first_bits = 9, .threshold = 0.8};
  SacrificeFilter filter =
      MakeGrowing<SacrificeFilter>("sacrifice:f=9", 2000, 3);
  uint64_t key = 0;
  for (int x = 0; x <= 5; ++x) {
    while (filter.size() < filter.capacity()) {
      ASSERT_OK(filter.Insert(filter.hasher().Hash(key++)));
    }
    uint64_t hits = 0;
    for (uint64_t i = 0; i < 20'000; ++i) {
      hits += filter.MayContain(filter.hasher().Hash((i + 1) << 40));
    }
    EXPECT_TRUE(RateIs(hits, 20'000, math.SacrificeFpr(x))) << x;
    ASSERT_OK(filter.Expand());
  }
}

TEST(ChainFilter, LinksAreAsTheRuleSays) {
  struct Case {
    std::string spec;
    size_t links;
  };
  // 819 keys fill a link of 1024 slots.
  for (const Case& c : {Case{"chain-linear:f=9", 13}, Case{"chain:f=9", 4},
                        Case{"chain-growing:f=9", 4}}) {
    ChainFilter chain = MakeGrowing<ChainFilter>(c.spec, 1024);
    const std::vector<KeyHash> keys = HashesOf(chain, 0, 10'000);
    InsertAll(chain, keys);
    EXPECT_EQ(chain.num_links(), c.links) << c.spec;
    ExpectHasAll(chain, keys);
    ExpectHasAll(Reloaded(chain), keys);
  }
}

// Longer than the pieces in which later links are asked.
TEST(ChainFilter, BatchEqualsOneByOne) {
  for (const std::string spec :
       {"chain-linear:f=9", "chain:f=9", "chain-growing:f=9"}) {
    ChainFilter chain = MakeGrowing<ChainFilter>(spec, 1024);
    InsertAll(chain, HashesOf(chain, 0, 10'000));
    const std::vector<KeyHash> keys = HashesOf(chain, 5000, 10'001);
    const auto results = std::make_unique<bool[]>(keys.size());
    chain.MayContain(keys, std::span(results.get(), keys.size()));
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(results[i], chain.MayContain(keys[i])) << spec << " " << i;
    }
  }
}

TEST(ChainFilter, EraseAllFreesTheLinks) {
  for (const std::string spec :
       {"chain-linear:f=9", "chain:f=9", "chain-growing:f=9"}) {
    ChainFilter chain = MakeGrowing<ChainFilter>(spec, 64);
    const auto empty = Serialize(chain).value();
    const std::vector<KeyHash> keys = HashesOf(chain, 0, 5000);
    InsertAll(chain, keys);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_OK(chain.Erase(keys[i]));
      if (i % 500 == 0) {
        ExpectHasAll(
            chain, {keys.begin() + static_cast<ptrdiff_t>(i) + 1, keys.end()});
      }
    }
    EXPECT_EQ(chain.num_links(), 1u);
    EXPECT_EQ(Serialize(chain).value(), empty) << spec;
  }
}

TEST(ChainFilter, RateIsTheFormula) {
  ChainFilter chain = MakeGrowing<ChainFilter>("chain-growing:f=5", 2000);
  const InfiniMath math = {.first_bits = 5, .threshold = 0.8};
  uint64_t key = 0;
  for (int x = 0; x <= 4; ++x) {
    while (chain.size() < chain.capacity()) {
      ASSERT_OK(chain.Insert(chain.hasher().Hash(key++)));
    }
    uint64_t hits = 0;
    for (uint64_t i = 0; i < 20'000; ++i) {
      hits += chain.MayContain(chain.hasher().Hash((i + 1) << 40));
    }
    EXPECT_TRUE(RateIs(hits, 20'000, math.GrowingChainFpr(x))) << x;
    ASSERT_OK(chain.Expand());
  }
}

TEST(Reconstructed, GrowsWithWholeFingerprints) {
  std::vector<KeyHash> members;
  Reconstructed filter =
      Reconstructed::Create({.slots = 64, .fingerprint_bits = 8},
                            [&](const Reconstructed::Visit& visit) -> Status {
                              for (const KeyHash hash : members) visit(hash);
                              return {};
                            })
          .value();
  for (uint64_t key = 0; key < 10'000; ++key) {
    members.push_back(filter.filter().hasher().Hash(key));
    ASSERT_OK(filter.Insert(members.back()));
  }
  EXPECT_EQ(filter.size(), members.size());
  EXPECT_EQ(filter.filter().capacity(), 64u << 8) << "it doubles";
  EXPECT_LT(filter.ExpectedFpr(), 0.8 / 256);
  ExpectHasAll(filter, members);
}

TEST(Reconstructed, ASourceThatFailsChangesNothing) {
  Reconstructed filter =
      Reconstructed::Create({.slots = 10}, [](const Reconstructed::Visit&) {
        return Status(StatusCode::kIo, "the disk is gone");
      }).value();
  Status status;
  uint64_t key = 0;
  while (status.ok()) {
    status = filter.Insert(filter.filter().hasher().Hash(key++));
  }
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(filter.size(), 8u);
}

}  // namespace
}  // namespace tamis::testing
