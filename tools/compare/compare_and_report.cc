#include "tools/compare/compare_and_report.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "tools/common/interrupt.h"
#include "tools/common/readable.h"
#include "tools/common/text_table.h"
#include "tools/compare/compare_json.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/compare_tables.h"
#include "tools/compare/compare_text.h"
#include "tools/compare/sweep.h"
#include "tools/report/write_report.h"

namespace tamis::tools {
namespace {

using Format = CompareOutput::Format;

// All that was measured and advised.
struct Told {
  Comparison comparison;  // at the size to take
  Recommendation recommendation;
  std::vector<SweepPoint> sweep;  // of several sizes; else empty
  size_t chosen = 0;              // of these
};

void Print(const Told& told, const CompareOutput& output, Console console) {
  std::ostream& out = console.out;
  if (output.format == Format::kJson) {
    auto json = AsJson(told.comparison, told.recommendation);
    for (const SweepPoint& point : told.sweep) {
      json["sizes"].push_back(AsJson(point.comparison, point.recommendation));
    }
    out << json.dump(2) << '\n';
  } else if (output.format == Format::kCsv) {
    const ResultTable table = WholeTable(told.comparison);
    TextTable{table.columns, table.rows}.PrintCsv(out);
  } else {
    const TextStyle style{.columns = console.columns,
                          .colour = console.colour,
                          .all_rows = output.all_rows};
    if (!told.sweep.empty()) PrintSweep(told.sweep, told.chosen, style, out);
    PrintComparison(told.comparison, told.recommendation, output.description,
                    style, out);
  }
}

// There is nothing to keep yet.
Result<QueryStream> Read(const StreamSource& source, Progress& progress) {
  const InterruptEnds interrupts;
  Result<QueryStream> stream = source(progress);
  progress.Clear();
  return stream;
}

// Compares at each size, untimed, then at the one to take.
Result<Told> Measure(const QueryStream& stream, CompareOptions options,
                     const std::vector<double>& sizes, Progress& progress) {
  Told told;
  const bool timings = options.timings;
  if (sizes.size() > 1) {
    options.timings = false;
    for (const double bits : sizes) {
      if (InterruptRequested() && !told.sweep.empty()) break;
      options.bits_per_key = bits;
      TAMIS_ASSIGN_OR_RETURN(Comparison one,
                             Compare(stream, options, progress));
      Recommendation made = Recommend(one);
      told.sweep.push_back({bits, std::move(made), std::move(one)});
    }
    told.chosen = ChooseSize(told.sweep);
    if (!timings) {  // it is all there
      told.comparison = told.sweep[told.chosen].comparison;
      told.recommendation = told.sweep[told.chosen].recommendation;
      return told;
    }
    options.bits_per_key = sizes[told.chosen];
    options.timings = timings;
  } else if (!sizes.empty()) {
    options.bits_per_key = sizes.front();
  }
  TAMIS_ASSIGN_OR_RETURN(told.comparison, Compare(stream, options, progress));
  told.recommendation = Recommend(told.comparison);
  return told;
}

std::vector<Tile> TilesOf(const Told& told) {
  const Recommendation& made = told.recommendation;
  for (const ComparedFilter& one : told.comparison.filters) {
    if (one.spec.ToString() != made.filter) continue;
    std::vector<Tile> tiles = {
        {ReadableCount(made.saved.wasted), "wasted reads"},
        {fmt::format("{:.3g} %", 100 * one.MeanFpr()), "of absent keys pass"},
        {fmt::format("{:.1f}", one.TotalBitsPerKey()),
         "bits a key of RAM in all"}};
    if (one.times) {
      tiles.push_back({fmt::format("{:.0f} ns", one.times->one_by_one_ns),
                       "a look-up, one by one"});
    }
    return tiles;
  }
  return {};
}

ReportHead HeadOf(const Told& told, const CompareOutput& output,
                  Console console) {
  const Recommendation& made = told.recommendation;
  ReportHead head{.title = made.Headline(),
                  .summary = made.lead,
                  .command = std::string(console.command),
                  .points = {made.words.begin() + 1, made.words.end()}};
  head.kicker = output.title;
  head.tiles = TilesOf(told);
  head.build = made.build;
  head.conditions = {.title = "When something else is right",
                     .columns = {"if", "take", "because"},
                     .rows = {}};
  for (const Condition& one : made.conditions) {
    head.conditions.rows.push_back(
        {one.when, one.filter.empty() ? "none of these" : one.filter, one.why});
  }
  if (!told.sweep.empty()) {
    head.points.insert(head.points.begin(),
                       AboutSizes(told.sweep, told.chosen));
  }
  return head;
}

}  // namespace

std::string CompareTitle(const std::string& input) {
  return fmt::format("Which filter for {}?", input);
}

Status CompareAndReport(const StreamSource& source,
                        const CompareOptions& options,
                        const CompareOutput& output, Console console) {
  if (!output.out_dir.empty()) {
    TAMIS_RETURN_IF_ERROR(PrepareReportFolder(output.out_dir));
  }
  TAMIS_ASSIGN_OR_RETURN(const std::vector<double> sizes,
                         ParseBits(output.bits_per_key));
  Progress progress(console.err, "compare");
  TAMIS_ASSIGN_OR_RETURN(const QueryStream stream, Read(source, progress));
  const InterruptScope interrupts;
  TAMIS_ASSIGN_OR_RETURN(const Told told,
                         Measure(stream, options, sizes, progress));
  const Comparison& comparison = told.comparison;
  if (comparison.interrupted) {
    console.err << fmt::format(
        "tamis: interrupted: {} of {} filters have been run\n",
        comparison.filters.size(),
        comparison.filters.size() + comparison.not_run);
    if (comparison.filters.empty()) return {};
  }
  Print(told, output, console);
  if (output.out_dir.empty()) return {};
  TAMIS_RETURN_IF_ERROR(WriteReport(HeadOf(told, output, console),
                                    SectionsOf(comparison, told.recommendation,
                                               told.sweep, output.description),
                                    output.out_dir));
  console.err << "tamis: report: " << output.out_dir << "/index.html\n";
  if (!told.recommendation.filter.empty()) {
    console.err << "tamis: " << told.recommendation.Headline() << '\n';
  }
  return {};
}

}  // namespace tamis::tools
