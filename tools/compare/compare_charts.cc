#include "tools/compare/compare_charts.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "tools/common/readable.h"
#include "tools/compare/compare_notes.h"
#include "tools/compare/compare_tables.h"
#include "tools/compare/family.h"
#include "tools/report/equal_series.h"

namespace tamis::tools {
namespace {

constexpr size_t kChartPoints = 25;  // stretches of the stream
constexpr size_t kChartFilters = 4;  // lines, labelled directly
constexpr double kLongestBar = 25;   // times the winner's

ChartSeries SeriesOf(const ComparedFilter& filter, size_t windows) {
  ChartSeries series{filter.spec.ToString(), {}};
  const size_t points = std::min(kChartPoints, windows);
  for (size_t i = 0; i < points; ++i) {
    const StreamWindow stretch = StretchOf(filter, i, points);
    series.points.push_back(
        {.x = static_cast<double>(stretch.end), .y = 100 * stretch.fpr()});
  }
  return series;
}

double MistakesOf(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::first_time) +
         filter.Mean(&StreamRun::repeated);
}

}  // namespace

Chart StreamChart(const Comparison& comparison, const std::string& winner) {
  Chart chart{.title = "False positive rate along the stream",
              .x_label = "queries so far",
              .y_label = "FPR in %",
              .log_x = false,
              .log_y = true,
              .series = {},
              .labelled = true};
  std::vector<double> mistakes;  // of each line
  const auto add = [&](const ComparedFilter& one) {
    const size_t line =
        AddOrMerge(SeriesOf(one, NumWindows(comparison)), chart.series);
    mistakes.resize(chart.series.size());
    mistakes[line] = std::max(mistakes[line], MistakesOf(one));
    return line;
  };
  size_t also = 0;  // the line of the best that never learns
  bool learners_only = true;
  for (const ComparedFilter& one : comparison.filters) {
    if (one.spec.ToString() != winner) continue;
    add(one);
    learners_only = one.learns;
  }
  for (const Family& family : FamiliesOf(comparison)) {
    const ComparedFilter& one = family.best();
    if (one.spec.ToString() == winner) continue;
    const size_t line = add(one);
    if (learners_only && !one.learns) also = line;
    learners_only &= one.learns;
  }
  const size_t lines = std::min(kChartFilters, chart.series.size());
  if (also >= lines) {
    std::swap(chart.series[lines - 1], chart.series[also]);
    std::swap(mistakes[lines - 1], mistakes[also]);
  }
  const bool enough =
      std::ranges::any_of(std::span(mistakes).first(lines),
                          [](double count) { return count >= kFewMistakes; });
  chart.series.resize(enough ? lines : 0);
  return chart;
}

BarChart FamilyBars(const Comparison& comparison, const std::string& winner) {
  BarChart chart{.title = "Wasted reads, the best filter of each family",
                 .first = "of a key for the first time",
                 .second = "repeated",
                 .bars = {}};
  for (const Family& family : FamiliesOf(comparison)) {
    const auto chosen = std::ranges::find_if(
        family.filters,
        [&](const auto* one) { return one->spec.ToString() == winner; });
    const ComparedFilter& one =
        chosen == family.filters.end() ? family.best() : **chosen;
    const double negatives = static_cast<double>(comparison.negatives);
    chart.bars.push_back({.name = one.spec.ToString(),
                          .group = family.name,
                          .first = one.Mean(&StreamRun::first_time),
                          .second = one.Mean(&StreamRun::repeated),
                          .low = one.LowestFpr() * negatives,
                          .high = one.HighestFpr() * negatives,
                          .label = ReadableCount(one.MeanFpr() * negatives),
                          .marked = one.spec.ToString() == winner});
  }
  std::ranges::stable_sort(
      chart.bars, {}, [](const Bar& bar) { return bar.first + bar.second; });
  chart.most = kLongestBar;
  return chart;
}

}  // namespace tamis::tools
