// cached(SPEC): never a false negative, and caches that keep what they should.

#include "tamis/cached.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tamis/sizing.h"
#include "workloads/random.h"

namespace tamis::testing {
namespace {

using internal::MistakeCache;
using Policy = MistakeCache::Policy;
using ::testing::HasSubstr;
using workloads::Random;

constexpr Policy kPolicies[] = {Policy::kLru, Policy::kClock, Policy::kTopK};

const Hasher kHasher(Seed{.low = 9, .high = 0});

KeyHash HashOf(uint64_t key) { return kHasher.Hash(key); }

MistakeCache OneSet(Policy policy) {
  return MistakeCache::Create(MistakeCache::kWays * 21, policy).value();
}

TEST(Cached, RandomOperationsNeverHideAMember) {
  for (const std::string policy : {"lru", "clock", "topk"}) {
    SCOPED_TRACE(policy);
    const std::string spec =
        "cached(cuckoo:f=4):bytes=1088" +
        (policy == "lru" ? std::string() : ",policy=" + policy);
    AnyFilter filter = AnyFilter::Create(spec, 3000, kHasher).value();
    EXPECT_EQ(filter.spec().ToString(), spec);
    std::multiset<uint64_t> members;
    Random random(12);
    for (int i = 0; i < 100'000; ++i) {
      const uint64_t key = random.Below(5'000);
      const KeyHash hash = HashOf(key);
      // Few inserts, late ones too: of keys that the cache knows as absent.
      if (random.Below(100) == 0 && members.count(key) < 2) {
        ASSERT_TRUE(filter.Insert(hash).ok());
        members.insert(key);
      } else if (random.Below(300) == 0 && !members.empty()) {
        const uint64_t gone = *members.begin();
        ASSERT_TRUE(filter.Erase(HashOf(gone)).ok());
        members.erase(members.begin());
      } else if (random.Below(2000) == 0) {
        filter = DeserializeAny(Serialize(filter).value()).value();
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
      if (i % 4096 == 0) {
        ASSERT_TRUE(filter.CheckInvariants().ok());
      }
    }
    EXPECT_GT(members.size(), 300u);
    EXPECT_EQ(filter.size(), members.size());
  }
}

TEST(Cached, MergeDropsWhatMayBeAMemberOfTheOther) {
  const auto make = [] {
    return AnyFilter::Create("cached(rsqf:r=4):bytes=8192", 4000, kHasher)
        .value();
  };
  AnyFilter one = make();
  AnyFilter other = make();
  for (uint64_t key = 0; key < 1000; ++key) {
    ASSERT_TRUE(one.Insert(HashOf(key)).ok());
  }
  for (uint64_t key = 1000; key < 2000; ++key) {
    ASSERT_TRUE(other.Insert(HashOf(key)).ok());
  }
  // To the first one the members of the second are absent, and it learns so.
  uint64_t learnt = 0;
  for (uint64_t key = 1000; key < 40'000; ++key) {
    if (!one.MayContain(HashOf(key))) continue;
    ASSERT_EQ(one.Adapt(HashOf(key)).value(), AdaptOutcome::kFixed);
    learnt += key < 2000 ? 1 : 0;
  }
  ASSERT_GT(learnt, 0u);
  ASSERT_TRUE(one.Merge(other).ok());
  for (uint64_t key = 0; key < 2000; ++key) {
    ASSERT_TRUE(one.MayContain(HashOf(key))) << key;
  }
  EXPECT_TRUE(one.CheckInvariants().ok());
}

TEST(Cached, ABulkLoadTakesItsKeysOutOfTheCache) {
  for (const char* spec : {"cached(rsqf:r=3)", "cached(cuckoo:f=4)"}) {
    AnyFilter filter = AnyFilter::Create(spec, 4000, kHasher).value();
    std::vector<KeyHash> members, more;
    for (uint64_t key = 0; key < 2000; ++key) members.push_back(HashOf(key));
    ASSERT_TRUE(filter.BulkLoad(members).ok());
    for (uint64_t key = 2000; key < 3000; ++key) {
      more.push_back(HashOf(key));
      if (filter.MayContain(more.back())) {
        ASSERT_TRUE(filter.Adapt(more.back()).ok());
      }
    }
    ASSERT_TRUE(filter.BulkLoad(more).ok());
    EXPECT_EQ(filter.CountEach(more), more.size());
    EXPECT_EQ(filter.CountEach(members), members.size());
  }
}

TEST(Cached, LruForgetsWhatWasNotAskedForLongest) {
  MistakeCache cache = OneSet(Policy::kLru);
  ASSERT_EQ(cache.entries(), 8u);
  for (uint64_t key = 0; key < 8; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Find(HashOf(0)));  // now 1 is the oldest
  cache.Add(HashOf(8));
  EXPECT_FALSE(cache.Contains(HashOf(1)));
  EXPECT_TRUE(cache.Contains(HashOf(0)));
  EXPECT_TRUE(cache.Contains(HashOf(8)));
  // Of 2, 3, ... 8 and 0, 0 was used last: it outlives them all.
  for (uint64_t key = 9; key < 15; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Contains(HashOf(0)));
  EXPECT_FALSE(cache.Contains(HashOf(7)));
  EXPECT_TRUE(cache.CheckInvariants().ok());
}

TEST(Cached, ClockGivesAnotherChance) {
  MistakeCache cache = OneSet(Policy::kClock);
  for (uint64_t key = 0; key < 8; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Find(HashOf(0)));  // the oldest
  cache.Add(HashOf(8));
  EXPECT_TRUE(cache.Contains(HashOf(0)));
  EXPECT_FALSE(cache.Contains(HashOf(1)));
  // All used: then the oldest goes after all.
  MistakeCache full = OneSet(Policy::kClock);
  for (uint64_t key = 0; key < 8; ++key) full.Add(HashOf(key));
  for (uint64_t key = 0; key < 8; ++key) EXPECT_TRUE(full.Find(HashOf(key)));
  full.Add(HashOf(8));
  EXPECT_FALSE(full.Contains(HashOf(0)));
  EXPECT_TRUE(full.CheckInvariants().ok());
}

TEST(Cached, TopKKeepsWhatIsAskedForMost) {
  MistakeCache cache = OneSet(Policy::kTopK);
  for (uint64_t key = 0; key < 8; ++key) cache.Add(HashOf(key));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(cache.Find(HashOf(3)));
  for (uint64_t key = 100; key < 200; ++key) cache.Add(HashOf(key));
  EXPECT_TRUE(cache.Contains(HashOf(3)));
  EXPECT_FALSE(cache.Contains(HashOf(0)));
  EXPECT_TRUE(cache.Contains(HashOf(199)));  // the newest has its chance
  EXPECT_TRUE(cache.CheckInvariants().ok());
}

TEST(Cached, WhatIsRemovedIsGone) {
  for (const Policy policy : kPolicies) {
    MistakeCache cache = MistakeCache::Create(64 * 21, policy).value();
    for (uint64_t key = 0; key < 20; ++key) cache.Add(HashOf(key));
    cache.Remove(HashOf(7));
    cache.Remove(HashOf(99));
    EXPECT_FALSE(cache.Find(HashOf(7)));
    EXPECT_FALSE(cache.Find(KeyHash()));
    EXPECT_FALSE(cache.Add(KeyHash()));
    cache.RemoveIf([](KeyHash hash) { return hash != HashOf(3); });
    EXPECT_EQ(cache.used(), 1u);
    EXPECT_TRUE(cache.CheckInvariants().ok());
  }
}

TEST(Cached, ItsMemoryIsCounted) {
  const auto bits = [&](const std::string& spec) {
    return AnyFilter::Create(spec, 1000, kHasher).value().SizeBits();
  };
  const uint64_t plain = bits("bloom:bits=8");
  EXPECT_EQ(bits("cached(bloom:bits=8):bytes=1360"), plain + 1360 * 8);
  EXPECT_EQ(bits("cached(bloom:bits=8):bytes=1680,policy=topk"),
            plain + 1680 * 8);
}

TEST(Cached, SaysWhatItCantBeAround) {
  const auto message = [](const char* spec) {
    return std::string(
        AnyFilter::Create(spec, {.keys = 100}).status().message());
  };
  EXPECT_THAT(message("cached(cached(rsqf))"), HasSubstr("a cache around"));
  EXPECT_THAT(message("cached(taf)"), HasSubstr("taf learns by itself"));
  EXPECT_THAT(message("cached(nosuch)"), HasSubstr("unknown filter 'nosuch'"));
  EXPECT_THAT(message("cached(rsqf:r=99)"), HasSubstr("r=99"));
  EXPECT_THAT(message("cached(rsqf):bytes=9"), HasSubstr("bytes=9"));
  EXPECT_EQ(AnyFilter::Create("cached", {.keys = 9})->spec().ToString(),
            "cached(rsqf:r=8)");
}

TEST(Cached, IsFittedToABudget) {
  const MemoryBudget budget{.keys = 100'000, .bits_per_key = 12};
  const Fit fit =
      FitToBudget(Spec::Parse("cached(rsqf)").value(), budget).value();
  ASSERT_TRUE(fit.choice);
  AnyFilter filter =
      AnyFilter::Create(fit.choice->spec, fit.choice->slots, kHasher).value();
  EXPECT_LE(filter.SizeBits(), budget.TotalBits());
  EXPECT_GE(static_cast<double>(filter.SizeBits()),
            0.95 * static_cast<double>(budget.TotalBits()));
  const Fit large =
      FitToBudget(Spec::Parse("cached(rsqf):bytes=1000000").value(), budget)
          .value();
  EXPECT_FALSE(large.choice);
  EXPECT_GT(large.min_bits_per_key, 80);
}

}  // namespace
}  // namespace tamis::testing
