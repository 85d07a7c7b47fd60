#include "table/bulk_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tamis/hasher.h"

namespace tamis::internal {
namespace {

using Entry = std::pair<uint64_t, uint64_t>;

std::vector<KeyHash> Hashes(uint64_t count) {
  const Hasher hasher(Seed{3, 0});
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(hasher.Hash(i));
  return hashes;
}

void CheckOrder(uint64_t count, uint64_t homes, int width) {
  const std::vector<KeyHash> hashes = Hashes(count);
  std::vector<Entry> expected;
  for (const KeyHash hash : hashes) {
    const Placed placed = Place(hash, homes);
    expected.emplace_back(placed.home, FirstBits(placed, width));
  }
  std::sort(expected.begin(), expected.end());
  std::vector<Entry> visited;
  const Status status = ForEachInOrder(
      hashes, homes, width, [&](uint64_t home, uint64_t value) -> Status {
        visited.emplace_back(home, value);
        return {};
      });
  ASSERT_TRUE(status.ok());
  ASSERT_EQ(visited, expected) << count << " " << homes << " " << width;
}

TEST(BulkOrder, SortsByHomeThenValue) {
  for (const uint64_t count : {0, 1, 2, 1000, 60000}) {
    CheckOrder(count, 1, 8);
    CheckOrder(count, 7, 2);
    CheckOrder(count, 1000, 8);
    CheckOrder(count, 50000, 16);
    CheckOrder(count, uint64_t{1} << 20, 13);
  }
}

TEST(BulkOrder, PacksInto64BitsWhere32DoNotDo) {
  for (const int width : {17, 18, 19, 49, 50}) {  // 14 bits of a home go along
    CheckOrder(20000, uint64_t{1} << 20, width);
    CheckOrder(20000, (uint64_t{1} << 14) + 1, width);
  }
}

TEST(BulkOrder, PacksInto128BitsWhere64DoNotDo) {
  CheckOrder(20000, (uint64_t{1} << 20) + 1, 56);
  for (const uint64_t homes : {255, 256, 257, 511, 512}) {  // 64 bits, and 65
    CheckOrder(2000, homes, 56);
  }
}

TEST(BulkOrder, StopsAtTheFirstError) {
  int visits = 0;
  const Status status =
      ForEachInOrder(Hashes(100), 100, 8, [&](uint64_t, uint64_t) -> Status {
        if (++visits == 10) return {StatusCode::kFull, "enough"};
        return {};
      });
  EXPECT_EQ(status.code(), StatusCode::kFull);
  EXPECT_EQ(visits, 10);
}

}  // namespace
}  // namespace tamis::internal
