// A filter beside a database of others: the answers are the database's.

#include <gtest/gtest.h>
#include <rocksdb/utilities/transaction_db.h>
#include <strings.h>

#include <fstream>
#include <set>
#include <thread>

#include "store/tests/temp_store.h"
#include "tamis/attached_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

class Attached : public testing::Test {
 protected:
  void SetUp() override { OpenDb(); }
  void OpenDb(uint64_t wal_ttl = 3600) {
    db_.reset();
    rocksdb::Options options;
    options.create_if_missing = true;
    options.WAL_ttl_seconds = wal_ttl;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, dir_ / "db", &db).ok());
    db_.reset(db);
  }
  std::unique_ptr<AttachedStore> Attach(bool rebuild = false) {
    AttachedStore::Options options;
    options.filter.fingerprint_bits = 6;
    options.rebuild = rebuild;
    auto attached =
        AttachedStore::Attach(db_.get(), db_->DefaultColumnFamily(), options);
    EXPECT_TRUE(attached.ok()) << attached.status().ToString();
    return attached.ok() ? *std::move(attached) : nullptr;
  }
  void Put(const std::string& key) { ASSERT_TRUE(db_->Put({}, key, "v").ok()); }
  static bool Has(AttachedStore& attached, const std::string& key) {
    std::string value;
    const Result<bool> found = attached.Get(key, &value);
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return found.ok() && *found;
  }

  TempDir dir_;
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(Attached, AnswersAreTheDatabases) {
  for (int i = 0; i < 2000; ++i) Put(std::to_string(i));
  const auto attached = Attach();
  EXPECT_EQ(attached->num_rebuilds(), 1u);
  for (int i = 0; i < 2000; ++i) EXPECT_TRUE(Has(*attached, std::to_string(i)));
  for (int i = 0; i < 2000; ++i) {
    EXPECT_FALSE(Has(*attached, "absent" + std::to_string(i)));
  }
  EXPECT_GT(attached->sidecar().Stats().counters.fixes, 0u) << "it learns";
  // Writes past us, with everything that a log can hold.
  Put("new");
  EXPECT_TRUE(Has(*attached, "new"));
  ASSERT_TRUE(db_->Delete({}, "7").ok());
  ASSERT_TRUE(db_->SingleDelete({}, "8").ok());
  ASSERT_TRUE(
      db_->DeleteRange({}, db_->DefaultColumnFamily(), "90", "91").ok());
  EXPECT_FALSE(Has(*attached, "7"));
  EXPECT_FALSE(Has(*attached, "8"));
  EXPECT_FALSE(Has(*attached, "905"));
  ExpectOk(attached->CatchUp());
  EXPECT_FALSE(Has(*attached, "7"));
  EXPECT_TRUE(Has(*attached, "9"));
  EXPECT_TRUE(Has(*attached, "new"));
}

TEST_F(Attached, GhostsOfADeletedRangeGoWhenMet) {
  for (int i = 1000; i < 2000; ++i) Put(std::to_string(i));
  const auto attached = Attach();
  ASSERT_TRUE(
      db_->DeleteRange({}, db_->DefaultColumnFamily(), "1200", "1500").ok());
  Put("1300");
  ExpectOk(attached->CatchUp());
  ExpectWhole(attached->sidecar(), 1000);
  for (int i = 1000; i < 2000; ++i) {
    const bool there = i < 1200 || i >= 1500 || i == 1300;
    EXPECT_EQ(Has(*attached, std::to_string(i)), there) << i;
  }
  ExpectWhole(attached->sidecar(), 701);
}

TEST_F(Attached, CatchesUpAfterATimeWithoutUs) {
  for (int i = 0; i < 500; ++i) Put(std::to_string(i));
  ExpectOk(Attach()->Close());
  OpenDb();
  for (int i = 500; i < 900; ++i) Put(std::to_string(i));
  ASSERT_TRUE(db_->Delete({}, "3").ok());
  OpenDb();
  const auto attached = Attach();
  EXPECT_EQ(attached->num_rebuilds(), 0u) << "the log had it all";
  for (int i = 0; i < 900; ++i) {
    EXPECT_EQ(Has(*attached, std::to_string(i)), i != 3) << i;
  }
  ExpectWhole(attached->sidecar(), 899);
}

TEST_F(Attached, AGapInTheLogIsNoticed) {
  for (int i = 0; i < 500; ++i) Put(std::to_string(i));
  const auto attached = Attach();
  rocksdb::WriteOptions no_wal;
  no_wal.disableWAL = true;
  ASSERT_TRUE(db_->Put(no_wal, "unlogged", "v").ok());
  EXPECT_TRUE(Has(*attached, "unlogged"));
  EXPECT_EQ(attached->CatchUp().code(), StatusCode::kStale);
  EXPECT_TRUE(attached->is_stale());
  EXPECT_TRUE(Has(*attached, "unlogged"));
  EXPECT_FALSE(Has(*attached, "nobody"));
  ExpectOk(attached->Close());
  const auto again = Attach();
  EXPECT_EQ(again->num_rebuilds(), 1u);
  EXPECT_TRUE(Has(*again, "unlogged"));
}

