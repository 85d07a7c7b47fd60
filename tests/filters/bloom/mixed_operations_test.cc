// Mixed operations on large filters: after each of them, a member is found.
//
// The truth is a count for each key of a small universe, so that a step costs
// little more than the operation itself.  A filter that can't erase is full
// before long, so it is emptied now and then, and inserts and adapts stay
// mixed to the end.  The long version makes 10^8 steps.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tamis/any_filter.h"

namespace tamis {
namespace {

class MixedOperations : public testing::TestWithParam<const char*> {
 protected:
  static constexpr uint64_t kSlots = 1 << 14;
  static constexpr uint64_t kUniverse = 4 * kSlots;
  static constexpr uint64_t kStepsOfAFilter = 8 * kSlots;

  MixedOperations() : filter_(MakeEmpty()), counts_(kUniverse, 0) {
    for (uint64_t key = 0; key < kUniverse; ++key) {
      hashes_.push_back(filter_.hasher().Hash(key));
    }
  }

  static AnyFilter MakeEmpty() {
    return AnyFilter::Create(GetParam(), kSlots, Hasher(Seed{3, 3})).value();
  }

  // A xorshift step: the choice of the operation and of its key.
  uint64_t Roll() {
    dice_ ^= dice_ << 13;
    dice_ ^= dice_ >> 7;
    dice_ ^= dice_ << 17;
    return dice_;
  }

  void Step() {
    const uint64_t roll = Roll();
    const uint64_t key = (roll >> 8) % kUniverse;
    const KeyHash hash = hashes_[key];
    if (roll % 8 < 2 && filter_.size() < kSlots) {
      ok_ = ok_ && filter_.Insert(hash).ok();
      ++counts_[key];
      ++inserts_;
    } else if (roll % 8 < 4 && counts_[key] > 0 &&
               filter_.capabilities().erase) {
      ok_ = ok_ && filter_.Erase(hash).ok();
      --counts_[key];
    } else if (counts_[key] == 0 && filter_.MayContain(hash) &&
               filter_.capabilities().adapt) {
      ok_ = ok_ && filter_.Adapt(hash).ok();
      ++adapts_;
    }
    const uint64_t other = (roll >> 32) % kUniverse;
    lost_ += counts_[other] > 0 && !filter_.MayContain(hashes_[other]);
    lost_ += counts_[key] > 0 && !filter_.MayContain(hash);
  }

  void CheckAll() {
    for (uint64_t key = 0; key < kUniverse; ++key) {
      lost_ += counts_[key] > 0 && !filter_.MayContain(hashes_[key]);
    }
    const Status status = filter_.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  void Run(uint64_t steps) {
    for (uint64_t i = 1; i <= steps; ++i) {
      Step();
      if (i % kStepsOfAFilter != 0) continue;
      CheckAll();
      if (filter_.capabilities().erase) continue;
      filter_ = MakeEmpty();
      counts_.assign(kUniverse, 0);
    }
    CheckAll();
    EXPECT_TRUE(ok_);
    EXPECT_EQ(lost_, 0u) << "false negatives";
    EXPECT_GT(inserts_, steps / 20);
    if (filter_.capabilities().adapt) {
      EXPECT_GT(adapts_, steps / 1000);
    }
    RecordProperty("inserts", std::to_string(inserts_));
    RecordProperty("adapts", std::to_string(adapts_));
  }

  AnyFilter filter_;
  std::vector<KeyHash> hashes_;
  std::vector<uint32_t> counts_;
  uint64_t dice_ = 0x2545f4914f6cdd1d;
  uint64_t lost_ = 0;
  uint64_t inserts_ = 0;
  uint64_t adapts_ = 0;
  bool ok_ = true;
};

TEST_P(MixedOperations, LoseNoMember) { Run(300'000); }

TEST_P(MixedOperations, LoseNoMemberLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  Run(100'000'000);
}

INSTANTIATE_TEST_SUITE_P(
    Specs, MixedOperations,
    testing::Values("abf-counting:bits=8,k=4,sets=4",
                    "abf-counting:bits=8,k=4,sets=2,check=0",
                    "abf:bits=8,k=4,sets=4",
                    "abf:bits=8,k=4,sets=8,copies=others",
                    "abfj:bits=8,k=4,j=2,sets=4", "abfbits:bits=8,k=5,sets=4",
                    "bloom1:bits=8,k=4,w=64", "blocked:bits=12"));

}  // namespace
}  // namespace tamis
