// Tables from elsewhere as shards: TamisFilter::ShardOf, ShardedTamis::Adopt.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/sharded_tamis.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

using internal::FirstHashBits;
using internal::QuotientTable;
using internal::ShardPlace;
using internal::ShiftHash;

constexpr int kFingerprintBits = 10;

ShardedTamis::Options Options() {
  ShardedTamis::Options options;
  options.filter.slots = 1024;
  options.filter.fingerprint_bits = kFingerprintBits;
  options.filter.members = TamisFilter::Members::kCaller;
  options.filter.extension_bits = 0;
  options.shard_slots = 4096;
  return options;
}

// A table of 2^home_bits homes with the first bits of these hashes, which have
// all the same first `depth` bits.
QuotientTable TableOf(const std::vector<KeyHash>& hashes, int depth,
                      int home_bits, int width) {
  auto table = QuotientTable::Create(
      uint64_t{1} << home_bits,
      QuotientTable::LineForm{width, internal::SlotsPerLine(width) / 2});
  EXPECT_TRUE(table.ok());
  for (const KeyHash hash : hashes) {
    const KeyHash local = ShiftHash(hash, depth);
    EXPECT_TRUE(
        table
            ->InsertSorted(FirstHashBits(local, home_bits),
                           FirstHashBits(ShiftHash(local, home_bits), width))
            .ok());
  }
  return *std::move(table);
}

std::vector<KeyHash> HashesIn(const ShardPlace& place, uint64_t count) {
  const Hasher hasher(Seed{5, 5});
  std::vector<KeyHash> hashes;
  for (uint64_t key = 0; hashes.size() < count; ++key) {
    const KeyHash hash = hasher.Hash(key);
    if (place.Contains(hash)) hashes.push_back(hash);
  }
  return hashes;
}

class Adopt : public ::testing::TestWithParam<int> {};

// More entries than the homes have room for take one bit more as home.
TEST_P(Adopt, KeepsEveryMemberAndAddsFew) {
  constexpr int kHomeBits = 9;
  const int width = GetParam();
  for (const uint64_t count : {0, 1, 100, 500, 950}) {
    const std::vector<KeyHash> hashes = HashesIn(ShardPlace{}, count);
    const QuotientTable table = TableOf(hashes, 0, kHomeBits, width);
    auto shard =
        TamisFilter::ShardOf(Options().filter, Hasher(Seed{5, 5}), table);
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    EXPECT_EQ(shard->size(), count);
    const Status status = shard->CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
    for (const KeyHash hash : hashes) ASSERT_TRUE(shard->MayContain(hash));
    // The entries are as long as they were: so many match a key on average.
    const double matches =
        static_cast<double>(count) /
        static_cast<double>(uint64_t{1} << (kHomeBits + width));
    const double rate = 1 - std::exp(-matches);
    EXPECT_NEAR(shard->ExpectedFpr(), rate, 0.05 * rate + 1e-12);
    // And each of them may be erased again, once.
    for (const KeyHash hash : hashes) ASSERT_TRUE(shard->Erase(hash).ok());
    EXPECT_EQ(shard->size(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Adopt,
                         ::testing::Values(2, 7, kFingerprintBits));

TEST(AdoptedShard, RefusesOtherTables) {
  const Hasher hasher(Seed{5, 5});
  const auto code = [&](uint64_t homes, int width) {
    const auto table = QuotientTable::Create(homes, width);
    return TamisFilter::ShardOf(Options().filter, hasher, *table)
        .status()
        .code();
  };
  EXPECT_EQ(code(512, 8), StatusCode::kOk);
  EXPECT_EQ(code(500, 8), StatusCode::kInvalidArgument) << "no power of two";
  EXPECT_EQ(code(512, kFingerprintBits + 1), StatusCode::kInvalidArgument);
  TamisFilter::Options mirrored = Options().filter;
  mirrored.members = TamisFilter::Members::kMirror;
  const auto table = QuotientTable::Create(512, 8);
  EXPECT_EQ(TamisFilter::ShardOf(mirrored, hasher, *table).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(AdoptedShard, IsOneOfTheFiltersAndGrows) {
  constexpr int kDepth = 2;
  const Hasher hasher(Seed{5, 5});
  auto filter = ShardedTamis::CreateEmpty(Options(), hasher, kDepth);
  ASSERT_TRUE(filter.ok());
  std::vector<KeyHash> all;
  for (uint64_t i = 0; i < 4; ++i) {
    const ShardPlace place = ShardPlace::Of(i, kDepth);
    const std::vector<KeyHash> hashes = HashesIn(place, 700);
    const QuotientTable table = TableOf(hashes, kDepth, 10, 8);
    Status status = filter->Adopt(place, table);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(filter->Adopt(place, table).code(), StatusCode::kInvalidArgument)
        << "it is not empty any more";
    EXPECT_EQ(filter->Adopt(place.Half(true), table).code(),
              StatusCode::kInvalidArgument)
        << "no shard has these hashes alone";
    all.insert(all.end(), hashes.begin(), hashes.end());
    EXPECT_EQ(filter->size(), all.size());
  }
  for (uint64_t key = 0; key < 60000; ++key) {
    const KeyHash hash = hasher.Hash("new" + std::to_string(key));
    ASSERT_TRUE(filter->Insert(hash).ok());
    all.push_back(hash);
  }
  EXPECT_GT(filter->num_shards(), 8u);
  for (const KeyHash hash : all) ASSERT_TRUE(filter->MayContain(hash));
  const Status status = filter->CheckInvariants();
  EXPECT_TRUE(status.ok()) << status.ToString();
}

}  // namespace
}  // namespace tamis::testing
