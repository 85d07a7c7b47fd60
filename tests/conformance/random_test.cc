// Random sequences of all operations, against the truth.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "conformance/conformance.h"
#include "model/checked.h"
#include "model/random_operations.h"

namespace tamis::testing {
namespace {

class ConformanceRandom : public ConformanceTest {
 protected:
  void Run(uint64_t seed, uint64_t slots, uint64_t steps) {
    RandomOptions options = {
        .phase = 2 * slots, .universe = 2 * slots, .max_capacity = 8 * slots};
    if (slots > options.small_capacity) {
      // The operations on whole filters are linear: fewer of them.
      options.weights = {4000, 2000, 1000, 2000, 100, 4, 4, 5, 5, 10};
    }
    RandomOperations<AnyFilter> operations(
        Checked<AnyFilter>(Make(seed, slots)),
        {.make_empty = [=, this] { return Result(Make(seed, slots)); },
         .reload = [this](const AnyFilter& filter) { return Reload(filter); }},
        options);
    const Status status = operations.Run(SeededChoices(seed), steps);
    ASSERT_TRUE(status.ok())
        << "seed " << seed << ", " << slots << " slots: " << status.ToString();
    EXPECT_GT(operations.done(Operation::kInsert), 0u);
  }
};

TAMIS_CONFORMANCE_INSTANTIATE(ConformanceRandom);

TEST_P(ConformanceRandom, TinyFiltersCheckedAtEveryStep) {
  for (uint64_t seed = 0; seed < 4; ++seed) Run(seed, 40, 500);
}

TEST_P(ConformanceRandom, SmallFiltersCheckedAtEveryStep) {
  for (uint64_t seed = 10; seed < 12; ++seed) Run(seed, 300, 1500);
}

TEST_P(ConformanceRandom, LargerFilterCheckedNowAndThen) {
  Run(20, 5000, 20'000);
}

TEST_P(ConformanceRandom, ManySeedsLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  for (uint64_t seed = 100; seed < 300; ++seed) Run(seed, 40, 2000);
  for (uint64_t seed = 300; seed < 330; ++seed) Run(seed, 500, 10'000);
  Run(400, 100'000, 1'000'000);
}

}  // namespace
}  // namespace tamis::testing
