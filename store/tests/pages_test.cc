// The pages of a filter: one a shard, each with its own position.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "store/src/layout.h"
#include "store/src/page_map.h"
#include "store/tests/raw_store.h"
#include "store/tests/temp_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

using internal::AddTaken;
using internal::kFilterFamily;
using internal::PageMap;
using internal::SavedPage;

// ---- Which pages there are --------------------------------------------------

HashRange Quarters(uint64_t first, uint64_t end) {
  return {{first << 62, 0}, {(end << 62) - 1, ~uint64_t{0}}};
}
SavedPage Page(uint64_t first, uint64_t end, uint64_t position) {
  return {position, {Quarters(first, end), ""}};
}

TEST(PageMap, SplitsAndJoinsReplaceWhatWasThere) {
  PageMap map;
  EXPECT_EQ(map.least(), 0u);
  const SavedPage all[] = {Page(0, 4, 10)};
  map.Replace(all);
  EXPECT_TRUE(map.GoesOnAfter(Quarters(0, 2).high)) << "one half is not enough";
  EXPECT_FALSE(map.GoesOnAfter(Quarters(0, 4).high));
  const SavedPage split[] = {Page(0, 1, 20), Page(1, 2, 21), Page(2, 4, 22)};
  map.Replace(split);
  EXPECT_FALSE(map.GoesOnAfter(Quarters(0, 1).high));
  EXPECT_TRUE(map.GoesOnAfter(Quarters(2, 3).high));
  EXPECT_EQ(map.PositionOf({uint64_t{1} << 62, 5}), 21u);
  EXPECT_EQ(map.least(), 20u);
  EXPECT_EQ(map.largest(), 22u);
  const SavedPage joined[] = {Page(0, 2, 30)};
  map.Replace(joined);
  EXPECT_EQ(map.Beginnings(kAllHashes).size(), 2u);
  EXPECT_EQ(map.PositionOf({uint64_t{1} << 62, 5}), 30u);
  EXPECT_EQ(map.least(), 22u);
}

// A save takes one shard after the other, and shards may join meanwhile.
TEST(PageMap, AJoinedShardTakesThePlaceOfItsParts) {
  std::vector<SavedPage> taken;
  for (uint64_t i = 0; i < 3; ++i) AddTaken(&taken, Page(i, i + 1, i));
  EXPECT_EQ(taken.size(), 3u);
  AddTaken(&taken, Page(2, 4, 10));  // the third has joined the fourth
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken.back().position, 10u);
  AddTaken(&taken, Page(0, 4, 11));
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken.back().position, 11u);
}

// ---- In a store -------------------------------------------------------------

StoreOptions ManyShards() {
  StoreOptions options;
  options.hasher = Hasher(Seed{6, 6});
  options.filter.fingerprint_bits = 8;
  options.filter.shard_slots = 64;
  return options;
}

// The keys of the pages, in order.
std::vector<std::string> PageKeysOf(const RawStore& raw) {
  const auto [first, end] = internal::PageKeys(0);
  const std::unique_ptr<rocksdb::Iterator> at(
      raw.db()->NewIterator({}, raw.family(kFilterFamily)));
  std::vector<std::string> keys;
  for (at->Seek(first); at->Valid() && at->key().compare(end) < 0; at->Next()) {
    keys.push_back(at->key().ToString());
  }
  return keys;
}

