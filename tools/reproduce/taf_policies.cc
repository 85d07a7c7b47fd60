#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "tamis/any_filter.h"
#include "tamis/workloads/firehose.h"
#include "tamis/workloads/random.h"
#include "tools/reproduce/adaptive_quotient.h"
#include "tools/reproduce/telescoping_filters.h"

namespace tamis::tools {
namespace {

uint64_t CountUnique(const std::vector<uint64_t>& queries) {
  return std::unordered_set<uint64_t>(queries.begin(), queries.end()).size();
}

// The share of queries that are false positives, each of which is adapted to.
Result<double> MeasureFpr(std::string_view spec, uint64_t members,
                          const std::vector<uint64_t>& queries, uint64_t seed) {
  const auto slots =
      static_cast<uint64_t>(static_cast<double>(members) / 0.95) + 1;
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, slots, Hasher(Seed{seed, 0})));
  // Keys of the stream are below 2^63: none of these is asked for.
  for (uint64_t i = 0; i < members; ++i) {
    const uint64_t key = workloads::DistinctKey(seed, i) | (uint64_t{1} << 63);
    TAMIS_RETURN_IF_ERROR(filter.Insert(filter.hasher().Hash(key)));
  }
  uint64_t wrong = 0;
  for (const uint64_t key : queries) {
    const KeyHash x = filter.hasher().Hash(key & ~(uint64_t{1} << 63));
    if (!filter.MayContain(x)) continue;
    ++wrong;
    TAMIS_RETURN_IF_ERROR(filter.Adapt(x).status());
  }
  return static_cast<double>(wrong) / static_cast<double>(queries.size());
}

}  // namespace

Result<Findings> RunTafPolicies(const ExperimentOptions& options) {
  const uint64_t count = options.paper_scale ? 10'000'000 : 1'000'000;
  const int runs = options.paper_scale ? 10 : 3;
  std::vector<uint64_t> queries(count);
  workloads::ActiveSetStream stream({});
  for (uint64_t& key : queries) key = stream.Next();
  const uint64_t unique = CountUnique(queries);
  Findings result;
  result.notes.push_back(fmt::format(
      "{} queries of FireHose's active set, {} of them unique; load 0.95, "
      "mean of {} seeds",
      count, unique, runs));
  ResultTable table{"false positive rate on the active set", {}, {}};
  table.columns = {"A/S"};
  Chart chart{"False positive rate on the active set",
              "A/S, unique queries per member",
              "false positive rate",
              false,
              true,
              {}};
  for (const std::string_view spec : kOverflowSpecs) {
    table.columns.emplace_back(spec);
    chart.series.push_back({std::string(spec), {}});
  }
  double worst_ratio = 0;
  for (const uint64_t ratio : {5U, 10U, 20U, 30U, 50U, 80U}) {
    std::vector<std::string> row = {fmt::format("{}", ratio)};
    std::array<double, kOverflowSpecs.size()> rates{};
    for (size_t f = 0; f < kOverflowSpecs.size(); ++f) {
      double lowest = 1, highest = 0;
      for (int run = 0; run < runs; ++run) {
        TAMIS_ASSIGN_OR_RETURN(
            const double fpr,
            MeasureFpr(kOverflowSpecs[f], unique / ratio, queries,
                       options.seed + static_cast<uint64_t>(run)));
        rates[f] += fpr / runs;
        lowest = std::min(lowest, fpr);
        highest = std::max(highest, fpr);
      }
      row.push_back(fmt::format("{:.3e}", rates[f]));
      chart.series[f].points.push_back(
          {static_cast<double>(ratio), rates[f], lowest, highest});
    }
    worst_ratio = std::max(worst_ratio, rates[0] / rates[2]);
    table.rows.push_back(std::move(row));
    options.progress(static_cast<double>(table.rows.size()) / 6);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.claims.push_back(
      {"refusing is never worse than resetting on the active set",
       "asked for as future work",
       fmt::format("at most {:.3f} times its rate", worst_ratio),
       worst_ratio <= 1.02});
  return result;
}

}  // namespace tamis::tools
