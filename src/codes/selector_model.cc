#include "tamis/internal/codes/selector_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis::internal {
namespace {

// Divides by the sum.
SelectorProbabilities Normalised(SelectorProbabilities probabilities) {
  const double sum =
      std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

SelectorProbabilities BitsOf(const SelectorProbabilities& probabilities) {
  SelectorProbabilities bits = Normalised(probabilities);
  for (double& b : bits) b = -std::log2(b);
  return bits;
}

double NegativeLog(double probability) {
  return probability == 0 ? 0 : -std::log2(probability);
}

}  // namespace

SelectorModel::SelectorModel(const SelectorProbabilities& probabilities)
    : bits_(BitsOf(probabilities)), zero_runs_(std::exp2(-bits_[0])) {
  double nonzero = 0;
  for (uint32_t s = 1; s <= kMaxSelector; ++s) nonzero += probabilities[s];
  double sum = 0;
  for (uint32_t s = 1; s <= kMaxSelector; ++s) {
    starts_[s - 1] = Fraction(sum / nonzero);
    sum += probabilities[s];
  }
  starts_[kMaxSelector] = uint64_t{1} << kFractionBits;
}

// The paper's sums of powers of two for 0 to 5.  It leaves all the rest, 4e-4,
// to 6; here 6 and 7 continue the fall by about 1 / 25.
SelectorModel SelectorModel::Tuned() {
  SelectorModel model(SelectorProbabilities{
      1.0 / 2 + 1.0 / 4 + 1.0 / 32,
      1.0 / 8 + 1.0 / 16 + 1.0 / 128 + 1.0 / 512,
      1.0 / 64 + 1.0 / 256,
      1.0 / 1024 + 1.0 / 2048,
      0x1.0p-14 + 0x1.0p-16,
      0x1.0p-19 + 0x1.0p-20 + 0x1.0p-23,
      0x1.0p-23,
      0x1.0p-27,
  });
  static const SureLetters kSureLetters(model.zero_runs_, model.starts_[1]);
  model.sure_letters_ = &kSureLetters;
  return model;
}

SelectorProbabilities XyProbabilities(int x, int y) {
  SelectorProbabilities probabilities;
  probabilities[0] = 1 - std::ldexp(1.0, -x);
  for (int i = 1; i < kNumSelectors; ++i) {
    probabilities[static_cast<size_t>(i)] = std::ldexp(1.0, -x) *
                                            (1 - std::ldexp(1.0, -y)) *
                                            std::ldexp(1.0, -y * (i - 1));
  }
  return Normalised(probabilities);
}

SelectorModel SelectorModel::Xy(int x, int y) {
  return SelectorModel(XyProbabilities(x, y));
}

SelectorProbabilities ExpectedSelectors(double c, int remainder_bits) {
  const double again = std::ldexp(1.0, -remainder_bits);
  const double mean = c * again;
  // A compound Poisson distribution with geometric jumps, by its recurrence:
  // k P(k) = mean (1 - again) sum_j j again^(j-1) P(k - j).
  SelectorProbabilities probabilities{};
  probabilities[0] = std::exp(-mean);
  double rest = 1 - probabilities[0];
  for (int k = 1; k < kNumSelectors; ++k) {
    double sum = 0;
    for (int j = 1; j <= k; ++j) {
      sum += j * std::pow(again, j - 1) *
             probabilities[static_cast<size_t>(k - j)];
    }
    const double p = mean * (1 - again) * sum / k;
    probabilities[static_cast<size_t>(k)] = p;
    if (k + 1 < kNumSelectors) rest -= p;
  }
  probabilities[kMaxSelector] = std::max(probabilities[kMaxSelector], rest);
  return probabilities;
}

double Corollary3Bound(int k, double c, int remainder_bits) {
  assert(k >= 1);
  double sum = 0;
  double term = 1;
  for (int i = 1; i <= k; ++i) {
    term *= c / i;
    sum += term;
  }
  return std::ldexp(sum, -remainder_bits * k);
}

double CrossEntropy(const SelectorProbabilities& truth,
                    const SelectorProbabilities& model) {
  double bits = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    bits += truth[i] * NegativeLog(model[i]);
  }
  return bits;
}

double Entropy(const SelectorProbabilities& truth) {
  return CrossEntropy(truth, truth);
}

namespace {

// The least x with which the code of 64 zeros, 64 * -log2(1 - 2^-x) bits, leaves
// room in a word.
int LeastX(int code_bits) {
  int x = 1;
  while (-kGroupSlots * std::log2(1 - std::ldexp(1.0, -x)) >= code_bits) ++x;
  return x;
}

}  // namespace

Xy ChooseXy(int remainder_bits, double c, int code_bits, Xy given) {
  const SelectorProbabilities truth = ExpectedSelectors(c, remainder_bits);
  const int first_x = given.x != 0 ? given.x : LeastX(code_bits);
  const int last_x = given.x != 0 ? given.x : kMaxX;
  const int first_y = given.y != 0 ? given.y : 1;
  const int last_y = given.y != 0 ? given.y : kMaxY;
  Xy best = {first_x, first_y};
  double least = CrossEntropy(truth, XyProbabilities(first_x, first_y));
  for (int x = first_x; x <= last_x; ++x) {
    for (int y = first_y; y <= last_y; ++y) {
      const double bits = CrossEntropy(truth, XyProbabilities(x, y));
      if (bits < least) {
        least = bits;
        best = {x, y};
      }
    }
  }
  return best;
}

double FullCodeQueries(int remainder_bits, int code_bits) {
  const double bits_per_selector = static_cast<double>(code_bits) / kGroupSlots;
  double low = 0;
  double high = std::ldexp(1.0, remainder_bits + 1);  // mean 2: 2.4 bits
  for (int i = 0; i < 60; ++i) {
    const double c = (low + high) / 2;
    const bool fits =
        Entropy(ExpectedSelectors(c, remainder_bits)) < bits_per_selector;
    (fits ? low : high) = c;
  }
  return low;
}

}  // namespace tamis::internal
