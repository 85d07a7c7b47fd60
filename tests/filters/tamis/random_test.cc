// Random operations on the tamis filter, against the exact multiset: tiny
// fingerprints, many duplicates, every way to learn of members.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "filters/tamis/tamis_history.h"

namespace tamis::testing {
namespace {

using Members = TamisFilter::Members;

struct Case {
  std::string name;
  TamisFilter::Options options;
  uint64_t universe;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Members members :
       {Members::kMirror, Members::kCaller, Members::kSource}) {
    const std::string way = NameOf(members);
    for (const int steps : {1, 2, 3, 4}) {
      TamisFilter::Options options;
      options.slots = 7;
      options.fingerprint_bits = 3;
      options.steps = steps;
      options.members = members;
      options.extension_bits = 12;
      options.rejuvenate_all = steps == 2;
      cases.push_back({way + "_steps" + std::to_string(steps), options, 3000});
    }
    TamisFilter::Options options;
    options.slots = 300;
    options.fingerprint_bits = 4;
    options.grow = false;
    options.members = members;
    options.extension_bits = 8;
    cases.push_back({way + "_fixed", options, 400});
    options.grow = true;
    options.slots = 16;
    cases.push_back({way + "_duplicates", options, 12});
  }
  return cases;
}

class TamisRandom : public ::testing::TestWithParam<Case> {
 protected:
  void Run(uint64_t seed, uint64_t operations, uint64_t check_every) {
    TamisHistory<TamisFilter> history(GetParam().options, seed,
                                      GetParam().universe);
    history.Run(operations, check_every);
    if (HasFailure()) return;
    EXPECT_GT(history.fixed(), 0u);
    EXPECT_GT(history.max_extensions(), 0u);
    EXPECT_GT(history.refused(), 0u);
    // Where all are made whole at once, none gets that old.
    const TamisFilter::Options& options = GetParam().options;
    EXPECT_EQ(history.rebuilds() > 0, options.members != Members::kCaller);
    const bool keeps_young =
        options.rejuvenate_all && options.members == Members::kMirror;
    EXPECT_EQ(history.max_voids() > 0, options.grow && !keeps_young);
    EXPECT_GE(history.max_generation(), GetParam().options.grow ? 3 : 0);
  }
};

// 10^7 operations over all cases; a tenth where every one is watched.
#ifdef NDEBUG
constexpr uint64_t kOperations = 225'000;
#else
constexpr uint64_t kOperations = 22'500;
#endif

TEST_P(TamisRandom, LosesNoMember) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Run(seed, kOperations, kOperations / 50);
    if (HasFailure()) return;
  }
}

// Members and absent keys that agree in nearly all bits: extensions as long as
// they can be, keys that can't be told apart, one home for a whole fourth.
TEST_P(TamisRandom, LosesNoMemberOfCloseHashes) {
  TamisHistory<TamisFilter> history(GetParam().options, 1, 600, true);
  history.Run(kOperations / 75, kOperations / 1500);
  EXPECT_GT(history.fixed(), 0u);
}

TEST_P(TamisRandom, LosesNoMemberLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  // 10^9 over all cases.
  for (uint64_t seed = 100; seed < 110; ++seed) {
    Run(seed, 7'000'000, 20'000);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Tamis, TamisRandom, ::testing::ValuesIn(Cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tamis::testing
