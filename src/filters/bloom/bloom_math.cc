#include "filters/bloom/bloom_math.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tamis {
namespace {

// Chances below this share of the largest one are left out of a Pmf.
constexpr double kNegligible = 1e-18;

// The distribution of the number of set bits of a word, throw by throw.
class Occupancy {
 public:
  explicit Occupancy(int word_bits)
      : chances_(static_cast<size_t>(word_bits) + 1, 0.0) {
    chances_[0] = 1;
  }

  // Sets one bit at random.
  void Throw() {
    const double width = static_cast<double>(chances_.size() - 1);
    for (size_t i = chances_.size() - 1; i > 0; --i) {
      chances_[i] =
          chances_[i] * (static_cast<double>(i) / width) +
          chances_[i - 1] * ((width - static_cast<double>(i) + 1) / width);
    }
    chances_[0] = 0;
  }

  // Returns the mean of values[number of set bits].
  double Mean(const std::vector<double>& values) const {
    return std::inner_product(chances_.begin(), chances_.end(), values.begin(),
                              0.0);
  }

 private:
  std::vector<double> chances_;  // of 0, 1, ..., word_bits set bits
};

// Returns the chance that k random bits are all set, for 0, 1, ... word_bits
// set bits.
std::vector<double> AllSetChances(int word_bits, int k) {
  std::vector<double> chances;
  for (int i = 0; i <= word_bits; ++i) {
    chances.push_back(std::pow(static_cast<double>(i) / word_bits, k));
  }
  return chances;
}

void Normalise(std::vector<double>& chances) {
  double sum = 0;
  for (const double chance : chances) sum += chance;
  for (double& chance : chances) chance /= sum;
}

// Returns the chances of the number of throws at one word, when `keys` has
// the chances of the number of keys whose i-th word it is.
std::vector<double> Throws(const Pmf& keys, std::span<const int> k_of_word) {
  std::vector<double> throws = {1.0};
  for (const int k : k_of_word) {
    const size_t stride = static_cast<size_t>(k);
    std::vector<double> sum(throws.size() + (keys.limit() - 1) * stride, 0.0);
    for (size_t t = 0; t < throws.size(); ++t) {
      for (size_t i = 0; i < keys.chances.size(); ++i) {
        sum[t + (keys.first + i) * stride] += throws[t] * keys.chances[i];
      }
    }
    throws = std::move(sum);
  }
  return throws;
}

}  // namespace

double BloomFpr(double bits, double keys, int k) {
  assert(bits > 0);
  return std::pow(-std::expm1(-k * keys / bits), k);
}

double MeanBloomFpr(double bits, double keys, int k) {
  assert(bits >= 1);
  if (keys == 0) return 0;
  // The chances that one bit, and that two, are still 0 after all throws.
  const double throws = k * keys;
  const double one_zero = std::exp(throws * std::log1p(-1 / bits));
  const double two_zero =
      bits <= 2 ? 0 : std::exp(throws * std::log1p(-2 / bits));
  const double mean = 1 - one_zero;
  const double variance = std::max(
      0.0, (one_zero + (bits - 1) * two_zero) / bits - one_zero * one_zero);
  // Near a normal distribution: the sum over z of its density, in steps.
  constexpr int kStepsPerDeviation = 8;
  constexpr int kSteps = 8 * kStepsPerDeviation;
  double sum = 0;
  double weights = 0;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const double z = static_cast<double>(i) / kStepsPerDeviation;
    const double share = std::clamp(mean + z * std::sqrt(variance), 0.0, 1.0);
    const double weight = std::exp(-z * z / 2);
    sum += weight * std::pow(share, k);
    weights += weight;
  }
  return sum / weights;
}

int BestBloomK(double bits_per_key) {
  const int below = std::max(
      1, static_cast<int>(std::floor(bits_per_key * std::numbers::ln2)));
  return BloomFpr(bits_per_key, 1, below) <=
                 BloomFpr(bits_per_key, 1, below + 1)
             ? below
             : below + 1;
}

std::vector<double> WordFprs(int word_bits, int k, int max_keys) {
  assert(word_bits > 0 && k > 0);
  Occupancy occupancy(word_bits);
  const std::vector<double> all_set = AllSetChances(word_bits, k);
  std::vector<double> rates = {0.0};
  for (int n = 1; n <= max_keys; ++n) {
    for (int i = 0; i < k; ++i) occupancy.Throw();
    rates.push_back(occupancy.Mean(all_set));
  }
  return rates;
}

Pmf BinomialPmf(uint64_t tries, double chance) {
  assert(chance >= 0 && chance <= 1);
  if (chance == 0 || tries == 0) return {0, {1.0}};
  if (chance == 1) return {tries, {1.0}};
  const double odds = chance / (1 - chance);
  const double n = static_cast<double>(tries);
  const uint64_t mode =
      std::min(tries, static_cast<uint64_t>(std::floor((n + 1) * chance)));

  // Relative to the mode: below it, backwards; from it on, forwards.
  std::vector<double> below;
  double p = 1;
  for (uint64_t x = mode; x > 0 && p > kNegligible; --x) {
    p *= static_cast<double>(x) / (n - static_cast<double>(x) + 1) / odds;
    below.push_back(p);
  }
  Pmf pmf{mode - below.size(), {below.rbegin(), below.rend()}};
  p = 1;
  for (uint64_t x = mode; p > kNegligible; ++x) {
    pmf.chances.push_back(p);
    if (x == tries) break;
    p *= (n - static_cast<double>(x)) / (static_cast<double>(x) + 1) * odds;
  }
  Normalise(pmf.chances);
  return pmf;
}

double WordBloomFpr(uint64_t words, int word_bits, uint64_t keys,
                    std::span<const int> k_of_word, int sets) {
  assert(words > 0 && word_bits > 0 && sets > 0);
  const Pmf keys_of_word = BinomialPmf(keys, 1 / static_cast<double>(words));
  const std::vector<double> throws = Throws(keys_of_word, k_of_word);
  std::vector<double> rates(k_of_word.size(), 0.0);
  std::vector<std::vector<double>> all_set;
  for (const int k : k_of_word) all_set.push_back(AllSetChances(word_bits, k));
  Occupancy occupancy(word_bits);
  for (size_t t = 0; t < throws.size(); ++t) {
    if (t > 0) occupancy.Throw();
    if (throws[t] == 0) continue;
    for (size_t i = 0; i < rates.size(); ++i) {
      const double rate = occupancy.Mean(all_set[i]);
      rates[i] += throws[t] * (sets == 1 ? rate : std::pow(rate, sets));
    }
  }
  double product = 1;
  for (const double rate : rates) product *= rate;
  return product;
}

int BestWordK(int word_bits, double keys_per_word, int max_k) {
  // A filter of many words stands for one of any size.
  constexpr uint64_t kWords = 1 << 16;
  const auto keys = static_cast<uint64_t>(std::llround(keys_per_word * kWords));
  int best = 1;
  double least = 2;
  for (int k = 1; k <= max_k; ++k) {
    const double rate = WordBloomFpr(kWords, word_bits, keys, {&k, 1});
    if (rate >= least) break;
    least = rate;
    best = k;
  }
  return best;
}

}  // namespace tamis
