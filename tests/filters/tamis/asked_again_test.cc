// The promise of the tamis filter: a key that was fixed stays negative until it
// is forgotten, the filter contracts or is merged, or a new member shares its
// full prefix.
//
// After every operation keys that were fixed are asked for again.  One that is
// positive must have one of these reasons, and the test knows for each operation
// which of them it may bring:
//
//   a new member     the keys in the interval of its full prefix, no others
//   forgotten        any, if the count of forgotten fixes has changed
//   contracted       any, if the filter has fewer homes than before
//   merged           any
//   all the rest     none: other fixes, erases, growth, rejuvenation, loading

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tamis/internal/keys/home_range.h"
#include "tamis/serialize.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

enum Reason { kNewMember, kForgotten, kContracted, kMerged, kReasons };

class AskedAgain {
 public:
  AskedAgain(const TamisFilter::Options& options, uint64_t seed)
      : options_(options),
        random_(seed),
        hasher_(Seed{seed, 2}),
        filter_(TamisFilter::Create(options, hasher_).value()) {}

  void Run(uint64_t rounds) {
    const uint64_t turn = std::min<uint64_t>(rounds / 6, 3000);
    for (uint64_t i = 1; i <= rounds; ++i) {
      if (i % turn == 0) growing_ = !growing_;
      Round();
      AskSome();
      if (i % 500 == 0) AskAll();
      if (::testing::Test::HasFailure()) return;
    }
    AskAll();
  }
  uint64_t asked() const { return asked_; }
  uint64_t fixed() const { return num_fixed_; }
  uint64_t ended(Reason reason) const { return ended_[reason]; }

 private:
  uint64_t Detail(const std::string& name) const {
    for (const auto& [detail, value] : filter_.stats().details) {
      if (detail == name) return static_cast<uint64_t>(value);
    }
    ADD_FAILURE() << "no detail " << name;
    return 0;
  }
  uint64_t homes() const { return filter_.active().homes(); }
  KeyHash AnyKey() { return hasher_.Hash(random_() % 3000); }
  KeyHash AnyMember() {
    auto at = members_.lower_bound({random_(), random_()});
    return at == members_.end() ? members_.begin()->first : at->first;
  }

  void Round() {
    const uint64_t forgotten = Detail("forgotten");
    const uint64_t homes_before = homes();
    const uint64_t ticket = random_() % 2000;
    if (ticket < 700) {
      Adapt(hasher_.Hash((uint64_t{1} << 40) + random_() % 1'000'000));
    } else if (growing_ ? ticket < 1700 : ticket < 1000) {
      const KeyHash key = AnyKey();
      const Status status = filter_.Insert(key);
      if (status.ok()) Added({key});
    } else if (ticket < 1960) {
      if (!members_.empty()) Erase(AnyMember());
    } else {
      Rarely(ticket);
    }
    if (Detail("forgotten") != forgotten) Sweep(kForgotten);
    if (homes() < homes_before) Sweep(kContracted);
  }
  void Rarely(uint64_t ticket) {
    if (ticket < 1970) {
      if (!members_.empty()) (void)filter_.Rejuvenate(AnyMember()).ok();
    } else if (ticket < 1972) {
      ASSERT_TRUE(filter_.RejuvenateAll().ok());
    } else if (ticket < 1975) {
      const auto bytes = Serialize(filter_).value();
      const uint64_t forgotten = Detail("forgotten");
      filter_ = Deserialize<TamisFilter>(bytes).value();
      if (forgotten != 0) Sweep(kReasons);  // counts begin anew
    } else if (ticket < 1978) {
      if (filter_.capacity() < 8 * filter_.size() + 50) {
        (void)filter_.Expand().ok();
      }
    } else if (ticket < 1980) {
      (void)filter_.Contract().ok();
    } else if (ticket < 1982) {
      filter_.Forget(filter_.extensions().size() / 2);
    } else if (ticket < 1984) {
      Load();
    } else if (ticket < 1985) {
      Merge();
    }
  }
  // Fixes stay that were made for other keys.
  void Adapt(KeyHash absent) {
    if (members_.contains(absent)) return;
    const auto outcome = filter_.Adapt(absent);
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    if (*outcome != AdaptOutcome::kFixed && *outcome != AdaptOutcome::kReset) {
      return;
    }
    ++num_fixed_;
    fixed_.insert(absent);
  }
  void Erase(KeyHash key) {
    ASSERT_TRUE(filter_.Erase(key).ok());
    if (--members_[key] == 0) members_.erase(key);
  }
  void Added(const std::vector<KeyHash>& keys) {
    for (const KeyHash key : keys) {
      ++members_[key];
      const int bits = filter_.options().fingerprint_bits;
      const internal::Position at = filter_.active().Read(key);
      const HashRange range = internal::HashesOfHome(
          internal::HomeOf(at) << bits | internal::FingerprintOf(at, bits),
          homes() << bits);
      auto first = fixed_.lower_bound(range.low);
      while (first != fixed_.end() && *first <= range.high) {
        first = fixed_.erase(first);
        ++ended_[kNewMember];
      }
    }
  }
  void Load() {
    std::vector<KeyHash> keys;
    for (uint64_t i = random_() % 30; i > 0; --i) keys.push_back(AnyKey());
    if (filter_.BulkLoad(keys).ok()) Added(keys);
  }
  void Merge() {
    TamisFilter other = TamisFilter::Create(options_, hasher_).value();
    std::vector<KeyHash> keys;
    for (uint64_t i = random_() % 10; i > 0; --i) {
      keys.push_back(AnyKey());
      ASSERT_TRUE(other.Insert(keys.back()).ok());
    }
    if (!filter_.Merge(other).ok()) return;
    for (const KeyHash key : keys) ++members_[key];
    Sweep(kMerged);
  }
  // Something happened after which any of them may be positive again.
  void Sweep(Reason reason) {
    for (auto at = fixed_.begin(); at != fixed_.end();) {
      if (!filter_.MayContain(*at)) {
        ++at;
        continue;
      }
      ASSERT_NE(reason, kReasons) << "a fix was lost by saving and loading";
      ++ended_[reason];
      at = fixed_.erase(at);
    }
  }

