// cached(SPEC) by many threads at once: ./run threads-test runs this under
// ThreadSanitizer, which shows that look-ups change nothing but atomic notes.

#include "tamis/cached.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"

namespace tamis::testing {
namespace {

constexpr uint64_t kMembers = 1500;
constexpr uint64_t kAbsent = 1 << 20;
constexpr int kThreads = 4;

const Hasher kHasher(Seed{.low = 9, .high = 0});

KeyHash HashOf(uint64_t key) { return kHasher.Hash(key); }

class CachedThreads : public ::testing::TestWithParam<const char*> {
 protected:
  CachedThreads()
      : filter_(AnyFilter::Create(std::string("cached(rsqf:r=3):bytes=4096,"
                                              "policy=") +
                                      GetParam(),
                                  2000, kHasher)
                    .value()) {
    for (uint64_t key = 0; key < kMembers; ++key) {
      EXPECT_TRUE(filter_.Insert(HashOf(key)).ok());
      members_.push_back(HashOf(key));
    }
    for (uint64_t key = kAbsent; wrong_.size() < 400; ++key) {
      if (filter_.MayContain(HashOf(key))) wrong_.push_back(HashOf(key));
    }
  }

  template <typename Work>
  static void InThreads(const Work& work) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] { work(t); });
    for (std::thread& one : threads) one.join();
  }

  AnyFilter filter_;
  std::vector<KeyHash> members_;
  std::vector<KeyHash> wrong_;  // false positives of the filter inside
};

// Look-ups of every form beside one another, and beside what else is const: the
// notes of use are what they all write to.
TEST_P(CachedThreads, LookUpsBesideOneAnother) {
  for (size_t i = 0; i < 64; ++i) ASSERT_TRUE(filter_.Adapt(wrong_[i]).ok());
  const uint64_t positives = filter_.CountEach(wrong_);
  const std::vector<std::byte> before = Serialize(filter_).value();
  InThreads([&](int thread) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(filter_.CountEach(wrong_), positives);  // a batch
      uint64_t count = 0;
      for (const KeyHash hash : wrong_) count += filter_.MayContain(hash);
      EXPECT_EQ(count, positives);
      EXPECT_EQ(filter_.CountEach(members_), members_.size());
      if (thread == 0) {
        EXPECT_EQ(filter_.stats().size, kMembers);
        EXPECT_TRUE(filter_.CheckInvariants().ok());
        EXPECT_EQ(Serialize(filter_).value(), before) << "notes are not saved";
      }
    }
  });
}

// As a program does: look-ups share a lock, reports have it alone.  The notes of
// one round are read in the next by whoever reports.
TEST_P(CachedThreads, ReportsBetweenLookUps) {
  std::shared_mutex mutex;
  InThreads([&](int thread) {
    for (size_t i = static_cast<size_t>(thread); i < wrong_.size();
         i += kThreads) {
      {
        const std::shared_lock lock(mutex);
        EXPECT_TRUE(filter_.MayContain(members_[i]));
        if (!filter_.MayContain(wrong_[i])) continue;
      }
      const std::unique_lock lock(mutex);
      EXPECT_TRUE(filter_.Adapt(wrong_[i]).ok());
      EXPECT_FALSE(filter_.MayContain(wrong_[i]));
    }
  });
  EXPECT_EQ(filter_.CountEach(members_), members_.size());
  EXPECT_LT(filter_.CountEach(wrong_), wrong_.size());
  EXPECT_TRUE(filter_.CheckInvariants().ok());
}

INSTANTIATE_TEST_SUITE_P(Policies, CachedThreads,
                         ::testing::Values("lru", "clock", "topk"));

}  // namespace
}  // namespace tamis::testing
