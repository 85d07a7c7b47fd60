// Whatever a user may get wrong: a clear error, or a right answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/slice_transform.h>

#include <cmath>
#include <fstream>

#include "store/tests/temp_store.h"

namespace tamis {
namespace {

using testing::HasSubstr;

Status OpenStatus(const StoreOptions& options, const std::string& path) {
  return Store::Open(options, path).status();
}

TEST(StoreInput, RefusesOptionsThatWouldBreakIt) {
  const TempDir dir;
  StoreOptions options;
  options.rocksdb.comparator = rocksdb::ReverseBytewiseComparator();
  EXPECT_EQ(OpenStatus(options, dir / "s").code(), StatusCode::kUnsupported);
  options = {};
  options.rocksdb.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(8));
  const Status status = OpenStatus(options, dir / "s");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.ToString(), HasSubstr("prefix extractor"));
  options = {};
  options.rocksdb.wal_recovery_mode =
      rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  EXPECT_EQ(OpenStatus(options, dir / "s").code(), StatusCode::kUnsupported);
  options = {};
  options.families = {"tamis.filter"};
  EXPECT_EQ(OpenStatus(options, dir / "s").code(),
            StatusCode::kInvalidArgument);
  options = {};
  options.filter.grow = false;
  EXPECT_EQ(OpenStatus(options, dir / "s").code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(dir / "s")) << "nothing was made";

  const auto store = MustOpen(dir / "s");
  rocksdb::WriteOptions no_wal;
  no_wal.disableWAL = true;
  EXPECT_EQ(store->Put(no_wal, store->default_family(), "a", "b").code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(store->IngestExternalFile({"x.sst"}).code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(store->DeleteRange({}, store->default_family(), "a", "b").code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(store->Put({}, nullptr, "a", "b").code(),
            StatusCode::kInvalidArgument);
}

// A form that can't be made is not remembered: the next opening is not spoilt.
TEST(StoreInput, FormsOfFiltersThatCantBeMadeLeaveNothingBehind) {
  const TempDir dir;
  StoreOptions options;
  for (const int bits : {-1, 0, 2, 41, 1000}) {
    options.filter.fingerprint_bits = bits;
    EXPECT_EQ(OpenStatus(options, dir / "s").code(),
              StatusCode::kInvalidArgument);
  }
  options = {};
  options.filter.extension_bits = std::nan("");
  EXPECT_EQ(OpenStatus(options, dir / "s").code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(dir / "s"));
  options = {};
  options.filter.grow = false;
  options.filter.expected_keys = uint64_t{1} << 60;
  EXPECT_FALSE(OpenStatus(options, dir / "s").ok());
  const auto store = MustOpen(dir / "s");
  ExpectOk(store->Put("a", "b"));
  ExpectWhole(*store, 1);
}

TEST(StoreInput, FamiliesThatAreNoneGiveErrors) {
  const TempDir dir;
  const auto store = MustOpen(dir / "s");
  EXPECT_EQ(store->family("tamis.journal"), nullptr);
  EXPECT_EQ(store->family("none"), nullptr);
  rocksdb::PinnableSlice value;
  EXPECT_FALSE(store->Get({}, nullptr, "a", &value).ok());
  const auto at = store->NewIterator({}, nullptr);
  at->SeekToFirst();
  EXPECT_FALSE(at->Valid());
  EXPECT_EQ(at->status().code(), StatusCode::kInvalidArgument);
  rocksdb::WriteBatch batch;
  ASSERT_TRUE(batch.Put("x", "y").ok());
  ASSERT_TRUE(batch.Merge("a", "b").ok());
  EXPECT_EQ(store->Write({}, &batch).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Read(*store, "x"), std::nullopt) << "nothing of it";
  EXPECT_EQ(OpenStatus({}, "").code(), StatusCode::kInvalidArgument);
}

TEST(StoreInput, RestoresOnlyToANewFolder) {
  const TempDir dir;
  {
    const auto store = MustOpen(dir / "s");
    ExpectOk(store->Put("a", "old"));
    ExpectOk(store->Backup(dir / "b"));
    ExpectOk(store->Put("a", "new"));
  }
  EXPECT_EQ(Store::Restore(dir / "b", dir / "s").code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(Store::Restore(dir / "none", dir / "r").ok());
  EXPECT_EQ(Read(*MustOpen(dir / "s"), "a"), "new") << "it was not deleted";
}

TEST(StoreInput, RefusesWhatIsNoStore) {
  const TempDir dir;
  std::ofstream(dir / "file") << "text";
  EXPECT_EQ(OpenStatus({}, dir / "file").code(), StatusCode::kIncompatible);
  std::filesystem::create_directory(dir / "folder");
  std::ofstream(dir / "folder/text") << "text";
  EXPECT_EQ(OpenStatus({}, dir / "folder").code(), StatusCode::kIncompatible);
  StoreOptions existing;
  existing.rocksdb.create_if_missing = false;
  EXPECT_EQ(OpenStatus(existing, dir / "none").code(), StatusCode::kNotFound);
  {
    rocksdb::DB* db = nullptr;
    rocksdb::Options options;
    options.create_if_missing = true;
    ASSERT_TRUE(rocksdb::DB::Open(options, dir / "plain", &db).ok());
    ASSERT_TRUE(db->Put({}, "a", "b").ok());
    delete db;
  }
  const Status plain = OpenStatus({}, dir / "plain");
  EXPECT_EQ(plain.code(), StatusCode::kIncompatible);
  EXPECT_THAT(plain.ToString(), HasSubstr("attach"));
}

TEST(StoreInput, OneStoreAtATime) {
  const TempDir dir;
  const auto store = MustOpen(dir / "s");
  EXPECT_EQ(OpenStatus({}, dir / "s").code(), StatusCode::kIo);
}

TEST(StoreInput, TakesEmptyAndLongKeysAndValues) {
  const TempDir dir;
  const std::string names[] = {"", std::string(1, '\0'),
                               std::string(65536, 'k'),
                               std::string(1 << 20, 'm')};
  {
    const auto store = MustOpen(dir / "s");
    for (const std::string& name : names) ExpectOk(store->Put(name, ""));
    ExpectOk(store->Put("large", std::string(size_t{64} << 20, 'v')));
    for (const std::string& name : names) EXPECT_EQ(Read(*store, name), "");
    EXPECT_EQ(Read(*store, "large")->size(), size_t{64} << 20);
    ExpectOk(store->Delete(""));
    EXPECT_EQ(Read(*store, ""), std::nullopt);
    ExpectOk(store->Delete("large"));
  }
  const auto store = MustOpen(dir / "s");
  EXPECT_EQ(Read(*store, ""), std::nullopt);
  EXPECT_EQ(Read(*store, names[3]), "");
  ExpectWhole(*store, 3);
}

}  // namespace
}  // namespace tamis