TEST_F(Attached, RebuildsForAnotherDatabaseAndADamagedMarker) {
  for (int i = 0; i < 300; ++i) Put(std::to_string(i));
  ExpectOk(Attach()->Close());
  std::ofstream(dir_ / "db.tamis/marker") << "junk";
  {
    const auto attached = Attach();
    EXPECT_EQ(attached->num_rebuilds(), 1u);
  }
  db_.reset();
  std::filesystem::remove_all(dir_ / "db");
  OpenDb();
  Put("only");
  const auto attached = Attach();
  EXPECT_EQ(attached->num_rebuilds(), 1u) << "another database, same path";
  EXPECT_TRUE(Has(*attached, "only"));
  EXPECT_FALSE(Has(*attached, "5"));
}

TEST_F(Attached, DetachLeavesTheDatabaseAsItWas) {
  for (int i = 0; i < 300; ++i) Put(std::to_string(i));
  db_.reset();
  const auto snapshot_of_files = [&] {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(dir_ / "db")) {
      if (file.path().extension() == ".sst" ||
          file.path().extension() == ".log") {
        names.insert(file.path().filename().string() +
                     std::to_string(std::filesystem::file_size(file.path())));
      }
    }
    return names;
  };
  const auto before = snapshot_of_files();
  {
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(
        rocksdb::DB::OpenForReadOnly(rocksdb::Options(), dir_ / "db", &db)
            .ok());
    db_.reset(db);
    const auto attached = Attach();
    EXPECT_TRUE(Has(*attached, "299"));
    EXPECT_FALSE(Has(*attached, "300"));
  }
  db_.reset();
  EXPECT_EQ(snapshot_of_files(), before);
  ExpectOk(AttachedStore::Detach(dir_ / "db.tamis"));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "db.tamis"));
  EXPECT_EQ(AttachedStore::Detach(dir_ / "db.tamis").code(),
            StatusCode::kNotFound);
  EXPECT_EQ(AttachedStore::Detach(dir_ / "db").code(),
            StatusCode::kIncompatible);
  OpenDb();
  std::string value;
  EXPECT_TRUE(db_->Get({}, "5", &value).ok());
}

TEST_F(Attached, RefusesTransactions) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::TransactionDB* db = nullptr;
  ASSERT_TRUE(rocksdb::TransactionDB::Open(
                  options, rocksdb::TransactionDBOptions(), dir_ / "t", &db)
                  .ok());
  const std::unique_ptr<rocksdb::TransactionDB> owner(db);
  EXPECT_EQ(
      AttachedStore::Attach(db, db->DefaultColumnFamily(), {}).status().code(),
      StatusCode::kUnsupported);
}

// To such a comparator "ADA" is "ada"; to a hash it is not.
class IgnoresCase : public rocksdb::Comparator {
 public:
  const char* Name() const override { return "ignores case"; }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    return strcasecmp(a.ToString().c_str(), b.ToString().c_str());
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

TEST_F(Attached, RefusesComparatorsThatTakeTwoKeysForOne) {
  const IgnoresCase comparator;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.comparator = &comparator;
  rocksdb::DB* db = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, dir_ / "c", &db).ok());
  const std::unique_ptr<rocksdb::DB> owner(db);
  EXPECT_EQ(
      AttachedStore::Attach(db, db->DefaultColumnFamily(), {}).status().code(),
      StatusCode::kUnsupported);
  EXPECT_EQ(AttachedStore::Attach(db, nullptr, {}).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(Attached, WritersOfOthersAreSeenAtOnce) {
  const auto attached = Attach();
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (int i = 0; i < 3000; ++i) {
      ASSERT_TRUE(db_->Put({}, "w" + std::to_string(i), "v").ok());
      written = i + 1;
    }
    stop = true;
  });
  workloads::Random random(4);
  uint64_t asked = 0;
  while (!stop || asked == 0) {
    const int limit = written;
    if (limit == 0) continue;
    const uint64_t i = random.Below(static_cast<uint64_t>(limit));
    ASSERT_TRUE(Has(*attached, "w" + std::to_string(i)));
    ASSERT_FALSE(Has(*attached, "x" + std::to_string(i)));
    ++asked;
  }
  writer.join();
  EXPECT_GT(asked, 0u);
  ExpectOk(attached->CatchUp());
  ExpectWhole(attached->sidecar(), 3000);
}

}  // namespace
}  // namespace tamis
