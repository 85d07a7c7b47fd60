// What `tamis compare` and `tamis demo` share: compare, then tell.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_AND_REPORT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_AND_REPORT_H_

#include <functional>
#include <string>

#include "tamis/result.h"
#include "tools/common/progress.h"
#include "tools/common/subcommand.h"
#include "tools/compare/compare.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

// How a comparison is told.
struct CompareOutput {
  enum class Format { kTable, kJson, kCsv };
  Format format = Format::kTable;
  std::string title;        // the question, in words
  std::string description;  // of the keys and queries, one line
  std::string out_dir;      // where the report goes; empty: there is none
  std::string bits_per_key = "12.6";  // a size, or several; see sweep.h
  bool all_rows = false;              // not only the best of each family
};

// Returns the question that a report on these keys and queries answers.
std::string CompareTitle(const std::string& input);

// Reads or makes the set and the queries.
using StreamSource = std::function<Result<QueryStream>(Progress&)>;

// Reads, compares, prints, writes the report and says where it is.  Ctrl-C
// while it reads ends the process with status 130.
Status CompareAndReport(const StreamSource& source,
                        const CompareOptions& options,
                        const CompareOutput& output, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_AND_REPORT_H_
