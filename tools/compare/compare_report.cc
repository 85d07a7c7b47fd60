#include "tools/compare/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tools/common/counted.h"
#include "tools/common/text_table.h"
#include "tools/compare/family.h"
#include "tools/compare/noise.h"
#include "tools/report/equal_series.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kStretches = 10;      // of the stream, in the table
constexpr size_t kChartPoints = 25;    // the same, in the chart
constexpr uint64_t kFewMistakes = 20;  // too few to compare rates by
constexpr size_t kChartFilters = 4;    // lines, labelled directly
constexpr double kLongestBar = 25;     // times the winner's

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

double ReadsPerQuery(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::reads) /
         static_cast<double>(filter.runs.front().queries);
}

// Of an attack: keys that still pass, of those that did.
std::string StillPass(const ComparedFilter& filter) {
  if (!filter.attack || filter.attack->passed == 0) return "-";
  return fmt::format("{:.1f}", 100 * filter.attack->ShareStill());
}

std::vector<std::string> Row(const ComparedFilter& one) {
  return {one.spec.ToString(),
          fmt::format("{:.3f}", one.TotalBitsPerKey()),
          fmt::format("{:.3f}", one.slow_bits_per_key),
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
          fmt::format("{:.5f}", ReadsPerQuery(one)),
          StillPass(one)};
}

ResultTable FilterTable(const Comparison& comparison) {
  ResultTable table{.title = "Rates, mistakes and costs",
                    .columns = {"filter", "bits/key", "beside", "FPR %", "low",
                                "high", "first-time", "repeated", "adapts",
                                "resets", "rebuilds", "not fixed", "ns",
                                "ns batched", "reads/query", "still pass %"},
                    .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(Row(one));
  }
  return table;
}

