// Walks over all shards of the form for threads, saving above all, while others
// let them split and join; and readers beside directories that are replaced.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tamis/concurrent_tamis.h"
#include "tamis/serialize.h"

namespace tamis::testing {
namespace {

#if defined(NDEBUG) && !defined(__SANITIZE_THREAD__)
constexpr int kRounds = 20;
#else
constexpr int kRounds = 4;
#endif

ConcurrentTamis::Options TinyShards() {
  ConcurrentTamis::Options options;
  options.filter.slots = 16;
  options.filter.fingerprint_bits = 8;
  options.filter.members = TamisFilter::Members::kCaller;
  options.shard_slots = 32;
  return options;
}

class Walks : public ::testing::Test {
 protected:
  static constexpr uint64_t kStaying = 60;
  static constexpr uint64_t kPassing = 1500;

  Walks() {
    for (uint64_t key = 0; key < kStaying; ++key) {
      EXPECT_TRUE(filter_.Insert(HashOf(key)).ok());
    }
  }
  KeyHash HashOf(uint64_t key) const { return filter_.hasher().Hash(key); }
  // Fills the filter and empties it again, round and round.
  void Churn() {
    for (int round = 0; round < kRounds; ++round) {
      for (uint64_t key = kStaying; key < kStaying + kPassing; ++key) {
        ASSERT_TRUE(filter_.Insert(HashOf(key)).ok());
      }
      for (uint64_t key = kStaying; key < kStaying + kPassing; ++key) {
        ASSERT_TRUE(filter_.Erase(HashOf(key)).ok());
      }
    }
    is_done_ = true;
  }
  template <typename Walk>
  void WalkBesideChurn(Walk&& walk) {
    std::thread writer([&] { Churn(); });
    uint64_t walks = 0;
    uint64_t most = 0;
    for (; !is_done_ && !HasFailure(); ++walks) {
      walk();
      most = std::max(most, filter_.size());
    }
    writer.join();
    EXPECT_GT(walks, 0u);
    EXPECT_LE(most, kStaying + kPassing);
  }
  template <typename F>
  void ExpectStaying(const F& filter) {
    const Status status = filter.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (uint64_t key = 0; key < kStaying; ++key) {
      ASSERT_TRUE(filter.MayContain(HashOf(key))) << "false negative";
    }
    ASSERT_GE(filter.size(), kStaying);
    ASSERT_LE(filter.size(), kStaying + kPassing);
  }

  ConcurrentTamis filter_ =
      ConcurrentTamis::Create(TinyShards(), Hasher(Seed{2, 6})).value();
  std::atomic<bool> is_done_{false};
};

TEST_F(Walks, WhatIsSavedCanBeLoaded) {
  WalkBesideChurn([&] {
    const auto bytes =
        internal::SerializeSnapshot(filter_.ToSnapshot()).value();
    const auto file = internal::DecodedFile::FromMemory(bytes).value();
    const auto loaded = ConcurrentTamis::FromSnapshot(file.snapshot(), {});
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    ExpectStaying(*loaded);
  });
}

TEST_F(Walks, PagesAreOfAllHashesOnce) {
  WalkBesideChurn([&] {
    std::vector<std::pair<HashRange, std::string>> kept;
    ASSERT_TRUE(
        filter_
            .ForEachShard([&](const HashRange& range, std::string_view bytes) {
              kept.emplace_back(range, bytes);
              return Status();
            })
            .ok());
    std::vector<ShardPage> pages;
    for (const auto& [range, bytes] : kept) pages.push_back({range, bytes});
    const auto loaded = ConcurrentTamis::FromShards(pages, TinyShards());
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    ExpectStaying(*loaded);
  });
}

TEST_F(Walks, MergesTakeEveryMemberOnce) {
  WalkBesideChurn([&] {
    ConcurrentTamis other =
        ConcurrentTamis::Create(TinyShards(), filter_.hasher()).value();
    const Status status = other.Merge(filter_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectStaying(other);
    const Status sound = filter_.CheckInvariants();
    ASSERT_TRUE(sound.ok()) << sound.ToString();
  });
}

// Directories double while readers follow them.  (One that is freed before
// nobody can find it is seen by the sanitizers only.)
TEST(ConcurrentTamis, ReadersOutliveDirectories) {
  for (int round = 0; round < kRounds / 4; ++round) {
    ConcurrentTamis filter =
        ConcurrentTamis::Create(TinyShards(), Hasher(Seed{3, 6})).value();
    std::atomic<uint64_t> inserted{0};
    constexpr uint64_t kKeys = 6000;
    std::vector<std::thread> readers;
    for (uint64_t r = 0; r < 2; ++r) {
      readers.emplace_back([&, r] {
        for (uint64_t i = r; inserted < kKeys; i += 7) {
          const uint64_t limit = inserted;
          if (limit == 0) continue;
          ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(i % limit)));
        }
      });
    }
    for (uint64_t key = 0; key < kKeys; ++key) {
      ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
      inserted = key + 1;
    }
    for (std::thread& reader : readers) reader.join();
  }
}

}  // namespace
}  // namespace tamis::testing