void Fill(const std::string& path, int keys) {
  const auto store = MustOpen(path, ManyShards());
  for (int i = 0; i < keys; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
  ExpectOk(store->Close());
}

// The store grows and shrinks, and is saved again and again, while others write.
TEST(StorePages, FollowShardsThatSplitAndJoin) {
  const TempDir dir;
  const std::string path = dir / "s";
  std::set<std::string> exact;
  workloads::Random random(1);
  size_t most_pages = 0;
  for (int round = 0; round < 12; ++round) {
    const bool shrinks = round % 4 == 3;
    {
      const auto store = MustOpen(path, ManyShards());
      EXPECT_EQ(store->Stats().counters.rebuilds, round == 0 ? 1u : 0u);
      std::atomic<bool> done = false;
      std::thread saver([&] {
        while (!done) ExpectOk(store->SaveFilter());
      });
      for (int i = 0; i < 3000; ++i) {
        const std::string key = std::to_string(random.Below(8000));
        if (random.Below(10) < (shrinks ? 9u : 2u)) {
          ExpectOk(store->Delete(key));
          exact.erase(key);
        } else {
          ExpectOk(store->Put(key, "v"));
          exact.insert(key);
        }
      }
      done = true;
      saver.join();
      if (round % 2 == 0) ExpectOk(store->SaveFilter());
      for (const std::string& key : exact) ASSERT_EQ(Read(*store, key), "v");
      ExpectWhole(*store, exact.size());
    }
    const RawStore raw(path);
    most_pages = std::max(most_pages, PageKeysOf(raw).size());
  }
  EXPECT_GT(most_pages, 30u);
  const auto store = MustOpen(path, ManyShards());
  ExpectWhole(*store, exact.size());
}

TEST(StorePages, OneOfManyMissingCutOrFlippedIsNoticed) {
  const TempDir dir;
  Fill(dir / "s", 2000);
  workloads::Random random(2);
  for (int trial = 0; trial < 9; ++trial) {
    {
      const RawStore raw(dir / "s");
      const std::vector<std::string> keys = PageKeysOf(raw);
      ASSERT_GT(keys.size(), 10u);
      const std::string& key = keys[random.Below(keys.size())];
      std::string bytes = raw.Read(kFilterFamily, key);
      const size_t at = random.Below(bytes.size());
      if (trial % 3 == 0) {
        ASSERT_TRUE(raw.db()->Delete({}, raw.family(kFilterFamily), key).ok());
      } else if (trial % 3 == 1) {
        raw.Write(kFilterFamily, key, bytes.substr(0, at));
      } else {
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        raw.Write(kFilterFamily, key, bytes);
      }
    }
    const auto store = MustOpen(dir / "s", ManyShards());
    EXPECT_EQ(store->Stats().counters.rebuilds, 1u) << trial;
    ExpectWhole(*store, 2000);
  }
}

// A page under the key of another: its checksum is right, its place is not.
TEST(StorePages, OneInThePlaceOfAnotherIsNoticed) {
  const TempDir dir;
  Fill(dir / "s", 2000);
  {
    const RawStore raw(dir / "s");
    const std::vector<std::string> keys = PageKeysOf(raw);
    raw.Write(kFilterFamily, keys[1], raw.Read(kFilterFamily, keys[2]));
  }
  const auto store = MustOpen(dir / "s", ManyShards());
  EXPECT_EQ(store->Stats().counters.rebuilds, 1u);
  ExpectWhole(*store, 2000);
}

// Version 1 had no shard_slots, and its pages under other keys.
TEST(StorePages, AStoreOfVersion1IsTakenOver) {
  const TempDir dir;
  Fill(dir / "s", 500);
  {
    const RawStore raw(dir / "s");
    std::string meta = raw.Read(kFilterFamily, "meta");
    meta.resize(meta.size() - 16);  // checksum and shard_slots
    meta[15] = 1;
    meta = internal::Sealed(meta);
    raw.Write(kFilterFamily, "meta", meta);
    raw.Write(kFilterFamily, "meta copy", meta);
    std::string page;
    for (const std::string& key : PageKeysOf(raw)) {
      page = raw.Read(kFilterFamily, key);
      ASSERT_TRUE(raw.db()->Delete({}, raw.family(kFilterFamily), key).ok());
    }
    std::string old = internal::PageKeys(0).first;
    internal::PutU64(&old, 7);  // generation
    internal::PutU64(&old, 0);  // number
    raw.Write(kFilterFamily, old, page);
  }
  {
    const auto store = MustOpen(dir / "s", ManyShards());
    EXPECT_EQ(store->Stats().counters.rebuilds, 1u);
    ExpectWhole(*store, 500);
  }
  const auto store = MustOpen(dir / "s", ManyShards());
  EXPECT_EQ(store->Stats().counters.rebuilds, 0u);
  ExpectWhole(*store, 500);
}

// ---- The files' own filters ---------------------------------------------------

TEST(StoreFileFilters, WhatTheyDenyCostsNoBlockAndNoFix) {
  const TempDir dir;
  const SizedFilters sized = MadeToSize(20000, 12.6);
  EXPECT_GT(sized.file_bits, 0);
  StoreOptions options;
  options.hasher = Hasher(Seed{1, 1});
  options.filter = sized.filter;
  SetFileFilters(sized.file_bits, &options.rocksdb);
  const auto store = MustOpen(dir / "s", options);
  for (int i = 0; i < 20000; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
  ExpectOk(store->Flush());
  for (int i = 0; i < 50000; ++i) {
    ASSERT_EQ(Read(*store, "absent" + std::to_string(i)), std::nullopt);
  }
  const StoreCounters counters = store->Stats().counters;
  EXPECT_EQ(counters.gets, 50000u);
  EXPECT_GT(counters.denied_by_files, 4 * counters.false_positives);
  EXPECT_EQ(counters.fixes, counters.false_positives);
  EXPECT_LT(store->Stats().families[0].bits_per_key + sized.file_bits, 13.5)
      << "12.6, and what a small table has at its end";
  // In batches too, where only asking again tells which key was denied.
  std::vector<std::string> names;
  for (int i = 50000; i < 60000; ++i) {
    names.push_back("absent" + std::to_string(i));
  }
  const std::vector<rocksdb::Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  std::vector<bool> found;
  ExpectOk(store->MultiGet({}, store->default_family(), keys, &values, &found));
  const StoreCounters after = store->Stats().counters;
  EXPECT_EQ(after.gets, 60000u);
  EXPECT_GT(after.denied_by_files, counters.denied_by_files + 20);
  EXPECT_EQ(after.fixes, after.false_positives);
  ExpectWhole(*store, 20000);
}

}  // namespace
}  // namespace tamis
