#include "tools/common/statistics.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

namespace tamis::tools {

double Median(std::span<const double> values) {
  assert(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

double Spread(std::span<const double> values) {
  const double median = Median(values);
  if (median == 0) return 0;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return (*max - *min) / median;
}

double Mean(std::span<const double> values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

}  // namespace tamis::tools
