// The store does what it says, one thing at a time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/merge_operator.h>

#include <fstream>
#include <map>
#include <set>

#include "store/tests/temp_store.h"

namespace tamis {
namespace {

using testing::HasSubstr;

class BothLayouts : public testing::TestWithParam<StoreLayout> {
 protected:
  StoreOptions Options() const {
    StoreOptions options;
    options.layout = GetParam();
    return options;
  }
  TempDir dir_;
};
INSTANTIATE_TEST_SUITE_P(Store, BothLayouts,
                         testing::Values(StoreLayout::kHashOrder,
                                         StoreLayout::kKeyOrder),
                         [](const auto& layout) {
                           return layout.param == StoreLayout::kHashOrder
                                      ? "HashOrder"
                                      : "KeyOrder";
                         });

TEST_P(BothLayouts, PutGetDeleteReopen) {
  {
    const auto store = MustOpen(dir_ / "s", Options());
    ExpectOk(store->Put("ada", "1815"));
    ExpectOk(store->Put("ada", "1816"));  // overwritten
    ExpectOk(store->Put("bob", "x"));
    ExpectOk(store->Delete("bob"));
    ExpectOk(store->Delete("bob"));  // twice: no second erase
    ExpectOk(store->Delete("nobody"));
    EXPECT_EQ(Read(*store, "ada"), "1816");
    EXPECT_EQ(Read(*store, "bob"), std::nullopt);
    EXPECT_EQ(store->Stats().counters.new_keys, 2u);
    ExpectWhole(*store, 1);
    ExpectOk(store->Close());
  }
  const auto store = MustOpen(dir_ / "s", Options());
  EXPECT_EQ(Read(*store, "ada"), "1816");
  EXPECT_EQ(Read(*store, "bob"), std::nullopt);
  EXPECT_EQ(store->Stats().counters.rebuilds, 0u);
  EXPECT_EQ(store->Stats().counters.replayed, 0u) << "closed cleanly";
  ExpectWhole(*store, 1);
}

TEST_P(BothLayouts, IterationGivesEveryPairOnce) {
  const auto store = MustOpen(dir_ / "s", Options());
  std::map<std::string, std::string> expected;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "key" + std::to_string(i);
    expected[key] = std::to_string(i * i);
    ExpectOk(store->Put(key, expected[key]));
  }
  std::map<std::string, std::string> seen;
  std::string last;
  const auto at = store->NewIterator({}, store->default_family());
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    EXPECT_TRUE(
        seen.emplace(at->key().ToString(), at->value().ToString()).second);
    if (GetParam() == StoreLayout::kKeyOrder) {
      EXPECT_LT(last, at->key().ToString());
      last = at->key().ToString();
    }
  }
  ExpectOk(at->status());
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(at->Seek("key5").ok(), GetParam() == StoreLayout::kKeyOrder);
}

TEST_P(BothLayouts, BatchesNetRepeatedKeys) {
  const auto store = MustOpen(dir_ / "s", Options());
  ExpectOk(store->Put("there", "1"));
  ExpectOk(store->Put("gone", "1"));
  rocksdb::WriteBatch batch;
  ASSERT_TRUE(batch.Put("new", "1").ok());
  ASSERT_TRUE(batch.Put("new", "2").ok());
  ASSERT_TRUE(batch.Delete("there").ok());
  ASSERT_TRUE(batch.Put("there", "2").ok());
  ASSERT_TRUE(batch.Put("brief", "1").ok());
  ASSERT_TRUE(batch.Delete("brief").ok());
  ASSERT_TRUE(batch.Delete("gone").ok());
  ASSERT_TRUE(batch.Delete("gone").ok());
  ExpectOk(store->Write({}, &batch));
  EXPECT_EQ(Read(*store, "new"), "2");
  EXPECT_EQ(Read(*store, "there"), "2");
  EXPECT_EQ(Read(*store, "brief"), std::nullopt);
  EXPECT_EQ(Read(*store, "gone"), std::nullopt);
  ExpectWhole(*store, 2);
}

