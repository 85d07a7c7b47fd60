#include "tools/files/summary.h"

#include <fmt/format.h>

namespace tamis::tools {

std::string Summary(const AnyFilter& filter) {
  const FilterStats stats = filter.stats();
  std::string beside;
  if (stats.side_bits > 0) {
    beside =
        fmt::format(" and {:.2f} beside the filter", stats.SideBitsPerKey());
  }
  return fmt::format("{}, {} keys, {:.2f} bits per key{}, expected FPR {:.3g}",
                     filter.spec().ToString(), stats.size, stats.BitsPerKey(),
                     beside, stats.expected_fpr);
}

}  // namespace tamis::tools
