// The border between home and value, and the pass that merges streams.

#include "table/entry_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "tamis/internal/table/quotient_table.h"
#include "tamis/internal/table/table_entry.h"

namespace tamis::internal {
namespace {

TEST(TableEntry, MovingBitsThereAndBackChangesNothing) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const int width = 1 + static_cast<int>(random() % 56);
    const int count = static_cast<int>(random() % 57) % (width + 1);
    const TableEntry entry = {random() >> 16 >> count,
                              random() >> (64 - width)};
    const TableEntry moved = MoveToHome(entry, count, width);
    EXPECT_EQ(MoveToValue(moved, count, width - count, width), entry);
    // What is dropped of the value does not change the rest.
    const TableEntry coarse = MoveToValue(entry, count, width, width);
    EXPECT_EQ(coarse.home, entry.home >> count);
    EXPECT_EQ(MoveToHome(coarse, count, width),
              (TableEntry{entry.home, entry.value >> count}));
  }
}

TEST(TableEntry, MovingBitsKeepsTheOrder) {
  std::mt19937_64 random(2);
  std::vector<TableEntry> entries;
  for (int i = 0; i < 1000; ++i)
    entries.push_back({random() % 64, random() % 32});
  std::sort(entries.begin(), entries.end());
  for (int count = 0; count <= 5; ++count) {
    std::vector<TableEntry> finer;
    std::vector<TableEntry> coarser;
    for (const TableEntry& entry : entries) {
      finer.push_back(MoveToHome(entry, count, 5));
      coarser.push_back(MoveToValue(entry, count, 5, 4));
    }
    EXPECT_TRUE(std::is_sorted(finer.begin(), finer.end())) << count;
    EXPECT_TRUE(std::is_sorted(coarser.begin(), coarser.end())) << count;
  }
}

std::vector<TableEntry> EntriesOf(const QuotientTable& table) {
  std::vector<TableEntry> entries;
  table.ForEach([&](uint64_t home, uint64_t /*slot*/, uint64_t value) {
    entries.push_back({home, value});
  });
  return entries;
}

QuotientTable RandomTable(uint64_t homes, uint64_t size, uint64_t seed) {
  QuotientTable table = QuotientTable::Create(homes, 6).value();
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i < size; ++i) {
    EXPECT_TRUE(table.InsertSorted(random() % homes, random() % 64).ok());
  }
  return table;
}

TEST(FillFrom, MergesWhatTheMapsLeave) {
  for (const uint64_t size : {0u, 1u, 40u, 300u}) {
    const QuotientTable a = RandomTable(500, size, 3);
    const QuotientTable b = RandomTable(500, 300 - size, 4);
    const auto odd_only = [](const TableEntry& entry) {
      return entry.value % 2 == 0 ? kNoEntry : entry;
    };
    const auto all = [](const TableEntry& entry) { return entry; };
    QuotientTable merged = QuotientTable::Create(500, 6).value();
    ASSERT_TRUE(
        FillFrom(merged, MappedEntries(a, odd_only), MappedEntries(b, all))
            .ok());
    EXPECT_TRUE(merged.CheckInvariants().ok());
    EXPECT_TRUE(merged.CheckSortedRuns().ok());
    std::vector<TableEntry> expected = EntriesOf(b);
    for (const TableEntry& entry : EntriesOf(a)) {
      if (entry.value % 2 != 0) expected.push_back(entry);
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(EntriesOf(merged), expected) << size;
  }
}

TEST(FillFrom, BurstsRepeatAnEntry) {
  uint64_t home = 0;
  Bursts bursts([&]() -> Burst {
    return ++home > 3 ? kNoBurst : Burst{{home, 7}, home};
  });
  QuotientTable table = QuotientTable::Create(8, 6).value();
  ASSERT_TRUE(FillFrom(table, std::move(bursts)).ok());
  const std::vector<TableEntry> expected = {{1, 7}, {2, 7}, {2, 7},
                                            {3, 7}, {3, 7}, {3, 7}};
  EXPECT_EQ(EntriesOf(table), expected);
}

TEST(FillFrom, SaysWhenTheTableIsFull) {
  const QuotientTable large = RandomTable(500, 100, 5);
  const auto to_few_homes = [](const TableEntry& entry) {
    return TableEntry{entry.home / 8, 0};
  };
  QuotientTable small = QuotientTable::Create(63, 6).value();
  EXPECT_EQ(FillFrom(small, MappedEntries(large, to_few_homes)).code(),
            StatusCode::kFull);
}

}  // namespace
}  // namespace tamis::internal
