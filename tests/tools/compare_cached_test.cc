// cached(SPEC): never a false negative, and caches that keep what they should.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tools/compare/cached_filter.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using Policy = MistakeCache::Policy;
using workloads::Random;

KeyHash HashOf(uint64_t key) {
  return Hasher(Seed{.low = 9, .high = 0}).Hash(key);
}

TEST(CompareCached, RandomOperationsNeverHideAMember) {
  for (const std::string policy : {"lru", "topk"}) {
    SCOPED_TRACE(policy);
    const Hasher hasher(Seed{.low = 1, .high = 0});
    const Spec spec =
        Spec::Parse("cached(cuckoo:f=4):entries=64,policy=" + policy).value();
    AnyFilter filter = CreateComparable(spec, 3000, hasher).value();
    EXPECT_EQ(filter.spec().ToString(),
              "cached(cuckoo:f=4):entries=64,policy=" + policy);
    std::set<uint64_t> members;
    Random random(12);
    for (int i = 0; i < 200'000; ++i) {
      const uint64_t key = random.Below(5'000);
      const KeyHash hash = hasher.Hash(key);
      // Few inserts, late ones too: of keys that the cache knows as absent.
      if (random.Below(200) == 0 && !members.contains(key)) {
        ASSERT_TRUE(filter.Insert(hash).ok());
        members.insert(key);
      }
      const bool found = filter.MayContain(hash);
      bool batched[1];
      filter.MayContain({&hash, 1}, batched);
      ASSERT_EQ(batched[0], found);
      if (members.contains(key)) {
        ASSERT_TRUE(found) << key;
      } else if (found) {
        ASSERT_EQ(filter.Adapt(hash).value(), AdaptOutcome::kFixed);
        ASSERT_FALSE(filter.MayContain(hash));
      }
    }
    EXPECT_GT(members.size(), 500u);
    EXPECT_EQ(filter.size(), members.size());
  }
}

TEST(CompareCached, LruForgetsWhatWasNotAskedForLongest) {
  MistakeCache cache(8, Policy::kLru);  // one set
  for (uint64_t key = 0; key < 8; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Find(HashOf(0)));  // now 1 is the oldest
  cache.Add(HashOf(8));
  EXPECT_FALSE(cache.Find(HashOf(1)));
  EXPECT_TRUE(cache.Find(HashOf(0)));
  EXPECT_TRUE(cache.Find(HashOf(8)));
}

TEST(CompareCached, TopKKeepsWhatIsAskedForMost) {
  MistakeCache cache(8, Policy::kTopK);
  for (uint64_t key = 0; key < 8; ++key) cache.Add(HashOf(key));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(cache.Find(HashOf(3)));
  for (uint64_t key = 100; key < 200; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Find(HashOf(3)));
  EXPECT_FALSE(cache.Find(HashOf(0)));
  EXPECT_TRUE(cache.Find(HashOf(199)));  // the newest has its chance
}

TEST(CompareCached, WhatIsRemovedIsGone) {
  for (const Policy policy : {Policy::kLru, Policy::kTopK}) {
    MistakeCache cache(64, policy);
    for (uint64_t key = 0; key < 20; ++key) cache.Add(HashOf(key));
    cache.Remove(HashOf(7));
    cache.Remove(HashOf(99));
    EXPECT_FALSE(cache.Find(HashOf(7)));
    EXPECT_FALSE(cache.Find(KeyHash()));
  }
}

TEST(CompareCached, ItsMemoryIsCounted) {
  const Hasher hasher(Seed{.low = 1, .high = 0});
  const auto bits = [&](const std::string& spec) {
    return CreateComparable(Spec::Parse(spec).value(), 1000, hasher)
        .value()
        .SizeBits();
  };
  const uint64_t plain = bits("bloom:bits=8");
  EXPECT_EQ(bits("cached(bloom:bits=8):entries=80"), plain + 80 * 128);
  EXPECT_EQ(bits("cached(bloom:bits=8):entries=80,policy=topk"),
            plain + 80 * 160);
}

}  // namespace
}  // namespace tamis::tools
