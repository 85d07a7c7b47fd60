#include "tools/compare/compare_and_report.h"

#include <fmt/format.h>

#include <string>

#include "tools/common/interrupt.h"
#include "tools/common/text_table.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/compare_text.h"
#include "tools/report/write_report.h"

namespace tamis::tools {
namespace {

using Format = CompareOutput::Format;

void Print(const Comparison& comparison, const Recommendation& recommendation,
           const CompareOutput& output, std::ostream& out) {
  if (output.format == Format::kJson) {
    out << AsJson(comparison, recommendation).dump(2) << '\n';
  } else if (output.format == Format::kCsv) {
    const ResultTable table = WholeTable(comparison);
    TextTable{table.columns, table.rows}.PrintCsv(out);
  } else {
    PrintComparison(comparison, recommendation, output.description, out);
  }
}

// There is nothing to keep yet.
Result<QueryStream> Read(const StreamSource& source, Progress& progress) {
  const InterruptEnds interrupts;
  Result<QueryStream> stream = source(progress);
  progress.Clear();
  return stream;
}

}  // namespace

Status CompareAndReport(const StreamSource& source,
                        const CompareOptions& options,
                        const CompareOutput& output, Console console) {
  if (!output.out_dir.empty()) {
    TAMIS_RETURN_IF_ERROR(PrepareReportFolder(output.out_dir));
  }
  Progress progress(console.err, "compare");
  TAMIS_ASSIGN_OR_RETURN(const QueryStream stream, Read(source, progress));
  const InterruptScope interrupts;
  TAMIS_ASSIGN_OR_RETURN(const Comparison comparison,
                         Compare(stream, options, progress));
  if (comparison.interrupted) {
    console.err << fmt::format(
        "tamis: interrupted: {} of {} filters have been run\n",
        comparison.filters.size(),
        comparison.filters.size() + comparison.not_run);
    if (comparison.filters.empty()) return {};
  }
  const Recommendation recommendation = Recommend(comparison);
  Print(comparison, recommendation, output, console.out);
  if (output.out_dir.empty()) return {};
  TAMIS_RETURN_IF_ERROR(
      WriteReport({.title = output.title,
                   .summary = recommendation.words.front(),
                   .command = std::string(console.command),
                   .points = {recommendation.words.begin() + 1,
                              recommendation.words.end()}},
                  SectionsOf(comparison, output.description), output.out_dir));
  console.err << "tamis: report: " << output.out_dir << "/index.html\n";
  return {};
}

}  // namespace tamis::tools
