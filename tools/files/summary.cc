#include "tools/files/summary.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "tamis/serialize.h"
#include "tools/common/interrupt.h"
#include "tools/common/parse.h"

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
                          KeyForm keys, Console console) {
  if (path == "-") {
    TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                           Serialize(filter, {.keys = keys}));
    console.out.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<std::streamsize>(bytes.size()));
    return {};
  }
  const TemporariesGo on_signals;
  return Save(filter, path, {.keys = keys});
}

std::string NameOfOutput(const std::string& output) {
  return output == "-" ? "standard output" : output;
}

Status ExpectOneOutput(const std::string& output, bool json) {
  if (output != "-" || !json) return {};
  return UsageError("-o - and --json both print to standard output");
}

}  // namespace tamis::tools
