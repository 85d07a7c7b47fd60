// The InfiniFilter: what its authors tested of theirs, and what grows.

#include "tamis/infini.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "filters/growing/growing_testing.h"
#include "model/statistics.h"

namespace tamis::testing {
namespace {

// Expanded once, an entry is what a filter twice as large, with fingerprints
// one bit shorter, would have made of the same key.
TEST(InfiniFilter, ExpandedEqualsBuiltLargeWithShorterFingerprints) {
  InfiniFilter small = MakeInfini("infini:f=9", 500);
  InfiniFilter large = MakeInfini("infini:f=8", 1000);
  const std::vector<KeyHash> keys = HashesOf(small, 0, 400);
  InsertAll(small, keys);
  InsertAll(large, keys);
  ASSERT_OK(small.Expand());
  auto expected = EntriesOf(large.active());
  for (auto& [home, value] : expected) value <<= 1;  // one expansion old
  EXPECT_EQ(EntriesOf(small.active()), expected);
}

// And with its whole fingerprints given back, it is the same bit by bit.
TEST(InfiniFilter, ExpandedAndRejuvenatedEqualsBuiltLargeBitByBit) {
  for (const std::string spec : {"infini:f=9", "infini:f=3,chain=duplicate",
                                 "infini-growing:f=4", "infini:f=55"}) {
    InfiniFilter grown = MakeInfini(spec, 37);
    InfiniFilter large = MakeInfini(spec, 37);
    for (int i = 0; i < 5; ++i) ASSERT_OK(large.Expand());
    ASSERT_EQ(large.generation(), 5);
    const std::vector<KeyHash> keys = HashesOf(grown, 0, 800);
    InsertAll(grown, keys);
    InsertAll(large, keys);
    while (grown.generation() < 5) ASSERT_OK(grown.Expand());
    ASSERT_OK(grown.Rejuvenate(keys));
    EXPECT_EQ(LinesOf(grown.active()), LinesOf(large.active())) << spec;
    EXPECT_TRUE(grown.chain().empty()) << spec;
  }
}

TEST(InfiniFilter, ContractUndoesExpandBitByBit) {
  for (const std::string spec :
       {"infini:f=6", "infini:f=3", "infini-growing:f=3",
        "infini:f=3,chain=duplicate"}) {
    InfiniFilter filter = MakeInfini(spec, 100);
    InsertAll(filter, HashesOf(filter, 0, 3000));
    for (int i = 0; i < 6; ++i) {
      const auto before = Serialize(filter).value();
      ASSERT_OK(filter.Expand());
      ASSERT_OK(filter.CheckInvariants());
      InfiniFilter again = Reloaded(filter);
      ASSERT_OK(again.Contract());
      EXPECT_EQ(Serialize(again).value(), before) << spec << " step " << i;
    }
  }
}

TEST(InfiniFilter, EraseShiftsRunsBack) {
  InfiniFilter filter = MakeInfini("infini:f=8", 1000);
  const std::vector<KeyHash> keys = HashesOf(filter, 0, 700);
  InsertAll(filter, keys);
  const std::vector<std::byte> before = LinesOf(filter.active());
  const std::vector<KeyHash> more = HashesOf(filter, 5000, 90);
  InsertAll(filter, more);
  for (const KeyHash hash : more) ASSERT_OK(filter.Erase(hash));
  EXPECT_EQ(LinesOf(filter.active()), before);
}

TEST(InfiniFilter, BasicStopsAfterExactlyFExpansions) {
  for (const uint64_t bits : {3u, 5u, 8u}) {
    InfiniFilter filter =
        MakeInfini("infini:f=" + std::to_string(bits) + ",chain=none", 16);
    std::vector<KeyHash> members;
    Status status;
    for (uint64_t key = 0; status.ok(); ++key) {
      const KeyHash hash = filter.hasher().Hash(key);
      status = filter.Insert(hash);
      if (status.ok()) members.push_back(hash);
    }
    EXPECT_EQ(status.code(), StatusCode::kFull) << status.ToString();
    EXPECT_EQ(filter.generation(), static_cast<int>(bits));
    EXPECT_EQ(filter.size(), filter.capacity());
    EXPECT_EQ(filter.Expand().code(), StatusCode::kFull);
    ExpectHasAll(filter, members);
    // Keys that are young again make room for one more doubling.
    ASSERT_OK(filter.Rejuvenate(members));
    EXPECT_OK(filter.Expand());
    ExpectHasAll(filter, members);
  }
}

TEST(InfiniFilter, InsertAllEraseAllContractsToTheStart) {
  for (const std::string spec :
       {"infini:f=8", "infini:f=4", "infini-growing:f=4",
        "infini:f=4,chain=duplicate", "infini:f=20,chain=none",
        "infini:f=12,threshold=0.95"}) {
    InfiniFilter filter = MakeInfini(spec, 64);
    const auto empty = Serialize(filter).value();
    const std::vector<KeyHash> keys = HashesOf(filter, 0, 20'000);
    InsertAll(filter, keys);
    EXPECT_GE(filter.generation(), 8) << spec;
    for (const KeyHash hash : keys) ASSERT_OK(filter.Erase(hash));
    EXPECT_EQ(filter.size(), 0u);
    EXPECT_EQ(filter.generation(), 0) << spec;
    EXPECT_TRUE(filter.chain().empty()) << spec;
    EXPECT_EQ(Serialize(filter).value(), empty) << spec;
    for (int r = 0; r <= internal::kMaxResolution; ++r) {
      EXPECT_EQ(filter.active().entries_of(r), 0u) << spec;
    }
  }
}

TEST(InfiniFilter, GrowsFromAnySize) {
  for (const uint64_t slots : {1u, 2u, 3u, 7u, 63u, 100u, 1000u}) {
    for (const std::string spec :
         {"infini:f=3", "infini:f=7", "infini-growing:f=3",
          "infini:f=4,chain=duplicate", "infini:f=5,threshold=0.95",
          "infini:f=55", "infini-growing:f=55", "infini-growing:f=51"}) {
      InfiniFilter filter = MakeInfini(spec, slots);
      const std::vector<KeyHash> keys = HashesOf(filter, 0, 8000);
      InsertAll(filter, keys);
      EXPECT_EQ(filter.size(), keys.size());
      ExpectHasAll(filter, keys);
    }
  }
}

// A table of the chain takes the void entries of F + 1 generations: its own,
// and F whose fingerprints are the longer the younger they are.
TEST(InfiniFilter, ChainGrowsByATableInFPlusOneExpansions) {
  for (const int bits : {3, 4, 6}) {
    InfiniFilter filter = MakeInfini("infini:f=" + std::to_string(bits), 4);
    uint64_t key = 0;
    for (int generation = 1; generation <= 18; ++generation) {
      for (int i = 0; i < 3; ++i) {
        ASSERT_OK(filter.Insert(filter.hasher().Hash(key++)));
      }
      if (filter.generation() < generation) ASSERT_OK(filter.Expand());
      ASSERT_EQ(filter.generation(), generation);
      EXPECT_EQ(filter.chain().size(),
                static_cast<size_t>(generation / (bits + 1)));
    }
  }
}

TEST(InfiniFilter, ErasesTheLongestMatch) {
  // Y and Z agree in the bits that Z has left; erasing Y must leave Z.
  InfiniFilter filter = MakeInfini("infini:f=4", 4);
  const KeyHash z = {0x4800'0000'0000'0000, 0};  // home 1, string 0010 0...
  const KeyHash y = {0x4900'0000'0000'0000, 0};  // home 1, string 0010 01..
  ASSERT_OK(filter.Insert(z));
  ASSERT_OK(filter.Expand());
  ASSERT_OK(filter.Expand());
  ASSERT_OK(filter.Insert(y));
  ASSERT_OK(filter.Erase(y));
  EXPECT_TRUE(filter.MayContain(z));
  EXPECT_EQ(filter.size(), 1u);
}

TEST(InfiniFilter, BatchEqualsOneByOne) {
  for (const std::string spec :
       {"infini:f=12", "infini:f=3", "infini-growing:f=4"}) {
    InfiniFilter filter = MakeInfini(spec, 100);
    InsertAll(filter, HashesOf(filter, 0, 30'000));
    const std::vector<KeyHash> keys = HashesOf(filter, 29'000, 10'001);
    auto results = std::make_unique<bool[]>(keys.size());
    filter.MayContain(keys, std::span(results.get(), keys.size()));
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(results[i], filter.MayContain(keys[i])) << spec << " " << i;
    }
  }
}

TEST(InfiniFilter, FprIsWhatItExpectsAtEveryGeneration) {
  for (const std::string spec :
       {"infini:f=4", "infini:f=8", "infini-growing:f=4",
        "infini:f=5,chain=duplicate"}) {
    InfiniFilter filter = MakeInfini(spec, 1000, 7);
    uint64_t key = 0;
    for (int generation = 0; generation < 7; ++generation) {
      while (filter.size() < filter.capacity() &&
             filter.generation() == generation) {
        ASSERT_OK(filter.Insert(filter.hasher().Hash(key++)));
      }
      uint64_t hits = 0;
      constexpr uint64_t kQueries = 20'000;
      for (uint64_t i = 0; i < kQueries; ++i) {
        hits += filter.MayContain(filter.hasher().Hash((i + 1) << 40));
      }
      EXPECT_TRUE(RateIs(hits, kQueries, filter.ExpectedFpr()))
          << spec << " generation " << generation;
      ASSERT_OK(filter.Expand());
    }
  }
}

}  // namespace
}  // namespace tamis::testing
