// Many threads at once; also run under the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store/tests/temp_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

constexpr int kThreads = 4;
constexpr int kOwn = 300;     // keys that one thread alone writes
constexpr int kShared = 200;  // keys that all write

std::string OwnKey(int thread, uint64_t i) {
  return "own" + std::to_string(thread) + "-" + std::to_string(i);
}

struct Form {
  StoreLayout layout;
  bool grow;
};
class StoreThreads : public testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(Store, StoreThreads,
                         testing::Values(Form{StoreLayout::kHashOrder, true},
                                         Form{StoreLayout::kKeyOrder, true},
                                         Form{StoreLayout::kHashOrder, false}));

TEST_P(StoreThreads, NobodyIsDenied) {
  const TempDir dir;
  StoreOptions options;
  options.layout = GetParam().layout;
  options.filter.grow = GetParam().grow;
  options.filter.expected_keys = GetParam().grow ? 0 : 2000;
  options.filter.fingerprint_bits = 5;
  options.filter.shard_slots = 64;
  options.save_after = 300;
  options.rejuvenate_rate = 2'000'000;
  const auto store = MustOpen(dir / "s", options);
  std::atomic<int> wrong = 0;
  const auto work = [&](int thread) {
    workloads::Random random(static_cast<uint64_t>(thread) + 1);
    std::vector<bool> mine(kOwn, false);
    for (int step = 0; step < 4000; ++step) {
      const uint64_t i = random.Below(kOwn);
      const std::string own = OwnKey(thread, i);
      const std::string shared = "s" + std::to_string(random.Below(kShared));
      switch (random.Below(7)) {
        case 0:
          if (!store->Put(own, "v").ok()) ++wrong;
          mine[i] = true;
          break;
        case 1:
          if (!store->Delete(own).ok()) ++wrong;
          mine[i] = false;
          break;
        case 2:
          if (!store->Put(shared, "v").ok()) ++wrong;
          break;
        case 3:
          if (!store->Delete(shared).ok()) ++wrong;
          break;
        case 4: {
          rocksdb::WriteBatch batch;
          const bool put = random.Below(2) == 0;
          for (const std::string& key : {own, shared}) {
            const auto s = put ? batch.Put(key, "b") : batch.Delete(key);
            if (!s.ok()) ++wrong;
          }
          if (!store->Write({}, &batch).ok()) ++wrong;
          mine[i] = put;
          break;
        }
        case 5: {
          std::string value;
          (void)store->Get("absent" + std::to_string(step), &value).ok();
          break;
        }
        default: {
          std::string value;
          const Result<bool> found = store->Get(own, &value);
          if (!found.ok() || *found != mine[i]) ++wrong;
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  // Meanwhile: saving, checking, looking.
  for (int i = 0; i < 5; ++i) {
    ExpectOk(store->SaveFilter());
    (void)store->Stats();
    EXPECT_TRUE(store->Check().ok());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const auto report = store->Check();
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->ghosts, 0u) << "two deletes of one key erased twice?";
  EXPECT_EQ(store->Stats().families[0].keys, report->keys);
}

}  // namespace
}  // namespace tamis
