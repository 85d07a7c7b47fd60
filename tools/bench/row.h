// BenchRow: one line of the report of `tamis bench`.

#ifndef TAMIS_TOOLS_BENCH_ROW_H_
#define TAMIS_TOOLS_BENCH_ROW_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tools/bench/options.h"

namespace tamis::tools {

// What was not measured is absent: "-" in tables, null in JSON.
struct BenchRow {
  std::string filter;  // the spec as given
  Workload workload;
  uint64_t slots;
  double load;
  std::optional<double> ns_per_op;     // median over the repetitions
  std::optional<double> spread;        // (max - min) / median
  std::optional<double> fpr;           // measured, on absent keys
  std::optional<double> expected_fpr;  // by the filter's formula
  std::optional<double> bits_per_key;
  std::optional<double> limit_ns;  // median, see memory_limit.h

  std::optional<double> TimesLimit() const {
    if (!ns_per_op || !limit_ns || *limit_ns == 0) return std::nullopt;
    return *ns_per_op / *limit_ns;
  }
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_ROW_H_
