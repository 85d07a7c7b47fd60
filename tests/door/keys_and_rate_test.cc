// Every filter class is made from a number of keys and a rate.

#include <gtest/gtest.h>

#include <cstdint>

#include "model/statistics.h"
#include "tamis/abf.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/blocked_bloom.h"
#include "tamis/bloom.h"
#include "tamis/cached.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/cuckoo.h"
#include "tamis/exaf.h"
#include "tamis/fuse.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tamis/sharded_tamis.h"
#include "tamis/taf.h"
#include "tamis/tamis_filter.h"
#include "tamis/vacuum.h"
#include "tamis/word_bloom.h"

namespace tamis {
namespace {

constexpr uint64_t kKeys = 5000;
constexpr double kFpr = 0.02;

template <typename F>
class KeysAndRateTest : public ::testing::Test {};

using Classes =
    ::testing::Types<Rsqf, Taf, Exaf, CuckooFilter, KeyedCuckooFilter,
                     VacuumFilter, CyclicFilter, SwappingFilter,
                     CuckooingFilter, BloomFilter, WordBloomFilter,
                     BlockedBloomFilter, AdaptiveBloomFilter,
                     CountingAdaptiveBloomFilter, InfiniFilter, TamisFilter,
                     ShardedTamis, ConcurrentTamis, FuseFilter, CachedFilter>;
TYPED_TEST_SUITE(KeysAndRateTest, Classes);

TYPED_TEST(KeysAndRateTest, HoldsTheKeysAtTheRate) {
  const Hasher hasher(Seed{.low = 5, .high = 6});
  Result<TypeParam> filter =
      TypeParam::Create({.keys = kKeys, .fpr = kFpr}, hasher);
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(filter->Insert(hasher.Hash(key)).ok()) << key;
  }
  uint64_t wrong = 0;
  constexpr uint64_t kQueries = 100'000;
  for (uint64_t i = 0; i < kQueries; ++i) {
    wrong += filter->MayContain(hasher.Hash((uint64_t{1} << 40) + i)) ? 1 : 0;
  }
  EXPECT_TRUE(testing::RateIsAtMost(wrong, kQueries, kFpr))
      << filter->spec().ToString();
}

TYPED_TEST(KeysAndRateTest, TakesNoMoreThanTheBudget) {
  constexpr double kBits = 16;
  Result<TypeParam> filter =
      TypeParam::Create({.keys = kKeys, .bits_per_key = kBits});
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  EXPECT_LE(filter->SizeBits(), kBits * kKeys);
  EXPECT_GE(filter->SizeBits(), kBits * kKeys * 0.5);
}

TYPED_TEST(KeysAndRateTest, RefusesNonsense) {
  EXPECT_FALSE(TypeParam::Create({.keys = 0, .fpr = 0.1}).ok());
  EXPECT_FALSE(TypeParam::Create({.keys = 5, .fpr = 1.5}).ok());
  EXPECT_FALSE(
      TypeParam::Create({.keys = 5, .fpr = 0.1, .bits_per_key = 8}).ok());
}

TEST(KeysAndRateAround, SizesTheFilterInside) {
  for (const char* const text :
       {"cached(bloom)", "cached(rsqf):bytes=4096,policy=topk",
        "cached(fuse):policy=clock"}) {
    const Spec spec = Spec::Parse(text).value();
    const Result<Sizing> sizing = SizeFor(spec, {.keys = kKeys, .fpr = kFpr});
    ASSERT_TRUE(sizing.ok()) << text;
    EXPECT_LE(sizing->fpr, kFpr) << text;
    EXPECT_EQ(sizing->spec.Has("bytes"), spec.Has("bytes")) << text;
    EXPECT_EQ(sizing->spec.Has("policy"), spec.Has("policy")) << text;
    EXPECT_GT(sizing->spec.inner().size(), spec.inner().size()) << text;
  }
}

TEST(KeysAndRateAround, SizesItByNameToo) {
  const Result<Sizing> sizing = SizeFor("cached", 0, kFpr);
  ASSERT_TRUE(sizing.ok()) << sizing.status().ToString();
  EXPECT_LE(sizing->fpr, kFpr);
  EXPECT_EQ(sizing->spec.name(), "cached");
}

// Growth is counted in: the rate holds at every size on the way.
TEST(GrowingKeysAndRate, RateOfFiltersThatGrow) {
  const Hasher hasher(Seed{.low = 5, .high = 6});
  const KeysAndRate wanted = {.keys = 300, .fpr = kFpr, .up_to_keys = 60'000};
  const auto check = [&](auto filter) {
    for (uint64_t key = 0; key < wanted.up_to_keys; ++key) {
      ASSERT_TRUE(filter.Insert(hasher.Hash(key)).ok());
      ASSERT_TRUE(key % 64 != 0 || filter.ExpectedFpr() <= kFpr * 1.02) << key;
    }
  };
  check(InfiniFilter::Create(wanted, hasher).value());
  check(TamisFilter::Create(wanted, hasher).value());
}

}  // namespace
}  // namespace tamis
