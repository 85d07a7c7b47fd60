// Random operations on shards that split, against the exact multiset: tiny
// fingerprints, tiny shards, many duplicates, every way to learn of members.

#include <gtest/gtest.h>

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
    EXPECT_GT(history.max_extensions(), 0);
    EXPECT_GT(history.refused(), 0u);
    EXPECT_GT(history.max_shards(), 4u);
    EXPECT_GT(history.joins(), 0u);
  }
};

// 10^7 operations over all cases; fewer where every one is watched.
#ifdef NDEBUG
constexpr uint64_t kOperations = 300'000;
constexpr uint64_t kOperationsForThreads = 40'000;
#else
constexpr uint64_t kOperations = 20'000;
constexpr uint64_t kOperationsForThreads = 20'000;
#endif

TEST_P(ShardedRandom, LosesNoMember) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    Run<ShardedTamis>(seed, kOperations, kOperations / 20);
    if (HasFailure()) return;
  }
}

TEST_P(ShardedRandom, LosesNoMemberInTheFormForThreads) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    Run<ConcurrentTamis>(seed, kOperationsForThreads, 1000);
    if (HasFailure()) return;
  }
}

TEST_P(ShardedRandom, LosesNoMemberLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  for (uint64_t seed = 100; seed < 110; ++seed) {
    Run<ShardedTamis>(seed, 6'000'000, 20'000);
    if (HasFailure()) return;
    Run<ConcurrentTamis>(seed, 1'000'000, 20'000);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Tamis, ShardedRandom, ::testing::ValuesIn(Cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tamis::testing
