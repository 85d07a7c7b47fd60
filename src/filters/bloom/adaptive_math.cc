// Equations (4) to (10) of the ABF paper, for any number of sets.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "filters/bloom/bloom_math.h"

namespace tamis {
namespace {

// Rarer numbers of keys are left out: they change no rate by a part in 10^5.
constexpr double kNegligibleChance = 1e-10;
constexpr int kIntegrationSteps = 128;  // Simpson's rule; must be even

// Returns g(u), the sum over z > 0 of P(Z = z) exp(-u / z).
double MeanDecay(const Pmf& positives, double u) {
  double sum = 0;
  for (size_t i = 0; i < positives.chances.size(); ++i) {
    const double z = static_cast<double>(positives.first + i);
    if (z == 0 || positives.chances[i] < kNegligibleChance) continue;
    sum += positives.chances[i] * std::exp(-u / z);
  }
  return sum;
}

// Returns the mean of 1 / (1/Z_1 + ... + 1/Z_S), counting 0 where some Z is
// 0: the integral of g(u)^S.  With u = c v^2 / (1 - v) the half line becomes
// [0, 1), and c, the mean over S, puts the bulk in its middle.
double MeanHarmonic(const Pmf& positives, double mean, int sets) {
  const double scale = std::max(mean, 1.0) / sets;
  const double step = 1.0 / kIntegrationSteps;
  double sum = 0;  // both ends of the integrand are 0
  for (int i = 1; i < kIntegrationSteps; ++i) {
    const double v = i * step;
    const double u = scale * v * v / (1 - v);
    const double slope = scale * v * (2 - v) / ((1 - v) * (1 - v));
    const double weight = i % 2 == 1 ? 4 : 2;
    sum += weight * slope * std::pow(MeanDecay(positives, u), sets);
  }
  return sum * step / 3;
}

}  // namespace

double AdaptiveWordFpr(double word_fpr, uint64_t negatives, double repeats,
                       int sets, double decimation) {
  assert(sets >= 1 && repeats >= 1 && decimation >= 1);
  if (negatives == 0 || word_fpr <= 0) return 0;
  const double a = static_cast<double>(negatives);
  const Pmf positives = BinomialPmf(negatives, word_fpr);
  const double none = positives.first == 0 ? positives.chances[0] : 0;

  // (4): `steps` sets with positives, then one without.
  double rate = 0;
  double passed = none;  // the chance of passing `steps` sets, then stopping
  for (int steps = 1; steps < sets; ++steps) {
    passed *= 1 - none;
    rate += passed * decimation * steps / (a * repeats);
  }
  // (5)-(7): no set without positives.
  return rate + sets / a * MeanHarmonic(positives, a * word_fpr, sets);
}

double AdaptiveFpr(const AdaptiveModel& model) {
  assert(model.words > 0 && model.word_bits > 0 && model.negatives > 0);
  const double share = 1 / static_cast<double>(model.words);
  const Pmf keys = BinomialPmf(model.keys, share);
  const Pmf negatives = BinomialPmf(model.negatives, share);
  const std::vector<double> word_fprs =
      WordFprs(model.word_bits, model.k, static_cast<int>(keys.limit() - 1));
  const double mean_negatives = static_cast<double>(model.negatives) * share;

  double rate = 0;
  for (size_t i = 0; i < keys.chances.size(); ++i) {
    for (size_t j = 0; j < negatives.chances.size(); ++j) {
      const double chance = keys.chances[i] * negatives.chances[j];
      if (chance < kNegligibleChance) continue;
      const uint64_t a = negatives.first + j;
      rate += chance * (static_cast<double>(a) / mean_negatives) *
              AdaptiveWordFpr(word_fprs[keys.first + i], a, model.repeats,
                              model.sets, model.decimation);
    }
  }
  return rate;
}

}  // namespace tamis
