// The formulas against values that can be computed in another way.

#include "filters/bloom/bloom_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace tamis {
namespace {

// Formula (3) as printed, in exact arithmetic as far as long double is exact:
// usable for small words only, where little cancels.
double PrintedFormula3(int w, int k, int n) {
  auto factorial = [](int x) { return std::tgamma(1.0L + x); };
  long double sum = 0;
  for (int i = 1; i <= w; ++i) {
    for (int j = 1; j <= i; ++j) {
      const long double sign = (i - j) % 2 == 0 ? 1 : -1;
      sum += sign * std::pow(static_cast<long double>(j), k * n) *
             std::pow(static_cast<long double>(i), k) /
             (factorial(w - i) * factorial(j) * factorial(i - j));
    }
  }
  return static_cast<double>(
      sum * factorial(w) / std::pow(static_cast<long double>(w), k * (n + 1)));
}

// (4)-(7) as printed, for two sets: a double sum.
double PrintedTwoSets(double f, uint64_t a, double t) {
  const Pmf z = BinomialPmf(a, f);
  auto chance = [&](uint64_t x) {
    return x >= z.first && x < z.limit() ? z.chances[x - z.first] : 0.0;
  };
  const double none = chance(0);
  double rate = (1 - none) * none / (static_cast<double>(a) * t);
  for (uint64_t z1 = 1; z1 <= a; ++z1) {
    for (uint64_t z2 = 1; z2 <= a; ++z2) {
      const double wait = static_cast<double>(a) / static_cast<double>(z1) +
                          static_cast<double>(a) / static_cast<double>(z2);
      rate += chance(z1) * chance(z2) * 2 / wait;
    }
  }
  return rate;
}

TEST(BloomMath, Equation2HasTheKnownOptimum) {
  EXPECT_NEAR(BloomFpr(12, 1, 8), 0.003143, 1e-5);
  EXPECT_EQ(BestBloomK(12), 8);
  EXPECT_EQ(BestBloomK(8), 6);
  EXPECT_EQ(BestBloomK(0.5), 1);
  EXPECT_EQ(BloomFpr(100, 0, 3), 0);
}

// The exact rate of any array is that of one word as wide.
TEST(MeanBloomFpr, IsExactForSmallArrays) {
  EXPECT_EQ(MeanBloomFpr(100, 0, 3), 0);
  EXPECT_EQ(MeanBloomFpr(1, 1, 1), 1);
  for (const int keys : {2, 5, 10, 30}) {
    for (const int bits_per_key : {4, 12, 20, 34}) {
      const int k = BestBloomK(bits_per_key);
      const int bits = keys * bits_per_key;
      const double exact = WordFprs(bits, k, keys).back();
      EXPECT_NEAR(MeanBloomFpr(bits, keys, k), exact,
                  (keys < 5 ? 0.03 : 0.005) * exact)
          << keys << " keys, " << bits_per_key << " bits each";
    }
  }
}

TEST(MeanBloomFpr, IsFormula2ForLargeOnes) {
  for (const int k : {1, 8, 20}) {
    const double rate = BloomFpr(12e6, 1e6, k);
    EXPECT_NEAR(MeanBloomFpr(12e6, 1e6, k), rate, 1e-4 * rate) << k;
  }
}

TEST(BloomMath, WordFprsAgreeWithFormula3WherePrintedOneIsAccurate) {
  for (const int w : {4, 8, 12}) {
    for (const int k : {1, 2, 3}) {
      const std::vector<double> rates = WordFprs(w, k, 6);
      for (int n = 1; n <= 6; ++n) {
        EXPECT_NEAR(rates[static_cast<size_t>(n)], PrintedFormula3(w, k, n),
                    1e-9)
            << w << " " << k << " " << n;
      }
    }
  }
}

// For one and two draws the mean of (X/w)^k has a closed form: by the chance
// that one given bit, or two, are set.
TEST(BloomMath, WordFprsAreExactForFewDrawsUpTo64Keys) {
  constexpr double kWidth = 64;
  const std::vector<double> one = WordFprs(64, 1, 64);
  const std::vector<double> two = WordFprs(64, 2, 64);
  for (size_t n = 0; n <= 64; ++n) {
    const auto unset = [&](double bits, size_t draws) {
      return std::pow(1 - bits / kWidth, static_cast<double>(draws));
    };
    EXPECT_NEAR(one[n], 1 - unset(1, n), 1e-13);
    const double both = 1 - 2 * unset(1, 2 * n) + unset(2, 2 * n);
    EXPECT_NEAR(two[n],
                (1 - unset(1, 2 * n)) / kWidth + both * (kWidth - 1) / kWidth,
                1e-13);
  }
}

TEST(BloomMath, WordFprsAreMonotoneProbabilitiesUpTo64KeysIn64Bits) {
  const std::vector<double> rates = WordFprs(64, 4, 64);
  ASSERT_EQ(rates.size(), 65u);
  EXPECT_EQ(rates[0], 0);
  for (size_t n = 1; n < rates.size(); ++n) {
    EXPECT_GT(rates[n], rates[n - 1]);
    EXPECT_LT(rates[n], 1);
  }
  // One key: the first draw sets one bit, and so on; four draws must all hit.
  EXPECT_LT(rates[1], std::pow(4.0 / 64, 4));
  EXPECT_GT(rates[64], 0.9);
}

TEST(BloomMath, WordFprsAgreeWithThrowingBits) {
  constexpr int kWord = 62, kK = 4, kKeys = 12, kTrials = 200'000;
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> position(0, kWord - 1);
  int hits = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    uint64_t word = 0;
    for (int i = 0; i < kK * kKeys; ++i) word |= 1ull << position(random);
    bool all = true;
    for (int i = 0; i < kK; ++i) all &= (word >> position(random) & 1) != 0;
    hits += all;
  }
  const double expected = WordFprs(kWord, kK, kKeys).back();
  const double deviation = std::sqrt(expected * (1 - expected) / kTrials);
  EXPECT_NEAR(static_cast<double>(hits) / kTrials, expected, 4 * deviation);
}

