#include "tamis/internal/hash/look_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tamis::internal {
namespace {

// For every number of look-ups around whole rounds of the ring: each begins
// once, in order, ends with what it began with, and no more than kAhead are
// under way.
TEST(LookAhead, AnswersEachInItsPlace) {
  constexpr size_t kAhead = 4;
  for (size_t count = 0; count <= 5 * kAhead; ++count) {
    std::vector<KeyHash> hashes(count);
    for (size_t i = 0; i < count; ++i) hashes[i].low = i;
    const auto results = std::make_unique<bool[]>(count + 1);
    results[count] = true;
    uint64_t begun = 0, ended = 0;
    LookAhead<kAhead>(
        hashes, std::span(results.get(), count),
        [&](KeyHash hash) {
          EXPECT_EQ(hash.low, begun++);
          EXPECT_LE(begun - ended, kAhead);
          return hash.low;
        },
        [&](uint64_t pending) {
          EXPECT_EQ(pending, ended++);
          return pending % 3 == 1;
        });
    EXPECT_EQ(begun, count);
    EXPECT_EQ(ended, count);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(results[i], i % 3 == 1);
    EXPECT_TRUE(results[count]);
  }
}

// A round is kAhead look-ups that have ended, or what is left at the end.
TEST(LookAhead, RoundsAreWhole) {
  constexpr size_t kAhead = 4;
  for (size_t count = 0; count <= 5 * kAhead; ++count) {
    size_t ended = 0, rounds = 0;
    LookAheadInRounds<kAhead>(
        count, [](size_t i) { return 10 * i; },
        [&](size_t i, size_t begun) {
          EXPECT_EQ(i, ended++);
          EXPECT_EQ(begun, 10 * i);
        },
        [&] { EXPECT_EQ(ended, std::min(count, kAhead * ++rounds)); });
    EXPECT_EQ(rounds, (count + kAhead - 1) / kAhead);
    EXPECT_EQ(ended, count);
  }
}

}  // namespace
}  // namespace tamis::internal
