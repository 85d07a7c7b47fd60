// What a telescoping filter does when a code overflows, and what each way costs
// in false positives.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/count_mistakes.h"
#include "lab/reproduce/telescoping_filters.h"
#include "tamis/any_filter.h"
#include "workloads/firehose.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

uint64_t CountUnique(const std::vector<uint64_t>& queries) {
  return std::unordered_set<uint64_t>(queries.begin(), queries.end()).size();
}

// The highest bit tells members from queries: no key is both.
constexpr uint64_t kMemberBit = uint64_t{1} << 63;

// Returns the share of queries that are false positives, each of which is
// adapted to.
Result<double> MeasureFpr(std::string_view spec, uint64_t members,
                          const std::vector<uint64_t>& queries, uint64_t seed) {
  const auto slots =
      static_cast<uint64_t>(static_cast<double>(members) / 0.95) + 1;
  const Hasher hasher(Seed{seed, 0});
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, slots, hasher));
  for (uint64_t i = 0; i < members; ++i) {
    const uint64_t key = workloads::DistinctKey(seed, i) | kMemberBit;
    TAMIS_RETURN_IF_ERROR(filter.Insert(hasher.Hash(key)));
  }
  std::vector<KeyHash> hashes(queries.size());
  hasher.Hash(queries, hashes);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t mistakes,
                         CountMistakes(filter, hashes));
  return static_cast<double>(mistakes) / static_cast<double>(queries.size());
}

// Returns the mean over the seeds, with the lowest and the highest, at `ratio`.
Result<ChartPoint> MeasurePoint(std::string_view spec, uint64_t ratio,
                                uint64_t unique,
                                const std::vector<uint64_t>& queries,
                                uint64_t first_seed, uint64_t seeds) {
  ChartPoint point{.x = static_cast<double>(ratio), .low = 1};
  for (uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    TAMIS_ASSIGN_OR_RETURN(const double fpr,
                           MeasureFpr(spec, unique / ratio, queries, seed));
    point.y += fpr / static_cast<double>(seeds);
    point.low = std::min(point.low, fpr);
    point.high = std::max(point.high, fpr);
  }
  return point;
}

std::vector<uint64_t> ActiveSetQueries(uint64_t count) {
  std::vector<uint64_t> queries(count);
  workloads::ActiveSetStream stream({});
  for (uint64_t& key : queries) key = stream.Next() & ~kMemberBit;
  return queries;
}

// With a series for each policy.
Chart EmptyChart() {
  Chart chart{.title = "False positive rate on the active set",
              .x_label = "A/S, unique queries per member",
              .y_label = "false positive rate",
              .log_y = true,
              .series = {}};
  for (const std::string_view spec : kOverflowSpecs) {
    chart.series.push_back({std::string(spec), {}});
  }
  return chart;
}

}  // namespace

Result<Findings> RunTafPolicies(const ExperimentOptions& options) {
  constexpr std::array<uint64_t, 6> kRatios = {5, 10, 20, 30, 50, 80};  // A/S
  const uint64_t seeds = options.paper_scale ? 10 : 3;
  const std::vector<uint64_t> queries =
      ActiveSetQueries(options.paper_scale ? 10'000'000 : 1'000'000);
  const uint64_t unique = CountUnique(queries);
  ResultTable table{"false positive rate on the active set", {"A/S"}, {}};
  table.columns.insert(table.columns.end(), kOverflowSpecs.begin(),
                       kOverflowSpecs.end());
  Chart chart = EmptyChart();
  double worst_ratio = 0;
  for (const uint64_t ratio : kRatios) {
    auto& row = table.rows.emplace_back();
    row.push_back(fmt::format("{}", ratio));
    for (size_t f = 0; f < kOverflowSpecs.size(); ++f) {
      TAMIS_ASSIGN_OR_RETURN(const ChartPoint point,
                             MeasurePoint(kOverflowSpecs[f], ratio, unique,
                                          queries, options.seed, seeds));
      row.push_back(fmt::format("{:.3e}", point.y));
      chart.series[f].points.push_back(point);
    }
    worst_ratio = std::max(worst_ratio, chart.series[0].points.back().y /
                                            chart.series[2].points.back().y);
    options.progress(static_cast<double>(table.rows.size()) / kRatios.size());
  }
  Findings result;
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.claims.push_back(
      {"refusing is never worse than resetting on the active set",
       {"", ""},
       fmt::format("at most {:.3f} times its rate", worst_ratio),
       {"at most 1.02 (the thesis asks for policies as future work, 7.2)"},
       worst_ratio <= 1.02});
  result.notes.push_back(fmt::format(
      "{} queries of FireHose's active set, {} of them unique; load 0.95, "
      "mean of {} seeds",
      queries.size(), unique, seeds));
  return result;
}

}  // namespace tamis::tools
