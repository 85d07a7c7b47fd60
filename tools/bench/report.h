// The report of `tamis bench`: machine and rows, in three formats.

#ifndef TAMIS_TOOLS_BENCH_REPORT_H_
#define TAMIS_TOOLS_BENCH_REPORT_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tools/bench/row.h"
#include "tools/common/machine.h"

namespace tamis::tools {

struct BenchReport {
  MachineFacts machine;
  std::vector<BenchRow> rows;
  std::vector<std::string> notes;  // how it was measured, what failed
};

// Aligned columns below '#' lines that describe the machine.
void PrintTable(const BenchReport& report, std::ostream& out);

// The rows alone, with a line of column names.
void PrintCsv(const BenchReport& report, std::ostream& out);

// {"machine": {...}, "rows": [{"filter", "workload", "slots", "load",
//  "ns_per_op", "spread", "fpr", "expected_fpr", "bits_per_key", "limit_ns",
//  "x_limit"}], "notes": [...]}
nlohmann::ordered_json AsJson(const BenchReport& report);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_REPORT_H_
