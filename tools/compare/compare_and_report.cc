// What `tamis compare` and `tamis demo` share: compare, then tell.

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/interrupt.h"
#include "tools/common/text_table.h"
#include "tools/compare/command.h"
#include "tools/compare/compare_report.h"
#include "tools/report/text_report.h"
#include "tools/report/write_report.h"

namespace tamis::tools {
namespace {

using Format = CompareOutput::Format;

// Breaks a sentence into lines of at most 80 characters.
void PrintWrapped(const std::string& sentence, std::ostream& out) {
  constexpr size_t kWidth = 78;
  std::string_view rest = sentence;
  const char* indent = "- ";
  while (rest.size() > kWidth) {
    size_t end = rest.rfind(' ', kWidth);
    if (end == std::string_view::npos) end = kWidth;
    out << indent << rest.substr(0, end) << '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
    indent = "  ";
  }
  out << indent << rest << '\n';
}

void Print(const Comparison& comparison, std::span<const Section> sections,
           const Recommendation& recommendation, Format format,
           std::ostream& out) {
  if (format == Format::kJson) {
    out << AsJson(comparison, recommendation).dump(2) << '\n';
    return;
  }
  if (format == Format::kCsv) {
    const ResultTable table = FilterTable(comparison);
    TextTable{table.columns, table.rows}.PrintCsv(out);
    return;
  }
  for (const Section& one : sections) PrintSection(one, out);
  out << "Recommendation\n";
  for (const std::string& one : recommendation.words) PrintWrapped(one, out);
}

std::string Joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& one : sentences) {
    text += (text.empty() ? "" : " ") + one;
  }
  return text;
}

}  // namespace

Status CompareAndReport(const QueryStream& stream,
                        const CompareOptions& options,
                        const CompareOutput& output, Console console) {
  if (!output.out_dir.empty()) {
    TAMIS_RETURN_IF_ERROR(PrepareReportFolder(output.out_dir));
  }
  Progress progress(console.err, "compare");
  const InterruptScope interrupts;
  TAMIS_ASSIGN_OR_RETURN(const Comparison comparison,
                         Compare(stream, options, progress));
  const Recommendation recommendation = Recommend(comparison);
  const std::vector<Section> sections =
      SectionsOf(comparison, output.description);
  Print(comparison, sections, recommendation, output.format, console.out);
  if (InterruptRequested()) {
    console.err << fmt::format(
        "tamis: interrupted: {} of {} filters have been run\n",
        comparison.filters.size(), options.filters.size());
  }
  if (output.out_dir.empty()) return {};
  TAMIS_RETURN_IF_ERROR(WriteReport({.title = output.title,
                                     .summary = Joined(recommendation.words),
                                     .command = output.command},
                                    sections, output.out_dir));
  console.err << "tamis: report: " << output.out_dir << "/index.html\n";
  return {};
}

}  // namespace tamis::tools
