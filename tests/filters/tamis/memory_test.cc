// The tamis filter's memory is the host's, all of it; and whichever piece the
// host refuses, the filter is as it was.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "filters/counting_host.h"
#include "filters/tamis/tamis_history.h"
#include "tamis/internal/filters/tamis/member_mirror.h"

namespace tamis::testing {
namespace {

constexpr int64_t kAll = int64_t{1} << 40;

// A filter with extensions, long ones too, and voids.
TamisFilter Taught(bool rejuvenates = false) {
  TamisFilter filter = TamisFilter::Create({.slots = 20,
                                            .fingerprint_bits = 3,
                                            .extension_bits = 48,
                                            .rejuvenate_all = rejuvenates},
                                           Hasher(Seed{5, 6}))
                           .value();
  for (uint64_t key = 0; key < 2500; ++key) {
    EXPECT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  for (uint64_t key = 10'000; key < 10'800; ++key) {
    EXPECT_TRUE(filter.Adapt(filter.hasher().Hash(key)).ok());
  }
  for (uint64_t key = 0; key < 5; ++key) {  // nearly members
    KeyHash hash = filter.hasher().Hash(key);
    hash.high ^= uint64_t{1} << 20;
    EXPECT_TRUE(filter.Adapt(hash).ok());
  }
  EXPECT_GT(filter.extensions().longs().size(), 0u);
  EXPECT_EQ(filter.voids().size() > 0, !rejuvenates);
  return filter;
}

TEST(TamisMemory, IsTheHosts) {
  CountingHost host;
  {
    const TamisFilter filter = Taught();
    const FilterStats stats = filter.stats();
    const auto counted =
        static_cast<int64_t>(stats.size_bits + stats.side_bits);
    // With the counts of lengths, which are no table.
    const auto object = static_cast<int64_t>(8 * sizeof(TamisFilter)) +
                        64 * (filter.options().fingerprint_bits + 1);
    EXPECT_GE(8 * host.bytes(), counted - object);
    // Two lines at most are added to each piece, to align it.
    EXPECT_LE(8 * host.bytes(), counted - object + 1024 * host.pieces());
  }
  EXPECT_EQ(host.bytes(), 0);
  EXPECT_EQ(host.pieces(), 0);
}

// The same, with one key less than makes it grow.
TamisFilter Full(bool rejuvenates = false) {
  TamisFilter filter = Taught(rejuvenates);
  for (uint64_t key = 40'000; filter.size() < filter.capacity(); ++key) {
    EXPECT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  return filter;
}

// Refuses the n-th piece of an operation, for every n until it succeeds.
void ExpectUnchangedWhenRefused(
    const std::function<TamisFilter()>& make,
    const std::function<Status(TamisFilter&)>& change) {
  CountingHost host;
  int64_t refusals = 0;
  for (int64_t allowed = 0; allowed < 200; ++allowed) {
    host.Allow(kAll);
    TamisFilter filter = make();
    const auto before = Serialize(filter).value();
    host.Allow(allowed);
    const Status status = change(filter);
    const bool refused = host.refused();
    host.Allow(kAll);
    const Status sound = filter.CheckInvariants();
    ASSERT_TRUE(sound.ok()) << sound.ToString();
    if (!refused) {
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_GT(refusals, 0) << "it needs no memory";
      return;
    }
    if (status.ok()) continue;  // it can do without
    ++refusals;
    ASSERT_EQ(status.code(), StatusCode::kOutOfMemory) << status.ToString();
    ASSERT_EQ(Serialize(filter).value(), before) << allowed;
  }
  FAIL() << "never enough memory";
}

TEST(TamisMemory, RefusedGrowthChangesNothing) {
  const auto insert = [](TamisFilter& filter) {
    return filter.Insert(filter.hasher().Hash(uint64_t{50'000}));
  };
  ExpectUnchangedWhenRefused([] { return Full(); }, insert);
  ExpectUnchangedWhenRefused([] { return Full(true); }, insert);
  ExpectUnchangedWhenRefused(
      [] { return Taught(); },
      [](TamisFilter& filter) { return filter.Expand(); });
  ExpectUnchangedWhenRefused(
      [] {
        TamisFilter filter = Taught();
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(filter.Expand().ok());
        return filter;
      },
      [](TamisFilter& filter) { return filter.Contract(); });
}

TEST(TamisMemory, RefusedBulkLoadsChangeNothing) {
  for (const uint64_t count : {1, 300, 5000}) {
    ExpectUnchangedWhenRefused(
        [] { return Taught(); },
        [&](TamisFilter& filter) {
          std::vector<KeyHash> keys;
          for (uint64_t i = 0; i < count; ++i) {
            keys.push_back(filter.hasher().Hash(30'000 + i));
          }
          return filter.BulkLoad(keys);
        });
  }
}

TEST(TamisMemory, RefusedMergesChangeNothing) {
  ExpectUnchangedWhenRefused(
      [] { return Taught(); },
      [](TamisFilter& filter) -> Status {
        TAMIS_ASSIGN_OR_RETURN(
            TamisFilter other,
            TamisFilter::Create(filter.options(), filter.hasher()));
        for (uint64_t key = 60'000; key < 60'200; ++key) {
          TAMIS_RETURN_IF_ERROR(other.Insert(filter.hasher().Hash(key)));
        }
        return filter.Merge(other);
      });
}

TEST(TamisMemory, RefusedAdaptsChangeNothing) {
  // A key that is wrong about a member that is void now, and one of which the
  // table of extensions has to grow.
  uint64_t tried = 0;
  const TamisFilter filter = Taught();
  for (uint64_t key = 20'000; key < 24'000 && tried < 12; ++key) {
    const KeyHash absent = filter.hasher().Hash(key);
    if (!filter.MayContain(absent)) continue;
    if (filter.extensions().size() < filter.extensions().capacity() &&
        filter.voids().FindShortest(
            internal::HomeOf(filter.active().Read(absent))) == std::nullopt) {
      continue;
    }
    ++tried;
    CountingHost host;
    for (int64_t allowed = 0;; ++allowed) {
      ASSERT_LT(allowed, 100);
      host.Allow(kAll);
      TamisFilter copy = Taught();
      const auto before = Serialize(copy).value();
      host.Allow(allowed);
      const Result<AdaptOutcome> outcome = copy.Adapt(absent);
      const bool refused = host.refused();
      host.Allow(kAll);
      ASSERT_TRUE(copy.CheckInvariants().ok());
      if (!refused) break;
      if (outcome.ok()) continue;  // it can do without
      ASSERT_EQ(outcome.status().code(), StatusCode::kOutOfMemory);
      ASSERT_EQ(Serialize(copy).value(), before);
    }
  }
  EXPECT_GT(tried, 5u);
}

TEST(TamisMemory, RefusedLoadsLeakNothing) {
  const auto bytes = Serialize(Taught()).value();
  CountingHost host;
  for (int64_t allowed = 0; allowed < 200; ++allowed) {
    host.Allow(allowed);
    const Result<TamisFilter> loaded = Deserialize<TamisFilter>(bytes);
    if (loaded.ok()) {
      EXPECT_GT(allowed, 3);
      return;
    }
    ASSERT_EQ(loaded.status().code(), StatusCode::kOutOfMemory);
    ASSERT_EQ(host.pieces(), 0);
  }
  FAIL() << "never enough memory";
}

// The mirror against a sorted vector: many equal hashes, at both ends too.
TEST(MemberMirror, IsASortedMultiset) {
  std::mt19937_64 random(1);
  internal::MemberMirror mirror;
  std::map<KeyHash, uint64_t> truth;
  uint64_t size = 0;
  const auto any_hash = [&]() -> KeyHash {
    switch (random() % 6) {
      case 0:
        return {0, 0};
      case 1:
        return {~uint64_t{0}, ~uint64_t{0}};
      case 2:
        return {0, random() % 4};
      case 3:
        return {~uint64_t{0} - random() % 4, 7};
      default:
        return {random() % 64 << 58 | random() % 4, random() % 2};
    }
  };
  for (int step = 0; step < 40'000; ++step) {
    const KeyHash hash = any_hash();
    if (random() % 5000 < (step / 8000 % 2 == 0 ? 4000u : 1000u)) {
      ASSERT_TRUE(mirror.Reserve(1).ok());
      mirror.Add(hash);
      ++truth[hash];
      ++size;
    } else if (truth.contains(hash)) {
      ASSERT_TRUE(mirror.Contains(hash));
      mirror.Remove(hash);
      if (--truth[hash] == 0) truth.erase(hash);
      --size;
    } else {
      ASSERT_FALSE(mirror.Contains(hash));
    }
    if (step % 400 != 0) continue;
    const Status status = mirror.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(mirror.size(), size);
    const KeyHash a = any_hash();
    const KeyHash b = any_hash();
    const std::vector<KeyHash> found =
        mirror.Range(std::min(a, b), std::max(a, b));
    std::vector<KeyHash> wanted;
    for (const auto& [member, count] : truth) {
      if (std::min(a, b) <= member && member <= std::max(a, b)) {
        wanted.insert(wanted.end(), count, member);
      }
    }
    ASSERT_EQ(found, wanted);
  }
}

}  // namespace
}  // namespace tamis::testing
