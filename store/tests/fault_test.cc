// Errors of the file system at any point: a clear status, and nothing is lost.

#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <set>

#include "store/tests/temp_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// When to fail: after so many calls, then always until it is told not to.
struct Faults {
  std::atomic<int64_t> writes_left = 1'000'000'000;
  std::atomic<int64_t> reads_left = 1'000'000'000;
  std::atomic<uint64_t> failed = 0;

  bool WriteFails() { return Fails(writes_left); }
  bool ReadFails() { return Fails(reads_left); }
  void Heal() { writes_left = reads_left = 1'000'000'000; }

 private:
  bool Fails(std::atomic<int64_t>& left) {
    if (left.fetch_sub(1) > 0) return false;
    ++failed;
    return true;
  }
};

class FaultyWritable : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyWritable(std::unique_ptr<rocksdb::FSWritableFile>&& file, Faults* f)
      : FSWritableFileOwnerWrapper(std::move(file)), faults_(f) {}
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    if (faults_->WriteFails()) return IOStatus::NoSpace("injected");
    return target()->Append(data, options, dbg);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    if (faults_->WriteFails()) return IOStatus::NoSpace("injected");
    return target()->Append(data, options, info, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    if (faults_->WriteFails()) return IOStatus::IOError("injected");
    return target()->Sync(options, dbg);
  }

 private:
  Faults* faults_;
};

class FaultyRandomAccess : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FaultyRandomAccess(std::unique_ptr<rocksdb::FSRandomAccessFile>&& file,
                     Faults* f)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), faults_(f) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    if (faults_->ReadFails()) return IOStatus::IOError("injected");
    return target()->Read(offset, n, options, result, scratch, dbg);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* dbg) override {
    if (faults_->ReadFails()) return IOStatus::IOError("injected");
    return target()->MultiRead(requests, count, options, dbg);
  }

 private:
  Faults* faults_;
};

class FaultyFileSystem : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyFileSystem(Faults* faults)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), faults_(faults) {}
  const char* Name() const override { return "faulty"; }
  IOStatus NewWritableFile(const std::string& name,
                           const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* dbg) override {
    if (faults_->WriteFails()) return IOStatus::NoSpace("injected");
    const IOStatus status =
        target()->NewWritableFile(name, options, result, dbg);
    if (status.ok()) {
      *result = std::make_unique<FaultyWritable>(std::move(*result), faults_);
    }
    return status;
  }
  IOStatus NewRandomAccessFile(
      const std::string& name, const rocksdb::FileOptions& options,
      std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
      IODebugContext* dbg) override {
    const IOStatus status =
        target()->NewRandomAccessFile(name, options, result, dbg);
    if (status.ok()) {
      *result =
          std::make_unique<FaultyRandomAccess>(std::move(*result), faults_);
    }
    return status;
  }

 private:
  Faults* faults_;
};

class FaultTest : public testing::TestWithParam<int> {
 protected:
  StoreOptions Options() {
    StoreOptions options;
    options.layout =
        GetParam() % 2 == 0 ? StoreLayout::kHashOrder : StoreLayout::kKeyOrder;
    options.filter.fingerprint_bits = 5;
    options.save_after = 200;
    options.rocksdb.env = env_.get();
    options.rocksdb.write_buffer_size = 64 << 10;
    options.rocksdb.max_bgerror_resume_count = 0;
    return options;
  }

  TempDir dir_;
  Faults faults_;
  std::unique_ptr<rocksdb::Env> env_ =
      rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(&faults_));
};
INSTANTIATE_TEST_SUITE_P(Store, FaultTest, testing::Range(0, 8));

