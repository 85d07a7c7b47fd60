// The fuse filter: made in one go, small, and never wrong about a member.

#include "tamis/fuse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/statistics.h"
#include "tamis/any_filter.h"
#include "tamis/serialize.h"

namespace tamis::testing {
namespace {

std::vector<KeyHash> Hashes(const Hasher& hasher, uint64_t first,
                            uint64_t count) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(hasher.Hash(first + i));
  return hashes;
}

FuseFilter Make(const std::string& spec, uint64_t slots, uint64_t seed = 1) {
  return FuseFilter::Create(Spec::Parse(spec).value(), slots,
                            Hasher(Seed{seed, 2}))
      .value();
}

// Every size from none on: the equations of a few keys need other luck.
TEST(Fuse, HoldsEveryNumberOfKeys) {
  for (uint64_t keys = 0; keys < 600; ++keys) {
    for (const char* spec : {"fuse:f=8", "fuse:f=16"}) {
      FuseFilter filter = Make(spec, std::max<uint64_t>(1, keys), keys);
      const auto members = Hashes(filter.hasher(), 0, keys);
      ASSERT_TRUE(filter.BulkLoad(members).ok()) << keys;
      for (const KeyHash hash : members) ASSERT_TRUE(filter.MayContain(hash));
      ASSERT_TRUE(filter.CheckInvariants().ok());
      ASSERT_EQ(filter.size(), keys);
    }
  }
}

TEST(Fuse, IsSmallAndKeepsItsRate) {
  constexpr uint64_t kKeys = 200'000;
  constexpr uint64_t kTries = 2'000'000;
  for (const int bits : {8, 16}) {
    FuseFilter filter = Make("fuse:f=" + std::to_string(bits), kKeys);
    ASSERT_TRUE(filter.BulkLoad(Hashes(filter.hasher(), 0, kKeys)).ok());
    EXPECT_LT(filter.stats().BitsPerKey(), 1.17 * bits);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < kTries; ++i) {
      wrong += filter.MayContain(filter.hasher().Hash(kKeys + i)) ? 1 : 0;
    }
    EXPECT_TRUE(RateIs(wrong, kTries, std::ldexp(1, -bits), 0));
    EXPECT_EQ(filter.ExpectedFpr(), std::ldexp(1, -bits));
  }
}

TEST(Fuse, TakesKeysThatComeTwiceAndMoreThanItWasMadeFor) {
  FuseFilter filter = Make("fuse:f=8", 100);
  auto members = Hashes(filter.hasher(), 0, 5000);
  members.insert(members.end(), members.begin(), members.begin() + 300);
  ASSERT_TRUE(filter.BulkLoad(members).ok());
  EXPECT_EQ(filter.size(), 5300u);
  EXPECT_GE(filter.capacity(), filter.size());
  for (const KeyHash hash : members) ASSERT_TRUE(filter.MayContain(hash));
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST(Fuse, KeepsLaterKeysExactly) {
  FuseFilter filter = Make("fuse:f=16", 1000);
  const auto members = Hashes(filter.hasher(), 0, 1000);
  ASSERT_TRUE(filter.BulkLoad(members).ok());
  const uint64_t bits = filter.SizeBits();
  const auto later = Hashes(filter.hasher(), 1 << 20, 500);
  for (const KeyHash hash : later) ASSERT_TRUE(filter.Insert(hash).ok());
  ASSERT_TRUE(filter.Insert(KeyHash()).ok());
  EXPECT_TRUE(filter.MayContain(KeyHash()));
  EXPECT_GT(filter.SizeBits(), bits + 500 * 128);
  EXPECT_EQ(filter.size(), 1501u);
  const auto bytes = Serialize(filter).value();
  const FuseFilter loaded = Deserialize<FuseFilter>(bytes).value();
  for (const FuseFilter* one : {&std::as_const(filter), &loaded}) {
    for (const KeyHash hash : members) ASSERT_TRUE(one->MayContain(hash));
    for (const KeyHash hash : later) ASSERT_TRUE(one->MayContain(hash));
  }
  EXPECT_EQ(Serialize(loaded).value(), bytes);
}

TEST(Fuse, BatchesAnswerAsOneByOne) {
  FuseFilter filter = Make("fuse:f=8", 3000);
  ASSERT_TRUE(filter.BulkLoad(Hashes(filter.hasher(), 0, 3000)).ok());
  const auto asked = Hashes(filter.hasher(), 2000, 3000);
  const auto results = std::make_unique<bool[]>(asked.size());
  filter.MayContain(asked, {results.get(), asked.size()});
  for (size_t i = 0; i < asked.size(); ++i) {
    ASSERT_EQ(results[i], filter.MayContain(asked[i]));
  }
}

TEST(Fuse, OtherWidthsAreRefused) {
  for (const char* spec : {"fuse:f=9", "fuse:f=32", "fuse:r=8", "fuse(rsqf)"}) {
    EXPECT_EQ(AnyFilter::Create(spec, {.keys = 10}).status().code(),
              StatusCode::kInvalidArgument)
        << spec;
  }
  EXPECT_EQ(SizeFor("fuse", 1000, 0.004).value().spec.ToString(), "fuse:f=8");
  EXPECT_EQ(SizeFor("fuse", 1000, 0.001).value().spec.ToString(), "fuse:f=16");
  EXPECT_FALSE(SizeFor("fuse", 1000, 1e-6).ok());
}

}  // namespace
}  // namespace tamis::testing
