#include "tools/compare/timing.h"

#include <algorithm>
#include <cassert>

#include "tools/bench/batches.h"
#include "tools/common/cpu_time.h"
#include "tools/common/interrupt.h"
#include "tools/common/statistics.h"

namespace tamis::tools {
namespace {

constexpr size_t kSampleSize = size_t{1} << 19;
constexpr int kTimedRounds = 5;

}  // namespace

std::vector<KeyHash> TimingSample(const HashedStream& hashed) {
  const auto& queries = hashed.stream->queries;
  const size_t count = std::min(queries.size(), kSampleSize);
  std::vector<KeyHash> sample;
  sample.reserve(count);
  for (size_t i = queries.size() - count; i < queries.size(); ++i) {
    sample.push_back(hashed.hashes[queries[i]]);
  }
  return sample;
}

std::vector<LookupTimes> TimeLookups(
    const std::vector<const AnyFilter*>& filters,
    std::span<const KeyHash> sample, Progress& progress) {
  assert(!sample.empty());
  const auto count = filters.size();
  std::vector<std::vector<double>> one_by_one(count);
  std::vector<std::vector<double>> batched(count);
  for (int round = 0; round < kTimedRounds; ++round) {
    for (size_t i = 0; i < count; ++i) {
      if (InterruptRequested()) return {};
      progress.Report(
          "times look-ups",
          (round + static_cast<double>(i) / static_cast<double>(count)) /
              kTimedRounds);
      const AnyFilter& filter = *filters[i];
      one_by_one[i].push_back(NanosecondsPer(
          sample.size(), [&] { KeepValue(filter.CountEach(sample)); }));
      batched[i].push_back(
          NanosecondsPer(sample.size(), [&] { AskInBatches(filter, sample); }));
    }
  }
  std::vector<LookupTimes> times(count);
  for (size_t i = 0; i < count; ++i) {
    times[i] = {Median(one_by_one[i]), Median(batched[i])};
  }
  return times;
}

}  // namespace tamis::tools
