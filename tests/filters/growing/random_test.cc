// Random operations on growing filters, against an exact multiset.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "filters/growing/growing_testing.h"
#include "model/hash_multiset.h"
#include "tamis/infini.h"

namespace tamis::testing {
namespace {

// Inserts and erases in phases, so that the filter grows and shrinks; between
// them rejuvenates, resizes, saves and loads.  A small universe makes keys
// that are there more than once.
class RandomSteps {
 public:
  RandomSteps(InfiniFilter filter, uint64_t seed, uint64_t universe)
      : filter_(std::move(filter)), random_(seed), universe_(universe) {}

  void Run(uint64_t steps, uint64_t check_every) {
    for (uint64_t i = 1; i <= steps && !::testing::Test::HasFailure(); ++i) {
      if (random_() % 4096 == 0) growing_ = !growing_;
      Step();
      if (i % check_every == 0) CheckAll();
    }
    CheckAll();
  }

  int max_generation() const { return max_generation_; }
  const InfiniFilter& filter() const { return filter_; }

 private:
  void Step() {
    const uint64_t ticket = random_() % 10'000;
    if (ticket == 0) {
      filter_ = Reloaded(filter_);
    } else if (ticket <= 2 && filter_.size() * 8 > filter_.capacity()) {
      EXPECT_OK(filter_.Expand());
    } else if (ticket <= 4) {
      const Status status = filter_.Contract();
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::kFull ||
                  status.code() == StatusCode::kUnsupported);
    } else if (ticket < 1500) {
      Rejuvenate();
    } else {
      InsertOrErase();
    }
    ASSERT_EQ(filter_.size(), truth_.size());
    max_generation_ = std::max(max_generation_, filter_.generation());
  }

  void InsertOrErase() {
    if (random_() % 100 < (growing_ ? 80u : 20u) || truth_.empty()) {
      const KeyHash hash = filter_.hasher().Hash(random_() % universe_);
      ASSERT_OK(filter_.Insert(hash));
      truth_.Add(hash);
      ASSERT_TRUE(filter_.MayContain(hash));
    } else {
      const KeyHash hash = truth_.At(random_() % truth_.size());
      ASSERT_OK(filter_.Erase(hash));
      truth_.Remove(hash);
      ASSERT_TRUE(!truth_.Contains(hash) || filter_.MayContain(hash));
    }
  }

  void Rejuvenate() {
    if (truth_.empty()) return;
    if (random_() % 8 == 0) return RejuvenateSome();
    const KeyHash hash = truth_.At(random_() % truth_.size());
    ASSERT_OK(filter_.Rejuvenate(hash));
    ASSERT_TRUE(filter_.MayContain(hash));
  }

  // Many at once, each at most as often as it is there.
  void RejuvenateSome() {
    const size_t first = random_() % truth_.size();
    const auto some = std::span(truth_.members())
                          .subspan(first)
                          .first(random_() % (truth_.size() - first) % 50 + 1);
    ASSERT_OK(filter_.Rejuvenate(some));
    for (const KeyHash hash : some) ASSERT_TRUE(filter_.MayContain(hash));
  }

  void CheckAll() { ExpectHasAll(filter_, truth_.members()); }

  InfiniFilter filter_;
  HashMultiset truth_;
  std::mt19937_64 random_;
  uint64_t universe_;
  bool growing_ = true;
  int max_generation_ = 0;
};

const char* const kSpecs[] = {"infini:f=3",
                              "infini:f=4,threshold=0.95",
                              "infini:f=7",
                              "infini:f=12",
                              "infini-growing:f=3",
                              "infini-growing:f=12",
                              "infini:f=3,chain=duplicate",
                              "infini:f=5,chain=duplicate",
                              "infini:f=4,chain=duplicate,threshold=0.05",
                              "infini-growing:f=3,chain=duplicate"};

TEST(InfiniRandom, NoFalseNegativeUnderAnySequence) {
  for (const char* spec : kSpecs) {
    SCOPED_TRACE(spec);
    for (const uint64_t slots : {1u, 5u, 40u}) {
      RandomSteps steps(MakeInfini(spec, slots), slots, 2000);
      steps.Run(6000, 200);
      EXPECT_GE(steps.max_generation(), 4);
    }
  }
}

TEST(InfiniRandom, NoFalseNegativeUnderHundredMillionStepsLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  constexpr uint64_t kSteps = 100'000'000 / std::size(kSpecs) + 1;
  for (const char* spec : kSpecs) {
    SCOPED_TRACE(spec);
    RandomSteps steps(MakeInfini(spec, 16), 99, 100'000);
    steps.Run(kSteps, 1'000'000);
    EXPECT_GE(steps.max_generation(), 6);
  }
}

}  // namespace
}  // namespace tamis::testing
