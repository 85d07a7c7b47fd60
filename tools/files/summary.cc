#include "tools/files/summary.h"

#include <fmt/format.h>

namespace tamis::tools {

double SideBitsPerKey(const FilterStats& stats) {
  if (stats.size == 0) return 0;
  return static_cast<double>(stats.side_bits) / static_cast<double>(stats.size);
}

std::string Summary(const AnyFilter& filter) {
  const FilterStats stats = filter.stats();
  std::string beside;
  if (stats.side_bits > 0) {
    beside =
        fmt::format(" and {:.2f} beside the filter", SideBitsPerKey(stats));
  }
  return fmt::format("{}, {} keys, {:.2f} bits per key{}, expected FPR {:.3g}",
                     filter.spec().ToString(), stats.size, stats.BitsPerKey(),
                     beside, stats.expected_fpr);
}

}  // namespace tamis::tools
