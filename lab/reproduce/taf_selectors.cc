// How the selectors of a telescoping filter are distributed once it has adapted
// to a number of absent keys, beside what the paper proves.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lab/reproduce/adaptive_quotient.h"
#include "tamis/internal/codes/selector_model.h"
#include "tamis/taf.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using SelectorCounts = std::array<uint64_t, internal::kNumSelectors>;

SelectorCounts CountSelectors(const Taf& filter) {
  SelectorCounts counts{};
  filter.table().ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    ++counts[filter.letters().at(slot)];
  });
  return counts;
}

// Adapts to the absent keys [first, limit) that are false positives.
Status AdaptTo(Taf& filter, uint64_t seed, uint64_t first, uint64_t limit) {
  for (uint64_t i = first; i < limit; ++i) {
    const KeyHash x = filter.hasher().Hash(workloads::DistinctKey(seed, i));
    if (filter.MayContain(x)) {
      TAMIS_RETURN_IF_ERROR(filter.Adapt(x).status());
    }
  }
  return {};
}

// One curve for what was measured and one for its bound, at each c.
Chart SelectorsChart() {
  return {.title = "Slots by selector, and their bound",
          .x_label = "selector",
          .y_label = "share of the slots",
          .log_x = false,
          .log_y = true,
          .series = {}};
}

// Returns the share of slots with selector k after c n queries, by Lemma 2 for
// k = 0 and at most, by Corollary 3, for others.
double BoundOf(const Taf& filter, int k, double c) {
  if (k > 0) return internal::Corollary3Bound(k, c, 8);
  const auto homes = static_cast<double>(filter.capacity());
  return std::pow(1 - 1 / (homes * 256),
                  c * static_cast<double>(filter.size()));
}

// Compares the selectors after c n queries with the lemma and the corollary.
void Compare(const Taf& filter, double c, Findings& result) {
  const auto n = static_cast<double>(filter.size());
  const SelectorCounts counts = CountSelectors(filter);
  ResultTable table{fmt::format("after {} n unique queries", c),
                    {"selector", "measured", "bound", "standard deviation"},
                    {}};
  ChartSeries measured{fmt::format("after {} n", c), {}};
  ChartSeries bounds{fmt::format("bound, {} n", c), {}};
  bool below = true;
  for (int k = 0; k < internal::kNumSelectors; ++k) {
    const double x = k;
    const double share =
        static_cast<double>(counts[static_cast<size_t>(k)]) / n;
    const double bound = BoundOf(filter, k, c);
    const double deviation = std::sqrt(bound * (1 - std::min(bound, 1.0)) / n);
    table.rows.push_back({fmt::format("{}", k), fmt::format("{:.3g}", share),
                          fmt::format("{:.3g}", bound),
                          fmt::format("{:.2g}", deviation)});
    measured.points.push_back({x, share, share - deviation, share + deviation});
    if (bound * n > 0.1) {  // below, no slot is expected to be there
      bounds.points.push_back({.x = x, .y = bound});
    }
    if (k == 0) {
      result.claims.push_back(
          {fmt::format("P(0) after {} n queries is that of Lemma 2", c),
           {"(1 - eps/n)^(cn)", fmt::format("Lemma 2; here {:.5f}", bound)},
           fmt::format("{:.5f}, {:.1f} standard deviations off", share,
                       std::abs(share - bound) / deviation),
           {"4 standard deviations", Limit::From::kStatistics},
           std::abs(share - bound) <= 4 * deviation});
    } else {
      below &= share <= bound + 4 * deviation;
    }
  }
  result.claims.push_back(
      {fmt::format("P(k) after {} n queries, each asked once, is below "
                   "Corollary 3",
                   c),
       {"Pr[v(y) = k] < eps^k times a sum over i of c^i", "Corollary 3"},
       below ? "for every k" : "not for every k",
       {"the bound and 4 standard deviations, at every k",
        Limit::From::kStatistics},
       below});
  result.tables.push_back(std::move(table));
  result.charts.back().series.push_back(std::move(measured));
  result.charts.back().series.push_back(std::move(bounds));
}

void JudgeResets(const Taf& filter, double c, double most, Findings& result) {
  const double share = static_cast<double>(filter.groups_reset()) * 64 /
                       static_cast<double>(filter.capacity());
  result.claims.push_back(
      {fmt::format("at most {} of the code groups are reset after {} n", most,
                   c),
       c == 4 ? Said{"n/(b sqrt(eps)) unique queries without the need to "
                     "rebuild",
                     "Theorem 4, b = 4"}
              : Said{},
       fmt::format("{:.5f}", share),
       {fmt::format("at most {}", most)},
       share <= most});
}

}  // namespace

Result<Findings> RunTafSelectors(const ExperimentOptions& options) {
  const uint64_t slots = uint64_t{1} << (options.paper_scale ? 20 : 16);
  TAMIS_ASSIGN_OR_RETURN(
      Taf filter,
      Taf::Create({.slots = slots, .overflow = OverflowPolicy::kReset},
                  Hasher(Seed{options.seed, 0})));
  const auto n = static_cast<uint64_t>(0.95 * static_cast<double>(slots));
  for (uint64_t i = 0; i < n; ++i) {
    TAMIS_RETURN_IF_ERROR(filter.Insert(
        filter.hasher().Hash(workloads::DistinctKey(options.seed, i))));
  }
  Findings result;
  result.notes.push_back(
      fmt::format("{} members in {} slots, r = 8, full resets", n, slots));
  result.charts.push_back(SelectorsChart());
  uint64_t asked = n;
  for (const uint64_t c : {1U, 4U, 10U, 20U}) {
    TAMIS_RETURN_IF_ERROR(AdaptTo(filter, options.seed, asked, n + c * n));
    asked = n + c * n;
    options.progress(static_cast<double>(c) / 20);
    Compare(filter, static_cast<double>(c), result);
    if (c == 4) JudgeResets(filter, 4, 0, result);  // Theorem 4, b = 4
    if (c == 20) JudgeResets(filter, 20, 0.01, result);
  }
  return result;
}

}  // namespace tamis::tools