// A disk that is full from some write on.
TEST_P(FaultTest, AFullDiskLosesNothing) {
  std::set<std::string> sure;    // acknowledged
  std::set<std::string> unsure;  // refused: there or not
  workloads::Random random(static_cast<uint64_t>(GetParam()));
  {
    auto store = MustOpen(dir_ / "s", Options());
    faults_.writes_left = static_cast<int64_t>(100 + random.Below(3000));
    int refused = 0;
    for (int i = 0; i < 20000 && refused < 20; ++i) {
      const std::string key = std::to_string(random.Below(2000));
      const bool put = random.Below(3) != 0;
      const Status status = put ? store->Put(key, "v") : store->Delete(key);
      if (status.ok()) {
        unsure.erase(key);
        put ? static_cast<void>(sure.insert(key))
            : static_cast<void>(sure.erase(key));
      } else {
        ++refused;
        EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
        sure.erase(key);
        unsure.insert(key);
      }
    }
    EXPECT_GT(refused, 0);
    for (const std::string& key : sure) ASSERT_EQ(Read(*store, key), "v");
    // What can't be saved is reported, and is no harm.
    (void)store->Close().ok();
  }
  faults_.Heal();
  const auto store = MustOpen(dir_ / "s", Options());
  ASSERT_NE(store, nullptr);
  for (int i = 0; i < 2000; ++i) {
    const std::string key = std::to_string(i);
    if (unsure.contains(key)) continue;
    ASSERT_EQ(Read(*store, key).has_value(), sure.contains(key)) << key;
  }
  const auto report = store->Check();
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->ghosts, 0u);
}

// RocksDB's own log would end the process at the second line that it can't
// write (Debian's is compiled with assertions).
TEST_P(FaultTest, AFullDiskDoesNotEndTheProcess) {
  const auto store = MustOpen(dir_ / "s", Options());
  faults_.writes_left = 0;
  const auto log = store->rocksdb()->GetDBOptions().info_log;
  const std::string line(size_t{1} << 16, 'x');
  for (int i = 0; i < 10; ++i) rocksdb::Error(log, "%s", line.c_str());
  EXPECT_EQ(store->Put("a", "b").code(), StatusCode::kIo);
  EXPECT_GT(faults_.failed, 10u);
  faults_.Heal();
  rocksdb::Error(log, "%s", "room again");
  log->Flush();
  std::ifstream in(dir_ / "s/LOG");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("room again"), std::string::npos);
}

// Reads that fail: also those of the members that the filter learns from.
TEST_P(FaultTest, ReadErrorsChangeNothing) {
  StoreOptions options = Options();
  options.rejuvenate_rate = 0;
  {
    const auto store = MustOpen(dir_ / "s", options);
    for (int i = 0; i < 5000; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
    ExpectOk(store->Rejuvenate());
    ExpectOk(store->Flush());
  }
  const auto store = MustOpen(dir_ / "s", options);
  workloads::Random random(static_cast<uint64_t>(GetParam()) + 50);
  uint64_t errors = 0;
  for (int i = 0; i < 3000; ++i) {
    if (i % 100 == 0) {
      faults_.Heal();
      // Nothing from the cache, or there would be no reads.
      faults_.reads_left = static_cast<int64_t>(random.Below(6));
    }
    std::string value;
    const bool member = random.Below(2) == 0;
    const std::string key = member ? std::to_string(random.Below(5000))
                                   : "absent" + std::to_string(i);
    const Result<bool> found = store->Get(key, &value);
    if (!found.ok()) {
      ++errors;
      EXPECT_EQ(found.status().code(), StatusCode::kIo);
      continue;
    }
    ASSERT_EQ(*found, member) << key;
  }
  faults_.Heal();
  for (int i = 0; i < 5000; ++i)
    ASSERT_EQ(Read(*store, std::to_string(i)), "v");
  ExpectWhole(*store, 5000);
}

// A filter that can't be read when opening: rebuilt, or a clear error.
TEST_P(FaultTest, OpeningUnderReadErrors) {
  {
    const auto store = MustOpen(dir_ / "s", Options());
    for (int i = 0; i < 3000; ++i) ExpectOk(store->Put(std::to_string(i), "v"));
    ExpectOk(store->Close());
  }
  for (int n = 0; n < 12; ++n) {
    faults_.reads_left = n * (GetParam() + 1);
    const auto store = Store::Open(Options(), dir_ / "s");
    faults_.Heal();
    if (!store.ok()) continue;
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(Read(**store, std::to_string(i)), "v");
    }
    ExpectWhole(**store, 3000);
  }
}

}  // namespace
}  // namespace tamis
