#include "tools/compare/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tools/common/counted.h"
#include "tools/compare/noise.h"
#include "tools/report/equal_series.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kStretches = 10;      // of the stream, in the table
constexpr size_t kChartPoints = 25;    // the same, in the chart
constexpr uint64_t kFewMistakes = 20;  // too few to compare rates by
constexpr size_t kChartFilters = 6;    // the best ones

std::string Rate(double share) {
  const double percent = 100 * share;
  const bool tiny = percent > 0 && percent < 0.001;
  return tiny ? fmt::format("{:.1e}", percent) : fmt::format("{:.4f}", percent);
}

std::string Nanoseconds(const ComparedFilter& filter,
                        double LookupTimes::*member) {
  if (!filter.times) return "-";
  return fmt::format("{:.1f}", (*filter.times).*member);
}

std::string Count(double count) { return fmt::format("{:.0f}", count); }

double SlowPerQuery(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::slow_accesses) /
         static_cast<double>(filter.runs.front().queries);
}

std::vector<std::string> Row(const ComparedFilter& one) {
  return {one.spec.ToString(),
          fmt::format("{:.3f}", one.bits_per_key),
          Rate(one.MeanFpr()),
          Rate(one.LowestFpr()),
          Rate(one.HighestFpr()),
          Count(one.Mean(&StreamRun::first_time)),
          Count(one.Mean(&StreamRun::repeated)),
          Count(one.Mean(&StreamRun::adapts)),
          Count(one.Mean(&StreamRun::resets)),
          Count(one.Mean(&StreamRun::rebuilds)),
          Count(one.Mean(&StreamRun::not_fixed)),
          Nanoseconds(one, &LookupTimes::one_by_one_ns),
          Nanoseconds(one, &LookupTimes::batched_ns),
          fmt::format("{:.5f}", SlowPerQuery(one)),
          fmt::format("{:.1f}", one.slow_bits_per_key)};
}

ResultTable FilterTable(const Comparison& comparison) {
  ResultTable table{
      .title = "Rates, mistakes and costs",
      .columns = {"filter", "bits/key", "FPR %", "low", "high", "first-time",
                  "repeated", "adapts", "resets", "rebuilds", "not fixed", "ns",
                  "ns batched", "slow/query", "slow bits/key"},
      .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(Row(one));
  }
  return table;
}

ResultTable UnfitTable(const Comparison& comparison) {
  ResultTable table{.title = fmt::format("Does not fit {} bits a key",
                                         comparison.budget.bits_per_key),
                    .columns = {"filter", "least bits/key", "why"},
                    .rows = {}};
  for (const UnfitFilter& one : comparison.unfit) {
    table.rows.push_back({one.wanted.ToString(),
                          one.min_bits_per_key ? one.LeastBits() : "-",
                          one.reason});
  }
  return table;
}

// A stretch of the stream under all seeds together; see StreamRun::Stretch.
StreamWindow StretchOf(const ComparedFilter& filter, size_t number,
                       size_t count) {
  StreamWindow sum;
  for (const StreamRun& run : filter.runs) {
    sum.Append(run.Stretch(number, count));
  }
  return sum;
}

size_t NumWindows(const Comparison& comparison) {
  return comparison.filters.front().runs.front().windows.size();
}

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

// The best filters, and the best that never learns if it is not among them.
// Filters whose rates are the same all along have one line.
Chart StreamChart(const Comparison& comparison) {
  Chart chart{.title = "False positive rate of the best filters",
              .x_label = "queries so far",
              .y_label = "FPR in %",
              .log_x = false,
              .log_y = true,
              .series = {}};
  size_t also = 0;  // the line of the best that never learns
  bool learners_only = true;
  for (const ComparedFilter& one : comparison.filters) {
    const size_t line =
        AddOrMerge(SeriesOf(one, NumWindows(comparison)), chart.series);
    if (learners_only && !one.capabilities.adapt) also = line;
    learners_only &= one.capabilities.adapt;
  }
  size_t lines = std::min(kChartFilters, chart.series.size());
  if (also >= lines) std::swap(chart.series[lines++], chart.series[also]);
  chart.series.resize(lines);
  return chart;
}

constexpr const char* kBitsNote =
    "bits/key: all that a look-up needs, measured; at most 1 % above the "
    "budget";
constexpr const char* kSlowNote =
    "slow/query: a read of the key store for each positive answer, true or "
    "false, and one access for each adapt of a filter with memory beside it";
