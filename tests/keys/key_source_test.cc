// Key sources: ranges of hashes, and the pairing of slots with members.

#include "tamis/key_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/keys/home_range.h"
#include "tamis/internal/keys/perfect_matching.h"

namespace tamis::internal {
namespace {

KeyHash Before(KeyHash hash) {
  return hash.low != 0 ? KeyHash{hash.high, hash.low - 1}
                       : KeyHash{hash.high - 1, ~uint64_t{0}};
}
KeyHash After(KeyHash hash) {
  return hash.low != ~uint64_t{0} ? KeyHash{hash.high, hash.low + 1}
                                  : KeyHash{hash.high + 1, 0};
}

TEST(HomeRange, HasTheHashesOfItsHomeAndNoOthers) {
  std::mt19937_64 random(5);
  for (const uint64_t homes :
       {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{1000},
        uint64_t{1} << 20, (uint64_t{1} << 40) + 12345, uint64_t{1} << 56}) {
    for (int i = 0; i < 200; ++i) {
      const uint64_t home = i == 0 ? homes - 1 : random() % homes;
      const HashRange range = HashesOfHome(home, homes);
      ASSERT_EQ(Place(range.low, homes).home, home);
      ASSERT_EQ(Place(range.high, homes).home, home);
      if (home > 0) {
        ASSERT_EQ(Place(Before(range.low), homes).home, home - 1);
      }
      if (home + 1 < homes) {
        ASSERT_EQ(Place(After(range.high), homes).home, home + 1);
      }
    }
  }
}

std::vector<KeyHash> Range(KeySourceRef source, KeyHash low, KeyHash high) {
  std::vector<KeyHash> found;
  EXPECT_TRUE(
      source.ForEachInRange(low, high, [&](KeyHash h) { found.push_back(h); })
          .ok());
  return found;
}

TEST(SortedSource, ReportsRangesInOrderWithMultiplicity) {
  SortedSource source;
  for (const uint64_t low : {5U, 1U, 3U, 3U, 9U}) source.Add({0, low});
  using Hashes = std::vector<KeyHash>;
  EXPECT_EQ(Range(source, {0, 3}, {0, 5}), (Hashes{{0, 3}, {0, 3}, {0, 5}}));
  EXPECT_TRUE(source.Remove({0, 3}));
  EXPECT_EQ(Range(source, {0, 2}, {0, 4}), (Hashes{{0, 3}}));
  EXPECT_TRUE(source.Remove({0, 3}));
  EXPECT_FALSE(source.Remove({0, 3}));
  EXPECT_TRUE(Range(source, {0, 2}, {0, 4}).empty());
}

TEST(SortedSource, StopsWhenToldTo) {
  SortedSource source;
  for (const uint64_t low : {1U, 3U, 3U, 9U}) source.Add({0, low});
  std::vector<KeyHash> found;
  const auto two = [&](KeyHash hash) {
    found.push_back(hash);
    return found.size() < 2;
  };
  EXPECT_TRUE(KeySourceRef(source)
                  .ForEachInRange(kAllHashes.low, kAllHashes.high, two)
                  .ok());
  EXPECT_EQ(found, (std::vector<KeyHash>{{0, 1}, {0, 3}}));
}

TEST(PerfectMatching, FindsOneWhereGreedyPairingFails) {
  // Slot 0 matches both, slot 1 member 0 only.
  const auto matches = [](size_t slot, size_t member) {
    return slot == 0 || member == 0;
  };
  EXPECT_EQ(PerfectMatching(2, matches), (std::vector<size_t>{1, 0}));
}

TEST(PerfectMatching, SaysSoIfThereIsNone) {
  EXPECT_TRUE(PerfectMatching(3, [](size_t, size_t member) {
                return member != 2;
              }).empty());
}

TEST(PerfectMatching, FindsOneWheneverThereIs) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const size_t n = 1 + random() % 9;
    std::vector<size_t> hidden(n);
    std::iota(hidden.begin(), hidden.end(), 0);
    std::shuffle(hidden.begin(), hidden.end(), random);
    std::vector<bool> edges(n * n);
    for (size_t e = 0; e < n * n; ++e) edges[e] = random() % 3 == 0;
    for (size_t slot = 0; slot < n; ++slot)
      edges[slot * n + hidden[slot]] = true;
    const auto matches = [&](size_t slot, size_t member) {
      return static_cast<bool>(edges[slot * n + member]);
    };
    const std::vector<size_t> found = PerfectMatching(n, matches);
    ASSERT_EQ(found.size(), n);
    std::vector<bool> used(n);
    for (size_t slot = 0; slot < n; ++slot) {
      ASSERT_TRUE(matches(slot, found[slot]));
      ASSERT_FALSE(used[found[slot]]);
      used[found[slot]] = true;
    }
  }
}

}  // namespace
}  // namespace tamis::internal
