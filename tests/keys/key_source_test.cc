// Key sources: ranges of hashes, and sources in memory.

#include "tamis/key_source.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/keys/home_range.h"

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

}  // namespace
}  // namespace tamis::internal