constexpr const char* kGrowingNote =
    "a growing filter is compared at the size it has with all keys; as it "
    "grows on, its rate rises";
constexpr const char* kCachedNote =
    "cached: 2, 5, 10 and 20 % of the memory for the cache were tried under "
    "the first seed; the best is shown";

// Says what an interrupt has left out.
std::string Interrupted(const Comparison& comparison) {
  const size_t run = comparison.filters.size();
  if (comparison.not_run > 0) {
    return fmt::format(
        "interrupted: {} of {} filters have been run, under the first seed",
        run, run + comparison.not_run);
  }
  if (comparison.seeds < comparison.wanted_seeds) {
    return fmt::format(
        "interrupted: filters have been run under {} of {} seeds",
        comparison.seeds, comparison.wanted_seeds);
  }
  return "interrupted: look-ups have not been timed";
}

// Says what makes these queries a poor measure, if something does.
std::vector<std::string> Warnings(const Comparison& comparison) {
  std::vector<std::string> warnings;
  if (comparison.interrupted) warnings.push_back(Interrupted(comparison));
  if (comparison.negatives == comparison.queries) {
    warnings.emplace_back(
        "no query is of a key in the set; if that is a surprise, keys and "
        "queries may be written differently");
  }
  if (comparison.filters.empty()) return warnings;
  const ComparedFilter& best = comparison.filters.front();
  const auto mistakes = static_cast<uint64_t>(WholeStream(best).mistakes);
  const size_t runs = best.runs.size();
  if (mistakes < kFewMistakes * runs) {
    warnings.push_back(fmt::format(
        "the stream is short for rates so low: {} makes {} in {}, and one is "
        "{:.2g} % of a run's queries of absent keys; only differences of many "
        "times that mean something",
        best.spec.ToString(),
        mistakes == 0 ? "no mistake" : Counted(mistakes, "mistake"),
        runs == 1 ? "it" : fmt::format("{} runs", runs),
        100 / static_cast<double>(comparison.negatives)));
  }
  return warnings;
}

// How it was measured.
std::vector<std::string> NotesOnMeasuring(const Comparison& comparison) {
  std::vector<std::string> notes = {fmt::format(
      "{}; the first seed is {}; low and high are the lowest and highest rates",
      NoteOnSeeds(comparison), comparison.first_seed)};
  notes.insert(notes.end(), {kBitsNote, kSlowNote, kGrowingNote, kCachedNote});
  return notes;
}

Json FilterAsJson(const ComparedFilter& one) {
  Json json = {{"filter", one.spec.ToString()},
               {"wanted", one.wanted.ToString()},
               {"bits_per_key", one.bits_per_key},
               {"slow_bits_per_key", one.slow_bits_per_key},
               {"fpr", one.MeanFpr()},
               {"fpr_low", one.LowestFpr()},
               {"fpr_high", one.HighestFpr()},
               {"first_time", one.Mean(&StreamRun::first_time)},
               {"repeated", one.Mean(&StreamRun::repeated)},
               {"adapts", one.Mean(&StreamRun::adapts)},
               {"resets", one.Mean(&StreamRun::resets)},
               {"rebuilds", one.Mean(&StreamRun::rebuilds)},
               {"not_fixed", one.Mean(&StreamRun::not_fixed)},
               {"slow_per_query", SlowPerQuery(one)}};
  if (one.times) {
    json["ns_one_by_one"] = one.times->one_by_one_ns;
    json["ns_batched"] = one.times->batched_ns;
  }
  Json along = Json::array();
  const size_t windows = one.runs.front().windows.size();
  for (size_t w = 0; w < windows; ++w) {
    along.push_back(StretchOf(one, w, windows).fpr());
  }
  json["fpr_along_the_stream"] = std::move(along);
  return json;
}

Json UnfitAsJson(const UnfitFilter& one) {
  Json json = {{"filter", one.wanted.ToString()},
               {"min_bits_per_key", nullptr},
               {"reason", one.reason}};
  if (one.min_bits_per_key) json["min_bits_per_key"] = *one.min_bits_per_key;
  return json;
}

}  // namespace

ResultTable WholeTable(const Comparison& comparison) {
  ResultTable table = FilterTable(comparison);
  const size_t width = table.columns.size();
  table.columns.emplace_back("does not fit");
  for (auto& row : table.rows) row.emplace_back();
  for (const UnfitFilter& one : comparison.unfit) {
    auto& row = table.rows.emplace_back(width + 1);
    row.front() = one.wanted.ToString();
    row.back() = WhyUnfit(one);
  }
  return table;
}

