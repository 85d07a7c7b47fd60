// Random operations on shards that split, against the exact multiset: tiny
// fingerprints, tiny shards, many duplicates, every way to learn of members.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "filters/tamis/tamis_history.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/sharded_tamis.h"

namespace tamis::testing {
namespace {

using Members = TamisFilter::Members;

struct Case {
  std::string name;
  ShardedTamis::Options options;
  uint64_t universe;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Members members :
       {Members::kMirror, Members::kCaller, Members::kSource}) {
    const std::string way = NameOf(members);
    ShardedTamis::Options options;
    options.filter.slots = 7;
    options.filter.fingerprint_bits = 3;
    options.filter.members = members;
    options.filter.extension_bits = 12;
    options.shard_slots = 64;
    for (const int steps : {1, 2, 3}) {
      options.filter.steps = steps;
      options.filter.rejuvenate_all = steps == 2;
      cases.push_back({way + "_steps" + std::to_string(steps), options, 3000});
    }
    options.filter.rejuvenate_all = false;
    cases.push_back({way + "_duplicates", options, 12});
    options.filter.slots = 3000;
    options.shard_slots = 256;
    options.filter.fingerprint_bits = 6;
    cases.push_back({way + "_many_at_first", options, 6000});
  }
  return cases;
}

class ShardedRandom : public ::testing::TestWithParam<Case> {
 protected:
  template <typename F>
  void Run(uint64_t seed, uint64_t operations, uint64_t check_every) {
    TamisHistory<F> history(GetParam().options, seed, GetParam().universe);
    history.Run(operations, check_every);
    if (HasFailure()) return;
    EXPECT_GT(history.fixed(), 0u);
    max_extensions_ = std::max(max_extensions_, history.max_extensions());
    refused_ += history.refused();
    joins_ += history.joins();
    max_shards_ = std::max(max_shards_, history.max_shards());
  }
  // Of all histories together: what chance may leave out of one.
  void ExpectAllHappened() const {
    EXPECT_GT(max_extensions_, 0);
    EXPECT_GT(refused_, 0u);
    EXPECT_GT(joins_, 0u);
    EXPECT_GT(max_shards_, 4u);
  }

 private:
  double max_extensions_ = 0;
  uint64_t refused_ = 0;
  uint64_t joins_ = 0;
  uint64_t max_shards_ = 0;
};

// Many short histories: in long ones merges and bulk loads make the filter large,
// and then little happens to each shard.
constexpr uint64_t kOperations = 20'000;
constexpr uint64_t kCheckEvery = 1000;
// 10^7 operations over all cases; fewer where every one is watched.
#ifdef NDEBUG
constexpr uint64_t kSeeds = 30;
constexpr uint64_t kSeedsForThreads = 4;
#else
constexpr uint64_t kSeeds = 2;
constexpr uint64_t kSeedsForThreads = 2;
#endif

TEST_P(ShardedRandom, LosesNoMember) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Run<ShardedTamis>(seed, kOperations, kCheckEvery);
    if (HasFailure()) return;
  }
  ExpectAllHappened();
}

TEST_P(ShardedRandom, LosesNoMemberInTheFormForThreads) {
  for (uint64_t seed = 1; seed <= kSeedsForThreads; ++seed) {
    Run<ConcurrentTamis>(seed, kOperations, kCheckEvery);
    if (HasFailure()) return;
  }
  ExpectAllHappened();
}

TEST_P(ShardedRandom, LosesNoMemberOfCloseHashes) {
  TamisHistory<ShardedTamis> sharded(GetParam().options, 1, 600, true);
  sharded.Run(3000, 150);
  TamisHistory<ConcurrentTamis> threads(GetParam().options, 1, 600, true);
  threads.Run(1000, 100);
}

// 10^9 over all cases.
TEST_P(ShardedRandom, LosesNoMemberLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  for (uint64_t seed = 100; seed < 3100; ++seed) {
    Run<ShardedTamis>(seed, kOperations, kCheckEvery);
    if (HasFailure()) return;
    if (seed % 10 != 0) continue;
    Run<ConcurrentTamis>(seed, kOperations, kCheckEvery);
    if (HasFailure()) return;
  }
  ExpectAllHappened();
}

INSTANTIATE_TEST_SUITE_P(Tamis, ShardedRandom, ::testing::ValuesIn(Cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tamis::testing
