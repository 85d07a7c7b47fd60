// How large the shards of a tamis filter are: each grows at sizes of its own, so
// that the whole grows evenly, and a filter made to size fits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "tamis/concurrent_tamis.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"

namespace tamis::testing {
namespace {

ShardedTamis::Options OptionsOf(uint64_t slots, uint64_t shard_slots) {
  ShardedTamis::Options options;
  options.filter.slots = slots;
  options.filter.fingerprint_bits = 12;
  options.filter.members = TamisFilter::Members::kCaller;
  options.shard_slots = shard_slots;
  return options;
}

// Bits a key of the active tables alone: objects of shards count for more in
// the small ones of a test.
double TableBits(const ShardedTamis& filter) {
  uint64_t bits = 0;
  KeyHash next = {0, 0};
  do {
    bits += filter.ShardOf(next).active().table().SizeBits();
    next = {filter.RangeOf(next).high.high + 1, 0};
  } while (next.high != 0);
  return static_cast<double>(bits) / static_cast<double>(filter.size());
}

std::set<int> PhasesOf(const ShardedTamis& filter) {
  std::set<int> phases;
  KeyHash next = {0, 0};
  do {
    phases.insert(filter.ShardOf(next).phase());
    next = {filter.RangeOf(next).high.high + 1, 0};
  } while (next.high != 0);
  return phases;
}

TEST(ShardSizes, TheWholeGrowsEvenly) {
  const Hasher hasher(Seed{5, 6});
  ShardedTamis filter =
      ShardedTamis::Create(OptionsOf(64, 1 << 11), hasher).value();
  double least = 1e9;
  double most = 0;
  constexpr uint64_t kKeys = 1 << 18;
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(filter.Insert(hasher.Hash(key)).ok());
    if (key < kKeys / 4 || key % 1024 != 0) continue;
    least = std::min(least, TableBits(filter));
    most = std::max(most, TableBits(filter));
  }
  EXPECT_EQ(PhasesOf(filter).size(), 8u);
  // One phase for all: 1.27.
  EXPECT_LT(most / least, 1.12) << least << " to " << most;
  EXPECT_TRUE(filter.CheckInvariants().ok());
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(filter.MayContain(hasher.Hash(key)));
  }
}

// 512 bits hold 33 slots of 13 bits, and a tenth stays free.  Tails, objects and
// what chance brings to a shard are 5 to 8 % more, the steps up to 3 %; without
// phases it would be up to 35 %.
TEST(ShardSizes, AFilterMadeToSizeFits) {
  constexpr double kLeast = 512.0 / 33 / 0.9;
  for (uint64_t keys = 200'000; keys < 900'000; keys += 37'123) {
    const ShardedTamis filter =
        ShardedTamis::Create(OptionsOf(keys * 10 / 9 + 1, 1 << 15)).value();
    EXPECT_GE(filter.capacity(), keys);
    const double bits =
        static_cast<double>(filter.SizeBits()) / static_cast<double>(keys);
    EXPECT_LT(bits, 1.13 * kLeast) << keys << " keys";
  }
}

TEST(ShardSizes, AFileKeepsThePhases) {
  const Hasher hasher(Seed{5, 6});
  ShardedTamis filter =
      ShardedTamis::Create(OptionsOf(64, 1 << 9), hasher).value();
  for (uint64_t key = 0; key < 10'000; ++key) {
    ASSERT_TRUE(filter.Insert(hasher.Hash(key)).ok());
  }
  ASSERT_GT(PhasesOf(filter).size(), 1u);
  const auto bytes = internal::SerializeSnapshot(filter.ToSnapshot()).value();
  const auto file = internal::DecodedFile::FromMemory(bytes).value();
  const auto loaded = ShardedTamis::FromSnapshot(file.snapshot());
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(PhasesOf(*loaded), PhasesOf(filter));
  EXPECT_EQ(internal::SerializeSnapshot(loaded->ToSnapshot()).value(), bytes);
  for (uint64_t key = 0; key < 10'000; ++key) {
    ASSERT_TRUE(loaded->MayContain(hasher.Hash(key)));
  }
}

}  // namespace
}  // namespace tamis::testing
