#include "tools/compare/noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tamis::tools {
namespace {

constexpr size_t kFifths = 5;

void Add(double rate, uint64_t mistakes, RateSample* sample) {
  const auto before = static_cast<double>(sample->seeds++);
  sample->mean += (rate - sample->mean) / (before + 1);
  sample->lowest = std::min(sample->lowest, rate);
  sample->highest = std::max(sample->highest, rate);
  sample->mistakes += static_cast<double>(mistakes);
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
    const size_t windows = run.windows.size();
    if (windows < kFifths) continue;
    StreamWindow sum;
    for (size_t w = windows * fifth / kFifths;
         w < windows * (fifth + 1) / kFifths; ++w) {
      sum.Append(run.windows[w]);
    }
    Add(sum.fpr(), sum.false_positives, &sample);
  }
  return sample;
}

bool IsAsGood(const RateSample& one, const RateSample& best) {
  if (one.mean <= best.highest) return true;
  if (one.lowest <= best.mean) return true;
  if (one.seeds != best.seeds) return false;  // the counts say nothing
  const double more = one.mistakes - best.mistakes;
  return more <= 2 * std::sqrt(one.mistakes + best.mistakes);
}

}  // namespace tamis::tools
