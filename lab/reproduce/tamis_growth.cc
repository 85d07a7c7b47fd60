// How much memory the tamis filter takes while it grows, and how often it is
// wrong meanwhile, with and without learning.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/judge.h"
#include "lab/reproduce/tamis_figures.h"
#include "workloads/zipf.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kFirstMeasured = uint64_t{1} << 16;

struct GrowthCurve {
  std::string spec;
  std::vector<ChartPoint> bits;  // a key, over keys
  std::vector<ChartPoint> fpr;
  double least = 1e9;
  double most = 0;
  double sum = 0;       // of bits a key, one sample for each 1/64 more keys
  double farthest = 0;  // of the measured rate from the formula, in deviations

  double Mean() const { return sum / static_cast<double>(bits.size()); }
};

// Asks absent keys for the rate, and compares it with the formula.
void MeasureRate(const AnyFilter& filter, const GrowthOptions& options,
                 GrowthCurve& curve) {
  const std::vector<KeyHash> absent =
      GrowthHashes(filter, options.seed, kAbsent, options.queries);
  const auto queries = static_cast<double>(options.queries);
  const double rate = static_cast<double>(filter.CountEach(absent)) / queries;
  const double expected = filter.ExpectedFpr();
  curve.fpr.push_back({.x = static_cast<double>(filter.size()), .y = rate});
  const double deviation = std::sqrt(expected * (1 - expected) / queries);
  curve.farthest =
      std::max(curve.farthest, std::abs(rate - expected) / deviation);
}

Result<GrowthCurve> Grow(std::string_view spec, const GrowthOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         GrowthFilter(spec, options.start_slots, options.seed));
  GrowthCurve curve;
  curve.spec = filter.spec().ToString();
  uint64_t next = kFirstMeasured;
  for (uint64_t n = 0; n < options.max_keys; ++n) {
    TAMIS_RETURN_IF_ERROR(
        filter.Insert(filter.hasher().Hash(GrowthKey(options.seed, n))));
    if (n + 1 < next) continue;
    next = n + 1 + (n + 1) / 64;
    const double bits = filter.stats().BitsPerKey();
    curve.bits.push_back({.x = static_cast<double>(n + 1), .y = bits});
    curve.least = std::min(curve.least, bits);
    curve.most = std::max(curve.most, bits);
    curve.sum += bits;
    if (curve.bits.size() % 22 == 1) MeasureRate(filter, options, curve);
  }
  return curve;
}

void ShowCurves(const std::vector<GrowthCurve>& curves, Findings& result) {
  ResultTable table{.title = "Bits a key from 2^16 keys on",
                    .columns = {"filter", "least", "mean", "most", "last FPR"},
                    .rows = {}};
  Chart memory{"Growth: memory", "keys", "bits per key", true, false, {}};
  Chart rate{"Growth: rate", "keys", "false positive rate", true, true, {}};
  for (const GrowthCurve& curve : curves) {
    table.rows.push_back({curve.spec, fmt::format("{:.2f}", curve.least),
                          fmt::format("{:.2f}", curve.Mean()),
                          fmt::format("{:.2f}", curve.most),
                          fmt::format("{:.6f}", curve.fpr.back().y)});
    memory.series.push_back({curve.spec, curve.bits});
    rate.series.push_back({curve.spec, curve.fpr});
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(memory));
  result.charts.push_back(std::move(rate));
}

// A filter that grew, asked some more of the stream.  One that is made to its
// size and learns is wrong about a key at most once: by the formula, as often as
// it is wrong about any key, for each different key.  And one that was made to
// its size and told all that came before: it knows how the stream went on with
// members that the other did not have then.
struct LearningWindow {
  uint64_t keys;
  double grown;
  double formula;
  double told;
};

class Learning {
 public:
  explicit Learning(uint64_t seed)
      : seed_(seed),
        zipf_({.seed = ~seed, .exponent = 1, .universe = 1'000'000}) {}

