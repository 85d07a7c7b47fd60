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
    if (run.windows.size() < kFifths) continue;
    const StreamWindow stretch = run.Stretch(fifth, kFifths);
    Add(stretch.fpr(), stretch.false_positives, &sample);
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