ResultTable ShortTable(const Comparison& comparison) {
  ResultTable table{.title = "",
                    .columns = {"filter", "bits", "FPR %", "+/-", "first",
                                "repeated", "adapts", "ns", "batched"},
                    .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(
        {one.spec.ToString(), fmt::format("{:.3f}", one.bits_per_key),
         Rate(one.MeanFpr()),
         one.runs.size() == 1 ? "-"
                              : Rate((one.HighestFpr() - one.LowestFpr()) / 2),
         Count(one.Mean(&StreamRun::first_time)),
         Count(one.Mean(&StreamRun::repeated)),
         Count(one.Mean(&StreamRun::adapts)),
         Nanoseconds(one, &LookupTimes::one_by_one_ns),
         Nanoseconds(one, &LookupTimes::batched_ns)});
  }
  return table;
}

std::string WhyUnfit(const UnfitFilter& filter) {
  if (!filter.min_bits_per_key) return filter.reason;
  return "needs " + filter.LeastBits() + " bits a key at least";
}

ResultTable StreamTable(const Comparison& comparison, size_t stretches) {
  stretches = std::min(stretches, NumWindows(comparison));
  ResultTable table{.title = "FPR in %, by the share of the stream",
                    .columns = {"filter"},
                    .rows = {}};
  for (size_t s = 1; s <= stretches; ++s) {
    table.columns.push_back(fmt::format("{} %", 100 * s / stretches));
  }
  for (const ComparedFilter& one : comparison.filters) {
    std::vector<std::string> row = {one.spec.ToString()};
    for (size_t s = 0; s < stretches; ++s) {
      row.push_back(Rate(StretchOf(one, s, stretches).fpr()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string NoteOnSeeds(const Comparison& comparison) {
  return comparison.seeds == 1
             ? "counted under one seed of the hashes"
             : fmt::format("means over {} seeds of the hashes",
                           comparison.seeds);
}

std::vector<std::string> NotesOnInput(const Comparison& comparison) {
  std::vector<std::string> notes = Warnings(comparison);
  notes.push_back(fmt::format(
      "{} in the set, {}, {} of them of absent keys; {} in all",
      Counted(comparison.budget.keys, "key"),
      Counted(comparison.queries, "query", "queries"), comparison.negatives,
      Counted(comparison.different_keys, "different key")));
  return notes;
}

std::vector<Section> SectionsOf(const Comparison& comparison,
                                const std::string& source) {
  Section filters{"compare", source, "Filters, the lowest rate first", {}};
  filters.findings.tables.push_back(FilterTable(comparison));
  if (!comparison.unfit.empty()) {
    filters.findings.tables.push_back(UnfitTable(comparison));
  }
  filters.findings.notes = NotesOnMeasuring(comparison);
  Section stream{"compare-stream", source, "Rates along the stream", {}};
  stream.findings.notes = NotesOnInput(comparison);
  if (!comparison.filters.empty()) {
    stream.findings.tables.push_back(StreamTable(comparison, kStretches));
    stream.findings.charts.push_back(StreamChart(comparison));
  }
  return {stream, filters};
}

Json AsJson(const Comparison& comparison,
            const Recommendation& recommendation) {
  Json filters = Json::array();
  for (const ComparedFilter& one : comparison.filters) {
    filters.push_back(FilterAsJson(one));
  }
  Json unfit = Json::array();
  for (const UnfitFilter& one : comparison.unfit) {
    unfit.push_back(UnfitAsJson(one));
  }
  Json chosen = nullptr;
  if (!recommendation.filter.empty()) chosen = recommendation.filter;
  return {{"budget",
           {{"keys", comparison.budget.keys},
            {"bits_per_key", comparison.budget.bits_per_key}}},
          {"queries", comparison.queries},
          {"negatives", comparison.negatives},
          {"seeds", comparison.seeds},
          {"interrupted", comparison.interrupted},
          {"notes", NotesOnInput(comparison)},
          {"filters", std::move(filters)},
          {"does_not_fit", std::move(unfit)},
          {"recommendation",
           {{"filter", std::move(chosen)}, {"words", recommendation.words}}}};
}

}  // namespace tamis::tools
