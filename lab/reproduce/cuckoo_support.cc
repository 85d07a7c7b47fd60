// Section 3: a query repeated n times, and small sets of queries.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "filters/cuckoo/cuckoo_math.h"
#include "lab/adversaries/cuckoo_adversary.h"
#include "lab/reproduce/count_mistakes.h"
#include "lab/reproduce/cuckoo_experiments.h"
#include "tools/common/filter_detail.h"
#include "tools/common/statistics.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using workloads::DistinctKey;

constexpr uint64_t kQueryFamily = 0x51ab;  // keys that are never members

struct MeanAndError {
  double mean = 0;
  double error = 0;  // standard error
};

MeanAndError MeanOf(const std::vector<double>& values) {
  double squares = 0;
  const auto count = static_cast<double>(values.size());
  const double mean = Mean(values);
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

// Returns how many of n queries of one key are false positives.  A key that
// was fixed stays so, since no other query comes; a key that left the filter
// as it was finds it so every time.
uint64_t RepeatQuery(AnyFilter& filter, KeyHash hash, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    if (!filter.MayContain(hash)) return i;
    const double moves = FilterDetail(filter, "moves");
    const auto outcome = filter.Adapt(hash);
    if (!outcome.ok()) return i;
    if (*outcome == AdaptOutcome::kNotFixed &&
        FilterDetail(filter, "moves") == moves) {
      return n;
    }
  }
  return n;
}

// Repeats `queries` keys, each a false positive of the filter as the one
// before left it.
std::vector<double> RepeatEach(AnyFilter filter, uint64_t n, int queries,
                               uint64_t seed) {
  workloads::Random random(seed);
  std::vector<double> positives;
  for (int i = 0; i < queries; ++i) {
    KeyHash hash = filter.hasher().Hash(random.Next());
    while (!filter.MayContain(hash)) hash = filter.hasher().Hash(random.Next());
    positives.push_back(static_cast<double>(RepeatQuery(filter, hash, n)));
  }
  return positives;
}

struct SupportSize {
  int log_n;
  uint64_t seeds;
  int queries;  // of each seed's filter

  uint64_t n() const { return uint64_t{1} << log_n; }
};

// What the repeated queries of one size came to.
struct Support {
  MeanAndError positives;
  size_t queries = 0;
  uint64_t rebuilds = 0;
};

Result<Support> MeasureSupport(const SupportSize& size, uint64_t first_seed) {
  const uint64_t n = size.n();
  Support support;
  std::vector<double> positives;
  for (uint64_t seed = first_seed; seed < first_seed + size.seeds; ++seed) {
    TAMIS_ASSIGN_OR_RETURN(
        AnyFilter filter,
        RandomFilterOf("cuckooing:f=8,k=2,b=1,move=paper", 22 * n / 10, n, seed,
                       &support.rebuilds));
    const std::vector<double> more =
        RepeatEach(std::move(filter), n, size.queries, seed);
    positives.insert(positives.end(), more.begin(), more.end());
  }
  support.positives = MeanOf(positives);
  support.queries = positives.size();
  return support;
}

std::vector<SupportSize> SupportSizes(bool paper_scale) {
  if (!paper_scale) return {{10, 400, 20}, {12, 200, 50}};
  return {{12, 1000, 100},
          {14, 1000, 100},
          {16, 1000, 100},
          {18, 200, 2000},
          {20, 50, 20'000}};
}

Chart SupportChart(const std::string& title) {
  return {.title = title,
          .x_label = "n",
          .y_label = "false positives",
          .log_x = true,
          .log_y = true,
          .series = {
              {"Cuckooing", {}}, {"static filter: n", {}}, {"log2(n)^4", {}}}};
}

void AddSupport(const SupportSize& size, const Support& support,
                ResultTable& table, Chart& chart) {
  const auto [mean, error] = support.positives;
  const double bound = SupportOptimalBound(0, 0, size.n());
  const auto x = static_cast<double>(size.n());
  chart.series[0].points.push_back({x, mean, mean - error, mean + error});
  chart.series[1].points.push_back({.x = x, .y = x});
  chart.series[2].points.push_back({.x = x, .y = bound});
  table.rows.push_back(
      {fmt::format("2^{}", size.log_n), fmt::format("{}", size.seeds),
       fmt::format("{}", support.queries), fmt::format("{:.1f}", mean),
       fmt::format("{:.1f}", error), fmt::format("{}", size.n()),
       fmt::format("{:.0f}", bound), fmt::format("{}", support.rebuilds)});
}

// eps = 2^-4 a fingerprint, so 1/eps^(2^s) and 1/eps^b keys.
constexpr uint64_t kSmallSet = 256;

// Returns how many of n queries of a small random set are false positives, mean
// of the seeds.
Result<double> MeasureSmallSet(const std::string& spec, uint64_t n,
                               uint64_t first_seed, uint64_t seeds) {
  const bool sparse = spec.find("k=2") != std::string::npos;
  const uint64_t slots = sparse ? 22 * n / 10 : n * 20 / 19;
  uint64_t positives = 0;
  for (uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                           RandomFilterOf(spec, slots, n, seed));
    positives += workloads::SmallSetFalsePositives(filter, kSmallSet, n,
                                                   kQueryFamily + seed);
  }
  return static_cast<double>(positives) / static_cast<double>(seeds);
}

}  // namespace

Result<double> PositiveShare(AnyFilter& filter,
                             std::span<const KeyHash> queries) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t mistakes,
                         CountMistakes(filter, queries));
  return static_cast<double>(mistakes) /
         static_cast<double>(std::max<size_t>(queries.size(), 1));
}