ResultTable UnfitTable(const Comparison& comparison) {
  ResultTable table{.title = fmt::format("Does not fit {} bits a key in all",
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

// The winner, the best of other families, and the best that never learns if it
// is not among them.
// Filters whose rates are the same all along have one line.
Chart StreamChart(const Comparison& comparison, const std::string& winner) {
  Chart chart{.title = "False positive rate along the stream",
              .x_label = "queries so far",
              .y_label = "FPR in %",
              .log_x = false,
              .log_y = true,
              .series = {},
              .labelled = true};
  size_t also = 0;  // the line of the best that never learns
  bool learners_only = true;
  for (const ComparedFilter& one : comparison.filters) {
    if (one.spec.ToString() != winner) continue;
    AddOrMerge(SeriesOf(one, NumWindows(comparison)), chart.series);
    learners_only = one.learns;
  }
  for (const Family& family : FamiliesOf(comparison)) {
    const ComparedFilter& one = family.best();
    if (one.spec.ToString() == winner) continue;
    const size_t line =
        AddOrMerge(SeriesOf(one, NumWindows(comparison)), chart.series);
    if (learners_only && !one.learns) also = line;
    learners_only &= one.learns;
  }
  const size_t lines = std::min(kChartFilters, chart.series.size());
  if (also >= lines) std::swap(chart.series[lines - 1], chart.series[also]);
  chart.series.resize(lines);
  return chart;
}

// The best filter of each family, by the reads that it wastes.
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

constexpr const char* kBitsNote =
    "bits/key: all memory of the process, measured, with what lies beside the "
    "filter; at most 1 % above the budget";
constexpr const char* kReadsNote =
    "reads/query: a read of the key store for each positive answer, true or "
    "false, and one for each mistake that a filter learns from with members "
    "from the store; a mirror in RAM is no read";
constexpr const char* kGrowingNote =
    "a growing filter is compared at the size it has with all keys; what one "
    "that began small is worth is among the conditions";
constexpr const char* kCachedNote =
    "cached: 2, 5, 10 and 20 % of the memory for the cache were tried under "
    "the first seed; the best is shown";
constexpr const char* kAttackNote =
    "still pass: an attacker keeps the keys that get past a filter, of 40 "
    "tries for each member, and asks for them again; so many still pass in the "
    "fourth round";

std::string NoteOnKeys(const Comparison& comparison) {
  return comparison.keys_in == KeysIn::kRam
             ? "keys in RAM: all memory of the process counts, also that "
               "beside "
               "the filters (--keys-in store: a database sorted by hash has "
               "them)"
             : "keys in a store sorted by hash: filters that can take members "
               "from it keep nothing beside, and read it once more for each "
               "mistake (--keys-in ram: all memory counts)";
}

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

// A chart of rates by a handful of mistakes would show their luck.
bool HasEnoughMistakes(const Comparison& comparison) {
  return std::ranges::any_of(comparison.filters, [](const auto& one) {
    return WholeStream(one).mistakes >= kFewMistakes;
  });
}

// Leaves out the columns in which all rows have nothing to say.
ResultTable WithoutZeros(ResultTable table) {
  const auto says = [](const std::string& cell) {
    return cell.find_first_of("123456789") != std::string::npos ||
           (!LooksNumeric(cell) && !cell.empty());
  };
  for (size_t i = table.columns.size(); i-- > 1;) {
    if (std::ranges::any_of(table.rows,
                            [&](const auto& row) { return says(row[i]); })) {
      continue;
    }
    const auto at = static_cast<ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return table;
}

ResultTable Marked(ResultTable table, const std::string& winner) {
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].front() == winner) table.marked_row = i;
  }
  return table;
}

// How it was measured.
std::vector<std::string> NotesOnMeasuring(const Comparison& comparison) {
  std::vector<std::string> notes = {fmt::format(
      "{}; the first seed is {}; low and high are the lowest and highest rates",
      NoteOnSeeds(comparison), comparison.first_seed)};
  notes.insert(notes.end(),
               {kBitsNote, kReadsNote, kGrowingNote, kCachedNote, kAttackNote});
  return notes;
}

Json FilterAsJson(const ComparedFilter& one) {
  Json json = {{"filter", one.spec.ToString()},
               {"wanted", one.wanted.ToString()},
               {"family", FamilyOf(one.spec)},
               {"bits_per_key", one.TotalBitsPerKey()},
               {"side_bits_per_key", one.slow_bits_per_key},
               {"learns", one.learns},
               {"fpr", one.MeanFpr()},
               {"fpr_low", one.LowestFpr()},
               {"fpr_high", one.HighestFpr()},
               {"first_time", one.Mean(&StreamRun::first_time)},
               {"repeated", one.Mean(&StreamRun::repeated)},
               {"adapts", one.Mean(&StreamRun::adapts)},
               {"resets", one.Mean(&StreamRun::resets)},
               {"rebuilds", one.Mean(&StreamRun::rebuilds)},
               {"not_fixed", one.Mean(&StreamRun::not_fixed)},
               {"reads_per_query", ReadsPerQuery(one)}};
  if (one.attack) {
    json["attack"] = {{"tried", one.attack->tried},
                      {"passed", one.attack->passed},
                      {"still_pass", one.attack->still}};
  }
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

Json GrownAsJson(const Comparison& comparison) {
  Json all = Json::array();
  for (const GrownFilter& one : comparison.grown) {
    all.push_back({{"filter", one.spec.ToString()},
                   {"from_keys", one.from_keys},
                   {"bits_per_key", one.total_bits_per_key},
                   {"fpr", one.run.fpr()}});
  }
  return all;
}

Json ConditionsAsJson(const Recommendation& recommendation) {
  Json all = Json::array();
  for (const Condition& one : recommendation.conditions) {
    Json filter = nullptr;
    if (!one.filter.empty()) filter = one.filter;
    all.push_back({{"if", one.when}, {"filter", filter}, {"why", one.why}});
  }
  return all;
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
                                "repeated", "ns", "batched"},
                    .rows = {}};
  for (const ComparedFilter& one : comparison.filters) {
    table.rows.push_back(
        {one.spec.ToString(), fmt::format("{:.2f}", one.TotalBitsPerKey()),
         Rate(one.MeanFpr()),
         one.runs.size() == 1 ? "-"
                              : Rate((one.HighestFpr() - one.LowestFpr()) / 2),
         Count(one.Mean(&StreamRun::first_time)),
         Count(one.Mean(&StreamRun::repeated)),
         Nanoseconds(one, &LookupTimes::one_by_one_ns),
         Nanoseconds(one, &LookupTimes::batched_ns)});
  }
  return table;
}

std::string WhyUnfit(const UnfitFilter& filter) {
  if (!filter.min_bits_per_key) return filter.reason;
  return "needs " + filter.LeastBits() + " bits a key in all, at least";
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
  notes.push_back(NoteOnKeys(comparison));
  return notes;
}

std::vector<Section> SectionsOf(const Comparison& comparison,
                                const Recommendation& recommendation,
                                const std::vector<SweepPoint>& sweep,
                                const std::string& source) {
  Section rates{"compare-stream", source, "Wasted reads", {}};
  rates.findings.notes = NotesOnInput(comparison);
  if (!comparison.filters.empty()) {
    rates.findings.bars.push_back(
        FamilyBars(comparison, recommendation.filter));
    if (HasEnoughMistakes(comparison)) {
      rates.findings.charts.push_back(
          StreamChart(comparison, recommendation.filter));
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
          {"keys_in", ToString(comparison.keys_in)},
          {"queries", comparison.queries},
          {"negatives", comparison.negatives},
          {"seeds", comparison.seeds},
          {"interrupted", comparison.interrupted},
          {"notes", NotesOnInput(comparison)},
          {"filters", std::move(filters)},
          {"does_not_fit", std::move(unfit)},
          {"grown", GrownAsJson(comparison)},
          {"recommendation",
           {{"filter", std::move(chosen)},
            {"reads_without", recommendation.saved.queries},
            {"reads", recommendation.saved.reads},
            {"wasted_reads", recommendation.saved.wasted},
            {"conditions", ConditionsAsJson(recommendation)},
            {"build", recommendation.build},
            {"words", recommendation.Sentences()}}}};
}

}  // namespace tamis::tools