TEST_P(BothLayouts, SnapshotsSeeWhatWasDeletedSince) {
  const auto store = MustOpen(dir_ / "s", Options());
  ExpectOk(store->Put("ada", "1815"));
  rocksdb::ReadOptions then;
  then.snapshot = store->GetSnapshot();
  ExpectOk(store->Delete("ada"));
  EXPECT_EQ(Read(*store, "ada"), std::nullopt);
  rocksdb::PinnableSlice value;
  const Result<bool> found =
      store->Get(then, store->default_family(), "ada", &value);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(*found);
  EXPECT_EQ(value.ToString(), "1815");
  std::vector<std::string> values;
  std::vector<bool> there;
  const rocksdb::Slice keys[] = {"ada"};
  ExpectOk(
      store->MultiGet(then, store->default_family(), keys, &values, &there));
  EXPECT_TRUE(there[0]);
  store->ReleaseSnapshot(then.snapshot);
}

TEST_P(BothLayouts, MultiGetAgreesWithGet) {
  const auto store = MustOpen(dir_ / "s", Options());
  for (int i = 0; i < 500; i += 2) {
    ExpectOk(store->Put(std::to_string(i), "v" + std::to_string(i)));
  }
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) names.push_back(std::to_string(i));
  const std::vector<rocksdb::Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  std::vector<bool> found;
  ExpectOk(store->MultiGet({}, store->default_family(), keys, &values, &found));
  for (size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(found[i], i % 2 == 0);
    EXPECT_EQ(values[i], found[i] ? "v" + names[i] : "");
  }
}

TEST_P(BothLayouts, EachFamilyHasItsFilter) {
  StoreOptions options = Options();
  options.families = {"blue"};
  {
    const auto store = MustOpen(dir_ / "s", options);
    ExpectOk(store->Put({}, store->family("blue"), "ada", "b"));
    rocksdb::WriteBatch batch;
    ASSERT_TRUE(batch.Put(store->family("blue"), "x", "1").ok());
    ASSERT_TRUE(batch.Put("y", "2").ok());
    ExpectOk(store->Write({}, &batch));
    EXPECT_EQ(Read(*store, "ada"), std::nullopt);
    EXPECT_EQ(store->family("tamis.filter"), nullptr);
  }
  const auto store = MustOpen(dir_ / "s", Options());  // found by itself
  rocksdb::PinnableSlice value;
  const auto found = store->Get({}, store->family("blue"), "ada", &value);
  ASSERT_TRUE(found.ok() && *found);
  ExpectWhole(*store, 3);
  ASSERT_EQ(store->Stats().families.size(), 2u);
}

class Append : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* old,
             const rocksdb::Slice& more, std::string* out,
             rocksdb::Logger*) const override {
    *out = (old != nullptr ? old->ToString() : "") + more.ToString();
    return true;
  }
  const char* Name() const override { return "append"; }
};

TEST_P(BothLayouts, MergeIsAPut) {
  StoreOptions options = Options();
  {
    const auto store = MustOpen(dir_ / "s", options);
    EXPECT_EQ(store->Merge({}, store->default_family(), "a", "x").code(),
              StatusCode::kInvalidArgument);
  }
  options.rocksdb.merge_operator = std::make_shared<Append>();
  const auto store = MustOpen(dir_ / "s", options);
  ExpectOk(store->Merge({}, store->default_family(), "a", "x"));
  ExpectOk(store->Merge({}, store->default_family(), "a", "y"));
  EXPECT_EQ(Read(*store, "a"), "xy");
  ExpectWhole(*store, 1);
}

