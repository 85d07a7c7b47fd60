// How full the filters get, and what happens then.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "filters/cuckoo/cuckoo_testing.h"

namespace tamis::testing {
namespace {

constexpr uint64_t kSlots = 1 << 16;

// Returns in how many of `seeds` a load of 0.95 was reached.
uint64_t SeedsThatReach95(const std::string& spec, uint64_t slots,
                          uint64_t seeds) {
  uint64_t reached = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    AnyFilter filter = MakeFilter(spec, slots, seed);
    const uint64_t wanted = filter.capacity() * 95 / 100;
    reached += InsertKeys(filter, 0, wanted) == wanted;
  }
  return reached;
}

TEST(CuckooLoad, Reaches95Percent) {
  for (const std::string& spec : CuckooSpecs(8)) {
    EXPECT_EQ(SeedsThatReach95(spec, kSlots, 2), 2u) << spec;
  }
}

TEST(CuckooLoad, Reaches95PercentIn1000SeedsLong) {
  if (!LongTestsWanted()) GTEST_SKIP() << "set TAMIS_LONG_TESTS";
  for (const std::string& spec : CuckooSpecs(8)) {
    EXPECT_EQ(SeedsThatReach95(spec, kSlots, 1000), 1000u) << spec;
  }
}

// Fewer bits than 8 leave too few alternate bins to partial-key filters of
// this size; where the whole key says the bins, f does not matter.
TEST(CuckooLoad, Reaches95PercentWithFewBitsWhereBinsAreOfTheWholeKey) {
  for (int f = 4; f <= 7; ++f) {
    for (const std::string& spec : CuckooSpecs(f)) {
      const bool partial_key =
          spec.find(",k=") == std::string::npos &&
          (spec.starts_with("cuckoo:") || spec.starts_with("vacuum:"));
      if (partial_key) continue;
      EXPECT_EQ(SeedsThatReach95(spec, kSlots, 1), 1u) << spec;
    }
  }
}

TEST(CuckooLoad, VacuumReaches95PercentAtEverySize) {
  for (uint64_t slots :
       {400u, 1000u, 3333u, 20'000u, 65'540u, 100'000u, 300'000u}) {
    EXPECT_EQ(SeedsThatReach95("vacuum:f=12", slots, 2), 2u) << slots;
    EXPECT_EQ(SeedsThatReach95("cuckoo:f=12", slots, 2), 2u) << slots;
  }
}

TEST(CuckooLoad, VacuumReaches95PercentAt64MillionSlotsLong) {
  if (!LongTestsWanted()) GTEST_SKIP() << "set TAMIS_LONG_TESTS";
  constexpr uint64_t kLarge = uint64_t{1} << 26;
  for (const uint64_t slots : {kLarge, kLarge / 10 * 7}) {
    AnyFilter filter = MakeFilter("vacuum:f=12", slots);
    const uint64_t wanted = filter.capacity() * 95 / 100;
    ASSERT_EQ(InsertKeys(filter, 0, wanted), wanted);
    uint64_t lost = 0;
    for (uint64_t key = 0; key < wanted; ++key) {
      lost += !filter.MayContain(filter.hasher().Hash(key));
    }
    EXPECT_EQ(lost, 0u);
  }
}

TEST(CuckooLoad, AFailedInsertChangesNothing) {
  for (int f : {4, 8, 17}) {
    for (const std::string& spec : CuckooSpecs(f)) {
      AnyFilter filter = MakeFilter(spec, 600);
      uint64_t key = InsertKeys(filter, 0, 1'000'000);
      const std::string state = StateOf(filter);
      int failed = 0;
      for (uint64_t last = key + 50; key < last; ++key) {
        const Status status = filter.Insert(filter.hasher().Hash(key));
        if (status.ok()) break;
        ++failed;
        EXPECT_EQ(status.code(), StatusCode::kFull);
        ASSERT_TRUE(StateOf(filter) == state) << spec;
      }
      EXPECT_GT(failed, 0) << spec;
      EXPECT_TRUE(filter.CheckInvariants().ok()) << spec;
    }
  }
}

TEST(CuckooLoad, EqualSeedsGiveEqualBytes) {
  for (const std::string& spec : CuckooSpecs(8)) {
    EXPECT_TRUE(StateOf(FilledFilter(spec, 5000, 0.95, 9)) ==
                StateOf(FilledFilter(spec, 5000, 0.95, 9)))
        << spec;
  }
}

TEST(CuckooLoad, TheSameKeyFitsOncePerSlotOfItsBins) {
  AnyFilter filter = MakeFilter("cuckooing:f=8", 4000);
  const KeyHash hash = filter.hasher().Hash(1);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(filter.Insert(hash).ok());
  EXPECT_EQ(filter.Insert(hash).code(), StatusCode::kFull);
  EXPECT_EQ(filter.size(), 4u);
}

TEST(CuckooLoad, TinyTablesWork) {
  for (const std::string& spec : CuckooSpecs(8)) {
    for (uint64_t slots = 1; slots <= 40; ++slots) {
      AnyFilter filter = MakeFilter(spec, slots);
      EXPECT_GE(filter.capacity(), slots) << spec;
      const uint64_t inserted = InsertKeys(filter, 0, slots);
      EXPECT_EQ(filter.size(), inserted);
      for (uint64_t key = 0; key < inserted; ++key) {
        EXPECT_TRUE(filter.MayContain(filter.hasher().Hash(key))) << spec;
      }
      EXPECT_TRUE(filter.CheckInvariants().ok()) << spec;
    }
  }
}

TEST(CuckooLoad, NumbersThatNoFilterHasAreRefused) {
  const AnyFilter filter = FilledFilter("cuckooing:f=8", 400, 0.9);
  const internal::Snapshot good = filter.ToSnapshot();
  std::vector<std::byte> longer[2];  // table and mirror, one bin more
  for (size_t i = 0; i < 2; ++i) {
    const auto bytes = good.arrays()[i].bytes;
    longer[i].assign(bytes.begin(), bytes.end());
    longer[i].resize(bytes.size() + bytes.size() / 400);
  }
  const auto status_of = [&](uint64_t more_bins, uint64_t salt) {
    internal::Snapshot forged(good.spec(), good.hasher());
    for (const auto& [name, value] : good.numbers()) {
      forged.AddNumber(name, name == "bins"   ? value + more_bins
                             : name == "salt" ? salt
                                              : value);
    }
    for (size_t i = 0; i < 2; ++i) {
      const auto& [name, bytes] = good.arrays()[i];
      forged.AddArray(name, more_bins == 0 ? bytes : std::span(longer[i]));
    }
    return AnyFilter::FromSnapshot(forged).status();
  };
  ASSERT_EQ(good.arrays().size(), 2u);
  EXPECT_TRUE(status_of(0, 0).ok());
  EXPECT_EQ(status_of(1, 0).code(), StatusCode::kCorrupt) << "401 in 4 tables";
  EXPECT_EQ(status_of(0, 1).code(), StatusCode::kCorrupt) << "no salt";
}

TEST(CuckooLoad, SlotsAreNotRoundedToPowersOfTwo) {
  EXPECT_EQ(MakeFilter("cuckoo:f=12", 1'000'000).capacity(), 1'000'000u);
  EXPECT_EQ(MakeFilter("cuckoo:f=12", 1'000'000).SizeBits(), 12'000'000u);
  EXPECT_EQ(MakeFilter("cuckooing:f=12", 999'999).capacity(), 1'000'000u);
  EXPECT_EQ(MakeFilter("swapping:f=9", 1'000'001).capacity(), 1'000'008u);
  EXPECT_EQ(MakeFilter("cyclic:f=9,s=3", 1000).SizeBits(), 12'000u);
}

}  // namespace
}  // namespace tamis::testing
