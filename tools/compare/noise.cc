#include "tools/compare/noise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "tools/common/statistics.h"

namespace tamis::tools {
namespace {

constexpr size_t kFifths = 5;

void Add(double rate, uint64_t mistakes, RateSample* sample) {
  sample->rates.push_back(rate);
  sample->mistakes += static_cast<double>(mistakes);
}

// Returns the quantile of Student's t that its absolute value stays below with
// probability 0.95.  REQUIRES: freedom >= 1
double Student95(size_t freedom) {
  constexpr auto kQuantiles =
      std::to_array({12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26});
  return freedom <= kQuantiles.size() ? kQuantiles[freedom - 1] : 2.2;
}

bool RangesOverlap(const std::vector<double>& one,
                   const std::vector<double>& best) {
  return !one.empty() && !best.empty() &&
         *std::ranges::min_element(one) <= *std::ranges::max_element(best);
}

// Is the mean of one - best, seed by seed, 0 within its error?
bool DifferByChance(const std::vector<double>& one,
                    const std::vector<double>& best) {
  const size_t seeds = std::min(one.size(), best.size());
  if (seeds < 2) return false;
  const auto n = static_cast<double>(seeds);
  double sum = 0;
  double squares = 0;
  for (size_t i = 0; i < seeds; ++i) {
    const double difference = one[i] - best[i];
    sum += difference;
    squares += difference * difference;
  }
  const double variance = std::max(0.0, squares - sum * sum / n) / (n - 1);
  return sum / n <= Student95(seeds - 1) * std::sqrt(variance / n);
}

}  // namespace

RateSample WholeStream(const ComparedFilter& filter) {
  RateSample sample;
  for (const StreamRun& run : filter.runs) {
    Add(run.fpr(), run.false_positives(), &sample);
  }
  return sample;
}

RateSample FifthOfStream(const ComparedFilter& filter, size_t fifth) {
  assert(fifth < kFifths);
  RateSample sample;
  for (const StreamRun& run : filter.runs) {
    if (run.windows.size() < kFifths) continue;
    const StreamWindow stretch = run.Stretch(fifth, kFifths);
    Add(stretch.fpr(), stretch.false_positives, &sample);
  }
  return sample;
}

double RateSample::mean() const { return rates.empty() ? 0 : Mean(rates); }

bool IsAsGood(const RateSample& one, const RateSample& best) {
  constexpr double kMostOfTheSame = 1.5;
  const double more = one.mistakes - best.mistakes;
  const bool same_counts = one.rates.size() == best.rates.size() &&
                           more <= 2 * std::sqrt(one.mistakes + best.mistakes);
  return same_counts || (one.mean() <= kMostOfTheSame * best.mean() &&
                         RangesOverlap(one.rates, best.rates) &&
                         DifferByChance(one.rates, best.rates));
}

}  // namespace tamis::tools