TEST_P(BothLayouts, CopiesAreStores) {
  const auto store = MustOpen(dir_ / "s", Options());
  for (int i = 0; i < 2000; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
  ExpectOk(store->Checkpoint(dir_ / "copy"));
  ExpectOk(store->Backup(dir_ / "backup"));
  ExpectOk(store->Delete("7"));
  ExpectOk(Store::Restore(dir_ / "backup", dir_ / "restored"));
  for (const char* name : {"copy", "restored"}) {
    const auto copy = MustOpen(dir_ / name, Options());
    EXPECT_EQ(Read(*copy, "7"), "v");
    EXPECT_EQ(copy->Stats().counters.rebuilds, 0u) << name;
    ExpectWhole(*copy, 2000);
  }
}

TEST_P(BothLayouts, WithoutAWalWhatWasFlushedStays) {
  StoreOptions options = Options();
  options.wal = false;
  {
    const auto store = MustOpen(dir_ / "s", options);
    for (int i = 0; i < 300; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
    ExpectOk(store->Flush());
    ExpectOk(store->Put("later", "v"));
    ExpectOk(store->Checkpoint(dir_ / "copy"));  // flushes too
  }
  for (const char* name : {"s", "copy"}) {
    const auto store = MustOpen(dir_ / name, options);
    EXPECT_EQ(Read(*store, "later"), "v");
    EXPECT_EQ(store->Stats().counters.rebuilds, 0u) << name;
    ExpectWhole(*store, 301);
  }
}

TEST(Store, DeleteRangeLeavesGhostsThatGoWhenMet) {
  const TempDir dir;
  StoreOptions options;
  options.layout = StoreLayout::kKeyOrder;
  const auto store = MustOpen(dir / "s", options);
  for (int i = 100; i < 200; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
  ExpectOk(store->DeleteRange({}, store->default_family(), "120", "150"));
  ExpectWhole(*store, 70, 30);
  for (int i = 100; i < 200; ++i) {
    EXPECT_EQ(Read(*store, std::to_string(i)).has_value(), i < 120 || i >= 150);
  }
  EXPECT_EQ(store->Stats().counters.ghosts_removed, 30u);
  ExpectWhole(*store, 70);
  ExpectOk(store->Put("130", "again"));
  ExpectWhole(*store, 71);
}

// The files may be elsewhere than in the file system.
TEST_P(BothLayouts, LivesInMemoryToo) {
  const std::unique_ptr<rocksdb::Env> memory(
      rocksdb::NewMemEnv(rocksdb::Env::Default()));
  StoreOptions options = Options();
  options.rocksdb.env = memory.get();
  for (const char* expected : {"", "1815"}) {
    const auto store = MustOpen("/nowhere/s", options);
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(Read(*store, "ada").value_or(""), expected);
    ExpectOk(store->Put("ada", "1815"));
    ExpectWhole(*store, 1);
  }
}

TEST(Store, AFilterMadeToSizeSaysWhenItIsFull) {
  const TempDir dir;
  StoreOptions options;
  options.filter.grow = false;
  options.filter.expected_keys = 1000;
  {
    const auto store = MustOpen(dir / "s", options);
    int i = 0;
    Status status;
    for (; i < 2000 && status.ok(); ++i) {
      status = store->Put(std::to_string(i), "v");
    }
    EXPECT_EQ(status.code(), StatusCode::kFull);
    EXPECT_GT(i, 1000);
    ExpectWhole(*store, static_cast<uint64_t>(i) - 1);
    EXPECT_EQ(Read(*store, std::to_string(i - 1)), std::nullopt);
  }
  options.rebuild = true;
  options.filter.expected_keys = 3000;
  const auto store = MustOpen(dir / "s", options);
  ExpectOk(store->Put("one more", "v"));
  EXPECT_EQ(store->Stats().counters.rebuilds, 1u);
}

TEST(Store, StatsAreTextAndJson) {
  const TempDir dir;
  const auto store = MustOpen(dir / "s");
  ExpectOk(store->Put("a", "b"));
  EXPECT_EQ(Read(*store, "a"), "b");
  const StoreStats stats = store->Stats();
  EXPECT_EQ(stats.counters.hits, 1u);
  EXPECT_EQ(stats.families[0].keys, 1u);
  EXPECT_THAT(stats.ToText(), HasSubstr("true_negatives"));
  EXPECT_THAT(stats.ToJson(), HasSubstr("\"hits\":1,"));
}

}  // namespace
}  // namespace tamis