  void Ask(KeyHash hash) {
    ++asked_;
    ASSERT_FALSE(filter_.MayContain(hash)) << "a fix was lost for no reason";
  }
  void AskSome() {
    for (int i = 0; i < 8 && !fixed_.empty(); ++i) {
      const auto at = fixed_.lower_bound({random_(), random_()});
      Ask(at == fixed_.end() ? *fixed_.begin() : *at);
    }
  }
  void AskAll() {
    for (const KeyHash hash : fixed_) Ask(hash);
    for (const auto& [key, count] : members_) {
      ASSERT_TRUE(filter_.MayContain(key)) << "false negative";
    }
  }

  TamisFilter::Options options_;
  std::mt19937_64 random_;
  Hasher hasher_;
  TamisFilter filter_;
  std::map<KeyHash, uint64_t> members_;
  std::set<KeyHash> fixed_;
  bool growing_ = true;
  uint64_t asked_ = 0;
  uint64_t num_fixed_ = 0;
  std::array<uint64_t, kReasons> ended_ = {};
};

// Rounds of four filters together.
void RunRounds(uint64_t rounds) {
  std::array<uint64_t, kReasons> ended = {};
  uint64_t fixed = 0;
  uint64_t asked = 0;
  for (const bool grow : {true, false}) {
    for (const double budget : {4.0, 48.0}) {
      AskedAgain test({.slots = grow ? 50u : 1500u,
                       .fingerprint_bits = 4,
                       .grow = grow,
                       .extension_bits = budget},
                      7);
      test.Run(rounds / 4);
      if (::testing::Test::HasFailure()) return;
      fixed += test.fixed();
      asked += test.asked();
      for (const Reason reason :
           {kNewMember, kForgotten, kContracted, kMerged}) {
        ended[reason] += test.ended(reason);
      }
    }
  }
  EXPECT_GT(fixed, rounds / 200);
  EXPECT_GT(asked, 5 * rounds);
  ::testing::Test::RecordProperty("fixed", std::to_string(fixed));
  ::testing::Test::RecordProperty("asked", std::to_string(asked));
  for (const Reason reason : {kNewMember, kForgotten, kContracted}) {
    EXPECT_GT(ended[reason], 0u) << "reason " << reason << " never came";
  }
}

TEST(TamisPromise, AFixedKeyIsNeverPositiveWithoutAReason) {
  RunRounds(10'000);
}

TEST(TamisPromise, AFixedKeyIsNeverPositiveWithoutAReasonLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  RunRounds(1'000'000);
}

}  // namespace
}  // namespace tamis::testing
