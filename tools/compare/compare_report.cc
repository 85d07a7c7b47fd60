#include "tools/compare/compare_report.h"

#include <utility>

#include "tools/compare/compare_charts.h"
#include "tools/compare/compare_notes.h"
#include "tools/compare/compare_tables.h"

namespace tamis::tools {
namespace {

constexpr size_t kStretches = 10;  // of the stream, in the table

}  // namespace

std::vector<Section> SectionsOf(const Comparison& comparison,
                                const Recommendation& recommendation,
                                const std::vector<SweepPoint>& sweep,
                                const std::string& source) {
  Section rates{"compare-stream", source, "Wasted reads", {}};
  rates.findings.notes = NotesOnInput(comparison);
  if (!comparison.filters.empty()) {
    rates.findings.bars.push_back(
        FamilyBars(comparison, recommendation.filter));
    Chart stream = StreamChart(comparison, recommendation.filter);
    if (!stream.series.empty()) {
      rates.findings.charts.push_back(std::move(stream));
    }
  }
  std::vector<Section> sections = {std::move(rates)};
  if (sweep.size() > 1) {
    Section sizes{"compare-sizes", source, "How many bits to take", {}};
    sizes.findings.tables.push_back(SweepTable(sweep));
    sizes.findings.charts.push_back(ParetoChart(sweep));
    sections.push_back(std::move(sizes));
  }
  Section filters{"compare", source, "All filters", {}};
  filters.findings.tables.push_back(
      WithoutZeros(Marked(FilterTable(comparison), recommendation.filter)));
  if (!comparison.unfit.empty()) {
    filters.findings.tables.push_back(UnfitTable(comparison));
  }
  if (!comparison.filters.empty()) {
    filters.findings.tables.push_back(StreamTable(comparison, kStretches));
  }
  filters.findings.notes = NotesOnMeasuring(comparison);
  sections.push_back(std::move(filters));
  return sections;
}

}  // namespace tamis::tools
