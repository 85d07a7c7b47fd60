// Generations: lengths, resolutions, and that the bits never run out.

#include "tamis/internal/filters/growing/generations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "filters/growing/growing_testing.h"
#include "tamis/any_filter.h"
#include "tamis/internal/hash/hash_string.h"

namespace tamis::testing {
namespace {

using internal::Generations;

TEST(Generations, OlderThanIsTheNewestOfLessResolution) {
  for (const bool growing : {false, true}) {
    for (const int bits : {3, 4, 12, 55}) {
      const Generations plan = {10, bits, growing};
      for (int x = 0; x <= 50; ++x) {
        const int older = plan.OlderThan(x);
        EXPECT_GE(plan.Resolution(older + 1), x);
        if (older >= 0) {
          EXPECT_LT(plan.Resolution(older), x);
        }
        EXPECT_LT(plan.Resolution(x), plan.Resolution(x + 1));
        EXPECT_LE(plan.Bits(x), internal::kMaxGrowingBits);
      }
    }
  }
}

// A table reads home and fingerprint off hash * homes; they must be the string
// of the first homes, from bit X on, for every size that a table can have.
TEST(Generations, HashesAreLongEnoughForEveryGeneration) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const KeyHash hash = {random(), random()};
    const uint64_t first_homes = random() % 1000 + 1;
    const auto doublings = static_cast<int>(random() % 47);
    const auto bits = static_cast<int>(random() % 55) + 1;
    const internal::Placed placed =
        internal::Place(hash, first_homes << doublings);
    const internal::HashString string(hash, first_homes, doublings);
    ASSERT_EQ(internal::FirstBits(placed, bits), string.Bits(0, bits));
  }
}

TEST(Generations, AnyFilterRejuvenatesWhereItCan) {
  AnyFilter infini = AnyFilter::Create("infini:f=6", 64).value();
  EXPECT_TRUE(infini.capabilities().rejuvenate);
  const std::vector<KeyHash> keys = HashesOf(infini, 0, 5000);
  ASSERT_OK(infini.InsertEach(keys));
  const double before = infini.ExpectedFpr();
  for (const KeyHash hash : keys) ASSERT_OK(infini.Rejuvenate(hash));
  EXPECT_LT(infini.ExpectedFpr(), before / 2);
  AnyFilter rsqf = AnyFilter::Create("rsqf:r=8", 64).value();
  EXPECT_FALSE(rsqf.capabilities().rejuvenate);
  EXPECT_EQ(rsqf.Rejuvenate(keys[0]).code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tamis::testing
