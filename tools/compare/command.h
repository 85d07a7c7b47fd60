// `tamis compare`: which filter, with how many bits, for these keys and these
// queries.

#ifndef TAMIS_TOOLS_COMPARE_COMMAND_H_
#define TAMIS_TOOLS_COMPARE_COMMAND_H_

#include <string>

#include "tools/common/subcommand.h"
#include "tools/compare/compare.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

Runner AddCompare(CLI::App& parent, Console console);

// How a comparison is told.
struct CompareOutput {
  enum class Format { kTable, kJson, kCsv };
  Format format = Format::kTable;
  std::string title;        // of the report
  std::string description;  // of the keys and queries, one line
  std::string out_dir;      // where the report goes; empty: there is none
  std::string command;      // that makes it again
};

// Compares, prints, writes the report and says where it is.
Status CompareAndReport(const QueryStream& stream,
                        const CompareOptions& options,
                        const CompareOutput& output, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMMAND_H_