std::vector<KeyHash> HashAll(std::span<const uint64_t> keys, uint64_t seed) {
  std::vector<KeyHash> hashes(keys.size());
  Hasher(Seed{.low = seed, .high = 0}).Hash(keys, hashes);
  return hashes;
}

std::string Percent(double share) {
  return fmt::format("{:.4f} %", 100 * share);
}

Result<AnyFilter> FilterOf(std::string_view spec, uint64_t slots, uint64_t seed,
                           std::span<const uint64_t> keys) {
  const Hasher hasher(Seed{.low = seed, .high = 0});
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, slots, hasher));
  for (const uint64_t key : keys) {
    TAMIS_RETURN_IF_ERROR(filter.Insert(hasher.Hash(key)));
  }
  return filter;
}

Result<AnyFilter> RandomFilterOf(std::string_view spec, uint64_t slots,
                                 uint64_t count, uint64_t seed,
                                 uint64_t* rebuilds) {
  constexpr uint64_t kTries = 50;
  std::vector<uint64_t> keys(count);
  for (uint64_t i = 0; i < count; ++i) keys[i] = DistinctKey(seed, i);
  for (uint64_t i = 0; i < kTries; ++i) {
    Result<AnyFilter> filter = FilterOf(spec, slots, seed + (i << 32), keys);
    if (filter.ok() || filter.status().code() != StatusCode::kFull) {
      return filter;
    }
    if (rebuilds != nullptr) ++*rebuilds;
  }
  return Status(StatusCode::kFull, std::string(spec) + " of " +
                                       std::to_string(slots) +
                                       " slots did not fit under 50 seeds");
}

Result<Findings> RunCuckooSupport(const ExperimentOptions& options) {
  const std::vector<SupportSize> sizes = SupportSizes(options.paper_scale);
  ResultTable table{
      .title = "False positives of one query, repeated n times",
      .columns = {"n", "seeds", "queries", "Cuckooing", "std. error",
                  "static filter", "log2(n)^4", "rebuilds"},
      .rows = {}};
  Chart chart = SupportChart(table.title);
  bool bounded = true;
  std::string ours;
  for (size_t i = 0; i < sizes.size(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(const Support support,
                           MeasureSupport(sizes[i], options.seed));
    AddSupport(sizes[i], support, table, chart);
    const auto [mean, error] = support.positives;
    bounded &= mean - 3 * error < 60;
    ours += fmt::format("{}{:.1f} +- {:.1f} at 2^{}", i == 0 ? "" : ", ", mean,
                        error, sizes[i].log_n);
    options.progress(static_cast<double>(i + 1) /
                     static_cast<double>(sizes.size()));
  }
  Findings result;
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.claims.push_back(
      {.text = "a repeated query costs O(log^4 n) false positives, not n",
       .paper = {"eps |Q| + O(eps^2 |Q| + log^4 n)", "Theorem 1, |Q| = 1"},
       .ours = ours,
       .limit = {"below 60 at every n, within 3 standard errors (34 to 51 "
                 "computed by hand)"},
       .holds = bounded});
  result.notes = {"k = 2, b = 1, f = 8, 1.1 n slots a table",
                  "the queries of a seed are asked one after the other, each a "
                  "false positive of the filter as the one before left it"};
  return result;
}

Result<Findings> RunCuckooSmallSets(const ExperimentOptions& options) {
  const uint64_t n = options.paper_scale ? 1 << 17 : 1 << 15;
  const uint64_t seeds = options.paper_scale ? 100 : 10;
  const std::vector<std::string> specs = {
      "cyclic:f=4,s=1", "swapping:f=4,k=4,b=2", "cuckooing:f=4,move=paper",
      "cuckooing:f=4,k=2,b=1,move=paper", "cuckooing:f=4"};
  Findings result;
  ResultTable table{.title = "n queries of a small random set",
                    .columns = {"filter", "set", "n", "false positives",
                                "share of queries", "O(log^4 n)"},
                    .rows = {}};
  std::vector<double> shares;
  for (const std::string& spec : specs) {
    TAMIS_ASSIGN_OR_RETURN(const double mean,
                           MeasureSmallSet(spec, n, options.seed, seeds));
    shares.push_back(mean / static_cast<double>(n));
    table.rows.push_back({spec, fmt::format("{}", kSmallSet),
                          fmt::format("{}", n), fmt::format("{:.1f}", mean),
                          fmt::format("{:.5f}", shares.back()),
                          fmt::format("{:.0f}", SupportOptimalBound(0, 0, n))});
    options.progress(static_cast<double>(shares.size()) /
                     static_cast<double>(specs.size()));
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(
      {.text = "on a set of 1/eps^(2^s) keys Cyclic and Swapping give a "
               "constant share of false positives, Cuckooing does not",
       .paper =
           {"the Cyclic ACF incurs Omega(n) false positives [...], compared "
            "to O(log^4 n) for the Cuckooing ACF",
            "3"},
       .ours =
           fmt::format("{:.4f}, {:.4f} against {:.4f} (k = 2: {:.4f}; "
                       "random moves: {:.4f})",
                       shares[0], shares[1], shares[2], shares[3], shares[4]),
       .limit = {"both more than twice Cuckooing's"},
       .holds = std::min(shares[0], shares[1]) > 2 * shares[2]});
  result.notes = {"load 0.95 (k = 2, b = 1: 1.1 n slots a table)",
                  "Swapping with b = 2, so that its set is as small"};
  return result;
}

}  // namespace tamis::tools
