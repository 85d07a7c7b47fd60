// Rates of 1e-5 to 1e-7, of every kind, against ExpectedFpr.
//
// Asking random keys until enough of them are wrong would take billions.  But
// a wrong key has something in common with a member: the first bits of its hash
// in a quotient filter, the bits that become the fingerprint in a cuckoo
// filter, the word in a filter of words.  So only keys are asked that agree
// with some member in a *window* of the hash, and the rate found is multiplied
// by the share of such keys among all:
//
//   rate  =  P(agrees with a member)  *  P(wrong | agrees)
//            counted exactly             sampled
//
// With several windows (a slot of `swapping` holds one of four fingerprints)
// one is drawn for each key, as often as its share; keys that agree in two are
// too few to matter.  A Bloom filter has no such window; it is small enough to
// be asked directly.
//
// Each rate is that of many filters together, because one of few keys may have
// more or fewer set bits than the next.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "model/statistics.h"
#include "tamis/any_filter.h"
#include "tamis/internal/bits/words.h"

namespace tamis::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kFewer = 16;
#else
constexpr uint64_t kFewer = 1;
#endif

// Fast, because half the time of this test goes into random keys.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed << 32) {}
  uint64_t Next() {
    uint64_t x = ++state_ * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  double Unit() { return std::ldexp(static_cast<double>(Next() >> 11), -53); }

 private:
  uint64_t state_;
};

// Bits [begin, begin + count) of a hash, counted from its top.
struct Window {
  int begin = 0;
  int count = 0;

  uint64_t Of(KeyHash hash) const {
    if (count == 0) return 0;
    const auto all = (static_cast<internal::Uint128>(hash.high) << 64) |
                     static_cast<internal::Uint128>(hash.low);
    return static_cast<uint64_t>((all << begin) >> (128 - count));
  }
  // Returns `hash` with these bits replaced.
  KeyHash Put(uint64_t value, KeyHash hash) const {
    const uint64_t changed = Of(hash) ^ value;
    const auto mask = static_cast<internal::Uint128>(changed)
                      << (128 - begin - count);
    return {hash.high ^ static_cast<uint64_t>(mask >> 64),
            hash.low ^ static_cast<uint64_t>(mask)};
  }
};

TEST(Window, PutsWhatItReads) {
  const KeyHash hash = {0x0123456789abcdef, 0xfedcba9876543210};
  EXPECT_EQ((Window{4, 8}.Of(hash)), 0x12u);
  EXPECT_EQ((Window{60, 8}.Of(hash)), 0xffu);
  EXPECT_EQ((Window{60, 8}.Put(0x5a, hash)),
            (KeyHash{0x0123456789abcde5, 0xaedcba9876543210}));
}

struct LowRate {
  std::string spec;
  uint64_t slots;
  uint64_t keys;
  std::vector<Window> windows;  // none: any key may be wrong
  uint64_t filters;
  uint64_t queries;  // of each
  double slack = 0.05;

  friend std::ostream& operator<<(std::ostream& out, const LowRate& rate) {
    return out << rate.spec << ", " << rate.keys << " keys";
  }
};

// One filter of a case, and keys that may be wrong in it.
class Sampled {
 public:
  Sampled(const LowRate& rate, uint64_t seed)
      : random_(seed),
        windows_(rate.windows),
        filter_(AnyFilter::Create(Spec::Parse(rate.spec).value(), rate.slots,
                                  Hasher(Seed{seed, 1}))
                    .value()) {
    std::vector<KeyHash> members;
    for (uint64_t key = 0; key < rate.keys; ++key) {
      members.push_back(filter_.hasher().Hash(key));
      EXPECT_TRUE(filter_.Insert(members.back()).ok());
    }
    for (const Window& window : windows_) CountValues(window, members);
  }

  // The share of keys that agree with a member: what one query stands for.
  double share() const { return windows_.empty() ? 1 : shares_.back(); }
  double ExpectedFpr() const { return filter_.ExpectedFpr(); }

  static constexpr uint64_t kBatch = 1024;
  // REQUIRES: queries is a multiple of kBatch
  uint64_t CountWrong(uint64_t queries) {
    std::array<KeyHash, kBatch> hashes;
    std::array<bool, kBatch> wrong;
    uint64_t count = 0;
    for (uint64_t asked = 0; asked < queries; asked += kBatch) {
      for (KeyHash& hash : hashes) hash = Query();
      filter_.MayContain(hashes, wrong);
      count +=
          static_cast<uint64_t>(std::count(wrong.begin(), wrong.end(), true));
    }
    return count;
  }

 private:
  void CountValues(const Window& window, const std::vector<KeyHash>& members) {
    std::vector<uint64_t> values;
    for (const KeyHash member : members) values.push_back(window.Of(member));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const double before = shares_.empty() ? 0 : shares_.back();
    shares_.push_back(
        before + std::ldexp(static_cast<double>(values.size()), -window.count));
    values_.push_back(std::move(values));
  }

  KeyHash Query() {
    const KeyHash hash = {random_.Next(), random_.Next()};
    if (windows_.empty()) return hash;
    const double at = random_.Unit() * shares_.back();
    size_t chosen = 0;
    while (shares_[chosen] <= at) ++chosen;
    const std::vector<uint64_t>& values = values_[chosen];
    return windows_[chosen].Put(values[random_.Next() % values.size()], hash);
  }