  Result<std::vector<LearningWindow>> Run(uint64_t max_keys) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter grown, GrowthFilter(kSpec, 1024, seed_));
    std::vector<LearningWindow> windows;
    for (uint64_t n = 1024; n <= max_keys; n *= 2) {
      TAMIS_RETURN_IF_ERROR(InsertUpTo(grown, n));
      const size_t before = queries_.size();
      for (uint64_t i = 0; i < kQueries; ++i) {
        queries_.push_back(grown.hasher().Hash(zipf_.Next()));
      }
      const auto window = std::span(queries_).subspan(before);
      TAMIS_ASSIGN_OR_RETURN(const double rate, Ask(grown, window));
      TAMIS_ASSIGN_OR_RETURN(AnyFilter made,
                             GrowthFilter(kSpec, n * 10 / 9 + 1, seed_));
      TAMIS_RETURN_IF_ERROR(InsertUpTo(made, n));
      const double formula = made.ExpectedFpr() * ShareOfDifferent(window);
      TAMIS_RETURN_IF_ERROR(
          Ask(made, std::span(queries_).first(before)).status());
      TAMIS_ASSIGN_OR_RETURN(const double told, Ask(made, window));
      windows.push_back({n, rate, formula, told});
    }
    return windows;
  }

 private:
  static constexpr const char* kSpec = "tamis:f=8,extensions=8,rejuvenate=all";
  static constexpr uint64_t kQueries = 200'000;

  Status InsertUpTo(AnyFilter& filter, uint64_t keys) {
    for (uint64_t i = filter.size(); i < keys; ++i) {
      TAMIS_RETURN_IF_ERROR(
          filter.Insert(filter.hasher().Hash(GrowthKey(seed_, i))));
    }
    return {};
  }
  static Result<double> Ask(AnyFilter& filter,
                            std::span<const KeyHash> queries) {
    uint64_t wrong = 0;
    for (const KeyHash query : queries) {
      if (!filter.MayContain(query)) continue;
      ++wrong;
      TAMIS_RETURN_IF_ERROR(filter.Adapt(query).status());
    }
    return static_cast<double>(wrong) /
           std::max(1.0, static_cast<double>(queries.size()));
  }

  static double ShareOfDifferent(std::span<const KeyHash> queries) {
    std::vector<KeyHash> sorted(queries.begin(), queries.end());
    std::sort(sorted.begin(), sorted.end());
    const auto last = std::unique(sorted.begin(), sorted.end());
    return static_cast<double>(last - sorted.begin()) /
           static_cast<double>(queries.size());
  }

  uint64_t seed_;
  workloads::ZipfStream zipf_;
  std::vector<KeyHash> queries_;
};

}  // namespace

Result<Findings> RunTamisGrowth(const ExperimentOptions& options) {
  const GrowthOptions growth = GrowthOptionsFor(options);
  std::vector<GrowthCurve> curves;
  for (const char* spec :
       {"tamis:f=12,members=caller", "tamis:f=12,steps=1,members=caller",
        "infini:f=12,threshold=0.9"}) {
    TAMIS_ASSIGN_OR_RETURN(GrowthCurve curve, Grow(spec, growth));
    curves.push_back(std::move(curve));
    options.progress(static_cast<double>(curves.size()) / 3);
  }
  Findings result;
  result.scope =
      fmt::format("2^10 to 2^{} keys", options.paper_scale ? 25 : 20);
  ShowCurves(curves, result);
  const GrowthCurve& ours = curves.front();
  result.claims.push_back(Judged("Most bits a key while it grows", {},
                                 fmt::format("{:.2f}", ours.most), ours.most,
                                 {.high = 22.3}, ""));
  result.claims.push_back(Judged(
      "Mean bits a key while it grows", {},
      fmt::format("{:.2f}, infini {:.2f}", ours.Mean(), curves.back().Mean()),
      ours.Mean(), {.high = 20}, ""));
  result.claims.push_back(Judged(
      "The rate is that of the formula", {},
      fmt::format("at most {:.1f} standard deviations away", ours.farthest),
      ours.farthest, {.high = 5}, ""));
  return result;
}

Result<Findings> RunTamisLearning(const ExperimentOptions& options) {
  const uint64_t most = uint64_t{1} << (options.paper_scale ? 22 : 17);
  Learning learning(options.seed);
  TAMIS_ASSIGN_OR_RETURN(const std::vector<LearningWindow> windows,
                         learning.Run(most));
  Findings result;
  ResultTable table{.title = "Mistakes of Zipf(1.0) queries, 200,000 each time",
                    .columns = {"keys", "grown", "formula",
                                "made to that size, told all before"},
                    .rows = {}};
  Chart chart{
      "Growing while learning", "keys", "false positive rate", true, true, {}};
  chart.series = {{"grown", {}}, {"formula", {}}, {"told all before", {}}};
  double worst = 0;
  for (const LearningWindow& window : windows) {
    const auto keys = static_cast<double>(window.keys);
    table.rows.push_back({fmt::format("{}", window.keys),
                          fmt::format("{:.6f}", window.grown),
                          fmt::format("{:.6f}", window.formula),
                          fmt::format("{:.6f}", window.told)});
    chart.series[0].points.push_back({.x = keys, .y = window.grown});
    chart.series[1].points.push_back({.x = keys, .y = window.formula});
    chart.series[2].points.push_back({.x = keys, .y = window.told});
    worst = std::max(worst, window.grown / window.formula);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.claims.push_back(
      Judged("Growing while learning: the rate of the formula", {},
             fmt::format("at most {:.2f}x that of a filter made to the size, "
                         "which learns",
                         worst),
             worst, {.high = 1.2}));
  return result;
}

}  // namespace tamis::tools