TEST(BloomMath, BinomialPmfSumsToOneAndHasItsMoments) {
  for (const auto& [tries, chance] :
       std::vector<std::pair<uint64_t, double>>{{1, 0.5},
                                                {8192, 1.0 / 1024},
                                                {uint64_t{1} << 40, 1e-9},
                                                {20, 1.0},
                                                {20, 0.0},
                                                {0, 0.3},
                                                {1000, 0.999}}) {
    const Pmf pmf = BinomialPmf(tries, chance);
    double sum = 0, mean = 0;
    for (size_t i = 0; i < pmf.chances.size(); ++i) {
      sum += pmf.chances[i];
      mean += pmf.chances[i] * static_cast<double>(pmf.first + i);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    const double expected = static_cast<double>(tries) * chance;
    EXPECT_NEAR(mean, expected, 1e-9 * (1 + expected));
    EXPECT_LE(pmf.limit(), tries + 1);
  }
  EXPECT_NEAR(BinomialPmf(3, 0.5).chances[1], 0.375, 1e-15);
}

// Table II of the paper, which does not depend on the trace.
TEST(BloomMath, Bloom1RatesOfTableTwo) {
  for (const auto& [keys_per_word, rate] :
       std::vector<std::pair<uint64_t, double>>{
           {8, 0.033}, {12, 0.089}, {16, 0.155}}) {
    const int k = BestWordK(64, static_cast<double>(keys_per_word), 8);
    EXPECT_NEAR(WordBloomFpr(1024, 64, keys_per_word * 1024, {&k, 1}), rate,
                0.05 * rate);
  }
  EXPECT_EQ(BestWordK(64, 8, 8), 4);
}

TEST(BloomMath, ManyWordsOfOneBitEachComeNearTheClassicFilter) {
  const std::array<int, 6> ones = {1, 1, 1, 1, 1, 1};
  EXPECT_NEAR(WordBloomFpr(1 << 16, 64, 1 << 19, ones),
              BloomFpr(64.0 * (1 << 16), 1 << 19, 6), 0.01 * BloomFpr(8, 1, 6));
}

// Words differ in how full they are, so a key that is positive in one set is
// more likely so in the next.
TEST(BloomMath, SeveralSetsAtOnceAreLikelierThanThePowerOfOne) {
  const int k = 4;
  auto rate = [&](int sets) {
    return WordBloomFpr(1 << 14, 62, 1 << 17, {&k, 1}, sets);
  };
  EXPECT_EQ(rate(1), WordBloomFpr(1 << 14, 62, 1 << 17, {&k, 1}));
  for (const int sets : {2, 4, 8}) {
    EXPECT_GT(rate(sets), std::pow(rate(1), sets));
    EXPECT_LT(rate(sets), rate(sets - 1));
  }
  // One word, whose keys are known: then the power is exact.
  const std::vector<double> fprs = WordFprs(62, k, 5);
  EXPECT_NEAR(WordBloomFpr(1, 62, 5, {&k, 1}, 3), std::pow(fprs[5], 3), 1e-15);
}

TEST(BloomMath, UnevenBitsInTwoWordsLieBetweenTheEvenOnes) {
  auto rate = [](std::vector<int> ks) {
    return WordBloomFpr(1 << 14, 64, 1 << 17, ks);
  };
  EXPECT_GT(rate({2, 1}), rate({2, 2}));
  EXPECT_LT(rate({2, 1}), rate({1, 1}));
}

TEST(BloomMath, TwoSetsAsPrinted) {
  for (const double f : {0.001, 0.02, 0.2}) {
    for (const uint64_t a : {1u, 8u, 60u}) {
      const double printed = PrintedTwoSets(f, a, 10);
      EXPECT_NEAR(AdaptiveWordFpr(f, a, 10, 2), printed, 1e-3 * printed)
          << f << " " << a;
    }
  }
}

TEST(BloomMath, OneSetIsNotAdaptive) {
  for (const uint64_t a : {1u, 8u, 60u}) {
    EXPECT_NEAR(AdaptiveWordFpr(0.05, a, 10, 1), 0.05, 5e-5);
  }
}

TEST(BloomMath, MoreSetsAreBetterAndDecimationIsWorse) {
  AdaptiveModel model{.words = 1024,
                      .word_bits = 62,
                      .keys = 8192,
                      .negatives = 8192,
                      .repeats = 10,
                      .k = 4};
  double last = 1;
  for (const int sets : {2, 4, 8}) {
    model.sets = sets;
    const double rate = AdaptiveFpr(model);
    EXPECT_LT(rate, last);
    last = rate;
  }
  model.decimation = 5;
  EXPECT_GT(AdaptiveFpr(model), last);
}

TEST(BloomMath, WithOneSetEquation10IsTheRateOfBloom1) {
  const int k = 4;
  const AdaptiveModel model{.words = 1024,
                            .word_bits = 64,
                            .keys = 8192,
                            .negatives = 81920,
                            .repeats = 10,
                            .k = k,
                            .sets = 1};
  const double expected = WordBloomFpr(1024, 64, 8192, {&k, 1});
  EXPECT_NEAR(AdaptiveFpr(model), expected, 1e-3 * expected);
}

}  // namespace
}  // namespace tamis