  Random random_;
  std::vector<Window> windows_;
  AnyFilter filter_;
  std::vector<std::vector<uint64_t>> values_;
  std::vector<double> shares_;  // of the windows up to each
};

class LowRates : public ::testing::TestWithParam<LowRate> {};

TEST_P(LowRates, AreAsExpected) {
  const LowRate& rate = GetParam();
  const uint64_t filters = std::max<uint64_t>(1, rate.filters / kFewer);
  const uint64_t queries = rate.queries / Sampled::kBatch * Sampled::kBatch;
  uint64_t wrong = 0;
  double expected = 0;
  for (uint64_t seed = 1; seed <= filters; ++seed) {
    Sampled sampled(rate, seed);
    wrong += sampled.CountWrong(queries);
    expected += sampled.ExpectedFpr() / sampled.share();
    EXPECT_LT(sampled.ExpectedFpr(), 2e-5);
  }
  const double mistakes = expected * static_cast<double>(queries);
  EXPECT_GE(mistakes * kFewer, 9.5) << "too few to tell";
  EXPECT_TRUE(RateIs(wrong, filters * queries,
                     expected / static_cast<double>(filters), rate.slack));
}

// 1024 homes are 10 bits of the hash; a window of 20 is shorter than home and
// fingerprint together.  Where r can't be more than 16, few keys make the rate
// low.
constexpr Window kPrefix = {0, 20};
// The partial-key filters take the fingerprint from the lower word.
constexpr Window kLowWord = {64, 24};

INSTANTIATE_TEST_SUITE_P(
    Quotient, LowRates,
    ::testing::Values(
        LowRate{"rsqf:r=16", 1024, 960, {kPrefix}, 4, 100'000},
        LowRate{"rsqf:r=23", 1024, 960, {kPrefix}, 40, 100'000},
        LowRate{"taf:r=16", 1024, 16, {kPrefix}, 40, 100'000},
        LowRate{"exaf:r=16", 1024, 16, {kPrefix}, 40, 100'000},
        LowRate{"utaf:r=16", 1024, 16, {kPrefix}, 40, 100'000},
        LowRate{"sacrifice:f=27", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"chain:f=24", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"chain-linear:f=26", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"chain-growing:f=22", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"infini:f=24", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"infini:f=24,chain=duplicate", 64, 960, {kPrefix}, 40, 100'000},
        LowRate{"infini-growing:f=22", 64, 960, {kPrefix}, 40, 100'000}));

// k tables of n bins: the fingerprint comes behind k log2 n bits.
INSTANTIATE_TEST_SUITE_P(
    Cuckoo, LowRates,
    ::testing::Values(
        LowRate{"cuckoo:f=24", 1024, 900, {kLowWord}, 10, 100'000},
        LowRate{"vacuum:f=24", 1024, 900, {kLowWord}, 10, 100'000},
        LowRate{"cuckoo:f=24,k=4,b=1", 1024, 900, {{32, 24}}, 10, 100'000},
        LowRate{"cyclic:f=24,s=2", 1024, 900, {{32, 24}}, 10, 100'000},
        LowRate{"swapping:f=24",
                1024,
                900,
                {{14, 24}, {38, 24}, {62, 24}, {86, 24}},
                10,
                100'000},
        LowRate{"cuckooing:f=24", 1024, 900, {{32, 24}}, 10, 100'000}));

// A key to 16 words of 64 bits, 1024 words in all.
constexpr Window kWord = {0, 10};
constexpr double kFewKeysAWord = 0.15;

INSTANTIATE_TEST_SUITE_P(
    Words, LowRates,
    ::testing::Values(
        LowRate{"bloom1:bits=1024,k=5",
                64,
                64,
                {kWord},
                300,
                30'000,
                kFewKeysAWord},
        LowRate{
            "abf:bits=1024,k=5", 64, 64, {kWord}, 300, 30'000, kFewKeysAWord},
        LowRate{"abf-counting:bits=1024,k=5",
                64,
                64,
                {kWord},
                300,
                30'000,
                kFewKeysAWord},
        LowRate{
            "abfbits:bits=28,k=14", 640, 640, {}, 100, 500'000, kFewKeysAWord},
        LowRate{
            "bloomj:bits=100,k=4", 640, 640, {}, 100, 500'000, kFewKeysAWord},
        LowRate{"abfj:bits=100,k=4", 640, 640, {}, 100, 500'000, kFewKeysAWord},
        LowRate{"blocked:bits=42", 500, 500, {}, 100, 500'000, kFewKeysAWord}));

// Small sets and low rates: once 460, 48 and 6 times what was promised.
INSTANTIATE_TEST_SUITE_P(
    Bloom, LowRates,
    ::testing::Values(
        LowRate{"bloom:bits=28.76", 10, 10, {}, 1000, 60'000},
        LowRate{"bloom:bits=28.76", 100, 100, {}, 200, 300'000},
        LowRate{"bloom:bits=28.76", 1000, 1000, {}, 20, 3'000'000},
        LowRate{"bloom:bits=33.55", 100, 100, {}, 100, 1'000'000},
        LowRate{"bloom:bits=64,k=6", 2, 2, {}, 1000, 60'000},
        LowRate{"bloom:bits=60,k=6", 100, 100, {}, 100, 600'000}));

}  // namespace
}  // namespace tamis::testing
