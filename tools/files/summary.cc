#include "tools/files/summary.h"

#include <fmt/format.h>

#include "tamis/serialize.h"
#include "tools/common/interrupt.h"

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

nlohmann::ordered_json SummaryAsJson(const std::string& file,
                                     const AnyFilter& filter) {
  const FilterStats stats = filter.stats();
  return {{"file", file},
          {"filter", filter.spec().ToString()},
          {"keys", stats.size},
          {"capacity", stats.capacity},
          {"bits_per_key", stats.BitsPerKey()},
          {"side_bits_per_key", stats.SideBitsPerKey()},
          {"expected_fpr", stats.expected_fpr}};
}

Status SaveOrLeaveNothing(const AnyFilter& filter, const std::string& path,
                          KeyForm keys) {
  const TemporariesGo on_signals;
  return Save(filter, path, {.keys = keys});
}

}  // namespace tamis::tools
