// .threads: writers, readers and reports at once, through the front door.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "tamis/tamis.h"

namespace tamis {
namespace {

constexpr int kWriters = 3;
constexpr uint64_t kKeysEach = 4000;
constexpr uint64_t kAbsentBit = uint64_t{1} << 40;

uint64_t KeyOf(int writer, uint64_t i) {
  return static_cast<uint64_t>(writer) << 32 | i;
}

// A source that many threads use.
class SharedSource {
 public:
  void Add(KeyHash hash) {
    const std::lock_guard lock(mutex_);
    source_.Add(hash);
  }
  bool Remove(KeyHash hash) {
    const std::lock_guard lock(mutex_);
    return source_.Remove(hash);
  }
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    const std::lock_guard lock(mutex_);
    return source_.ForEachInRange(low, high, visit);
  }

 private:
  mutable std::mutex mutex_;
  SortedSource source_;
};

class ThreadsTest : public ::testing::Test {
 protected:
  ThreadsTest()
      : filter_(Filter::Create({.keys = 100,
                                .fpr = 0.05,
                                .deletes = true,
                                .threads = true,
                                .source = source_,
                                .hasher = Hasher(Seed{.low = 1, .high = 2})})
                    .value()) {}

  // Inserts keys; takes away every fourth some time later.
  void Write(int writer) {
    for (uint64_t i = 0; i < kKeysEach; ++i) {
      const uint64_t key = KeyOf(writer, i);
      ASSERT_TRUE(filter_.Insert(key).ok());  // (S2): the filter first
      source_.Add(filter_.Hash(key));
      inserted_[writer].store(i + 1, std::memory_order_release);
      if (i >= 100 && i % 4 == 0) Erase(KeyOf(writer, i - 100));
    }
  }
  void Erase(uint64_t key) {
    ASSERT_TRUE(source_.Remove(filter_.Hash(key)));
    Status status;
    do {  // others on their way may make it wait
      status = filter_.Erase(key);
    } while (status.code() == StatusCode::kStale);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  static bool IsErased(uint64_t i) { return i % 4 == 0 && i + 100 < kKeysEach; }

  // Asks for members until all are there.
  void Read() {
    while (!done_.load()) {
      for (int writer = 0; writer < kWriters; ++writer) {
        const uint64_t count =
            inserted_[writer].load(std::memory_order_acquire);
        for (uint64_t i = count - std::min<uint64_t>(count, 50); i < count;
             ++i) {
          ASSERT_TRUE(IsErased(i) || filter_.MayContain(KeyOf(writer, i)));
        }
      }
    }
  }
  // Reports every mistake.
  void Report() {
    for (uint64_t i = 0; !done_.load(); i = (i + 1) % 5000) {
      if (!filter_.MayContain(kAbsentBit + i)) continue;
      const auto outcome = filter_.ReportFalsePositive(kAbsentBit + i);
      ASSERT_TRUE(outcome.ok() || outcome.status().code() == StatusCode::kStale)
          << outcome.status().ToString();
    }
  }

  SharedSource source_;
  Filter filter_;
  std::atomic<uint64_t> inserted_[kWriters] = {};
  std::atomic<bool> done_ = false;
};

TEST_F(ThreadsTest, NothingIsLost) {
  std::vector<std::thread> writers;
  std::vector<std::thread> others;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this, i] { Write(i); });
  }
  others.emplace_back([this] { Read(); });
  others.emplace_back([this] { Report(); });
  for (std::thread& thread : writers) thread.join();
  done_ = true;
  for (std::thread& thread : others) thread.join();

  uint64_t members = 0;
  for (int writer = 0; writer < kWriters; ++writer) {
    for (uint64_t i = 0; i < kKeysEach; ++i) {
      if (IsErased(i)) continue;
      ++members;
      ASSERT_TRUE(filter_.MayContain(KeyOf(writer, i))) << writer << " " << i;
    }
  }
  EXPECT_EQ(filter_.size(), members);
  EXPECT_TRUE(filter_.CheckInvariants().ok());
}

}  // namespace
}  // namespace tamis
