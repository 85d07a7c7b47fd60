// Long mixed histories against an exact multiset: no false negative, ever.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "filters/cuckoo/cuckoo_testing.h"
#include "model/random_operations.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/cuckoo.h"
#include "tamis/vacuum.h"

namespace tamis::testing {
namespace {

template <typename F>
RandomHooks<F> HooksFor(const std::string& spec, uint64_t slots,
                        uint64_t seed) {
  return {
      .make_empty =
          [=] {
            return F::Create(*Spec::Parse(spec), slots, SeededHasher(seed));
          },
      .reload =
          [](const F& filter) { return F::FromSnapshot(filter.ToSnapshot()); }};
}

template <typename F>
void ExpectNoViolation(const std::string& spec, uint64_t slots, uint64_t seed,
                       uint64_t steps, const RandomOptions& options) {
  const RandomHooks<F> hooks = HooksFor<F>(spec, slots, seed);
  Checked<F> checked(std::move(hooks.make_empty()).value());
  RandomOperations<F> operations(std::move(checked), hooks, options);
  const Status status = operations.Run(SeededChoices(seed), steps);
  EXPECT_TRUE(status.ok()) << spec << ": " << status.ToString();
  EXPECT_GT(operations.done(Operation::kErase), steps / 20) << spec;
}

// Small tables that are filled to the brim, emptied and filled again, with all
// invariants checked after every step.
template <typename F>
void ExpectNoViolationWhenSmall(const std::string& spec) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ExpectNoViolation<F>(spec, 40 + 23 * seed, seed, 2500,
                         {.universe = 1000, .small_capacity = 1000});
  }
}

TEST(CuckooRandom, Cuckoo) {
  ExpectNoViolationWhenSmall<CuckooFilter>("cuckoo:f=5");
}
TEST(CuckooRandom, KeyedCuckoo) {
  ExpectNoViolationWhenSmall<KeyedCuckooFilter>("cuckoo:f=5,k=3,b=2");
}
TEST(CuckooRandom, Vacuum) {
  ExpectNoViolationWhenSmall<VacuumFilter>("vacuum:f=5");
}
TEST(CuckooRandom, Cyclic) {
  for (const std::string s : {"1", "2", "3"}) {
    ExpectNoViolationWhenSmall<CyclicFilter>("cyclic:f=4,s=" + s);
  }
}
TEST(CuckooRandom, CyclicWithFarFingerprints) {
  ExpectNoViolationWhenSmall<CyclicFilter>("cyclic:f=31,s=3");
}
TEST(CuckooRandom, Swapping) {
  ExpectNoViolationWhenSmall<SwappingFilter>("swapping:f=4");
}
TEST(CuckooRandom, SwappingWiderThanAWord) {
  ExpectNoViolationWhenSmall<SwappingFilter>("swapping:f=17");
}
TEST(CuckooRandom, Cuckooing) {
  for (const std::string& spec : CuckooingSpecs("f=4")) {
    ExpectNoViolationWhenSmall<CuckooingFilter>(spec);
  }
}
// Few places, so that walks fail and are walked back, or all keys move.
TEST(CuckooRandom, CuckooingInLoops) {
  for (const std::string& spec : CuckooingSpecs("f=4,k=2,b=1")) {
    ExpectNoViolationWhenSmall<CuckooingFilter>(spec);
  }
}
TEST(CuckooRandom, CuckooingInWideBins) {
  for (const std::string& spec : CuckooingSpecs("f=5,k=3,b=2")) {
    ExpectNoViolationWhenSmall<CuckooingFilter>(spec);
  }
}
TEST(CuckooRandom, CuckooingWithFarFingerprints) {
  ExpectNoViolationWhenSmall<CuckooingFilter>(
      "cuckooing:f=32,move=next,fingerprints=table");
}

// 10^8 operations in all, on tables of 2^16 slots.
// Rebuilt, each time under another seed, where the operations reload it.
template <typename F>
void ExpectRebuildsLoseNothing(const std::string& spec) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    RandomHooks<F> hooks = HooksFor<F>(spec, 150, seed);
    uint64_t rebuilt = 0;
    hooks.reload = [&](const F& filter) -> Result<F> {
      TAMIS_ASSIGN_OR_RETURN(F loaded, F::FromSnapshot(filter.ToSnapshot()));
      const Status status = loaded.Rebuild(++rebuilt * seed);
      if (status.ok() || status.code() == StatusCode::kFull) return loaded;
      return status;
    };
    RandomOperations<F> operations(
        Checked<F>(std::move(hooks.make_empty()).value()), hooks,
        {.universe = 1000, .small_capacity = 1000});
    const Status status = operations.Run(SeededChoices(seed), 2500);
    EXPECT_TRUE(status.ok()) << spec << ": " << status.ToString();
    EXPECT_GT(operations.done(Operation::kReload), 5u);
  }
}

TEST(CuckooRandom, RebuildsBetweenOperations) {
  ExpectRebuildsLoseNothing<KeyedCuckooFilter>("cuckoo:f=5,k=3,b=2");
  ExpectRebuildsLoseNothing<CyclicFilter>("cyclic:f=4,s=2");
  ExpectRebuildsLoseNothing<SwappingFilter>("swapping:f=4");
  for (const std::string& spec : CuckooingSpecs("f=4")) {
    ExpectRebuildsLoseNothing<CuckooingFilter>(spec);
  }
}

TEST(CuckooRandom, HundredMillionOperationsLong) {
  if (!LongTestsWanted()) GTEST_SKIP() << "set TAMIS_LONG_TESTS";
  constexpr uint64_t kSteps = 20'000'000;
  RandomOptions options{.phase = 60'000,
                        .universe = 200'000,
                        .small_capacity = 0,
                        .check_every = 200'000};
  options.weights[static_cast<size_t>(Operation::kReload)] = 0;
  ExpectNoViolation<CuckooFilter>("cuckoo:f=8", 1 << 16, 1, kSteps, options);
  ExpectNoViolation<VacuumFilter>("vacuum:f=8", 1 << 16, 2, kSteps, options);
  ExpectNoViolation<CyclicFilter>("cyclic:f=7,s=1", 1 << 16, 3, kSteps,
                                  options);
  ExpectNoViolation<SwappingFilter>("swapping:f=8", 1 << 16, 4, kSteps,
                                    options);
  ExpectNoViolation<CuckooingFilter>("cuckooing:f=8", 1 << 16, 5, kSteps,
                                     options);
}

}  // namespace
}  // namespace tamis::testing
