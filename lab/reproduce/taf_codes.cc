// Codes of other lengths than the papers' 56 bits: how many queries they hold,
// and what they are worth where memory is the same for all filters.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filters/quotient/utaf.h"
#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/firehose_stream.h"
#include "lab/reproduce/judge.h"
#include "lab/reproduce/rate_grid.h"
#include "tamis/internal/codes/selector_model.h"
#include "tamis/taf.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using workloads::DistinctKey;

constexpr int kLeastCode = 16;
constexpr int kMostCode = 128;
constexpr double kLoad = 0.95;

template <typename F>
Status FillToLoad(F& filter, uint64_t slots, uint64_t seed) {
  const auto n = static_cast<uint64_t>(kLoad * static_cast<double>(slots));
  for (uint64_t i = 0; i < n; ++i) {
    TAMIS_RETURN_IF_ERROR(
        filter.Insert(filter.hasher().Hash(DistinctKey(seed, i))));
  }
  return {};
}

// ---- Queries before overflow, by the length of the code -------------------

// Unique queries a member until so many codes had no room for a fix.
struct Overflow {
  double first = 0;        // one code
  double one_percent = 0;  // one in a hundred
  double bits_per_key = 0;
};

Result<Overflow> MeasureOverflow(int code_bits, uint64_t slots, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(Taf filter,
                         Taf::Create({.slots = slots, .code_bits = code_bits},
                                     Hasher(Seed{seed, 0})));
  TAMIS_RETURN_IF_ERROR(FillToLoad(filter, slots, seed));
  Overflow overflow;
  overflow.bits_per_key = filter.stats().BitsPerKey();
  const auto n = static_cast<double>(filter.size());
  const auto enough = static_cast<uint64_t>(0.01 * static_cast<double>(slots) /
                                            internal::kGroupSlots);
  uint64_t refused = 0;
  for (uint64_t i = filter.size(); refused < std::max<uint64_t>(enough, 1);
       ++i) {
    const KeyHash x = filter.hasher().Hash(DistinctKey(seed, i));
    if (!filter.MayContain(x)) continue;
    TAMIS_ASSIGN_OR_RETURN(const AdaptOutcome outcome, filter.Adapt(x));
    if (outcome != AdaptOutcome::kNotFixed) continue;
    const double c = static_cast<double>(i) / n - 1;
    if (refused++ == 0) overflow.first = c;
    overflow.one_percent = c;
  }
  return overflow;
}

// The c of Theorem 4 at eps = 1/256 for so many bits an element: 1/e + b/(b-1)^2
// bits hold n / (b sqrt(eps)) queries.  0 if no b >= 2 has so few bits.
double Theorem4Queries(double bits) {
  const double rest = bits - std::exp(-1.0);
  if (rest <= 0) return 0;
  // rest (b-1)^2 = b
  const double b = 1 + (1 + std::sqrt(1 + 4 * rest)) / (2 * rest);
  return 16 / std::max(b, 2.0);
}

Status AddOverflows(const ExperimentOptions& options, Findings& result) {
  const uint64_t slots = uint64_t{1} << (options.paper_scale ? 18 : 14);
  ResultTable table{"Unique queries a member before codes overflow, r = 8",
                    {"code", "bits a slot", "bits/key", "first code",
                     "1 % of the codes", "full on average", "Theorem 4"},
                    {}};
  Chart chart{.title = "Unique queries a member before codes overflow, r = 8",
              .x_label = "bits of code a slot",
              .y_label = "queries a member",
              .log_y = true,
              .series = {{"first code", {}},
                         {"1 % of the codes", {}},
                         {"entropy: codes full on average", {}},
                         {"Theorem 4", {}}}};
  for (int bits = kLeastCode; bits <= kMostCode; bits += 8) {
    TAMIS_ASSIGN_OR_RETURN(const Overflow measured,
                           MeasureOverflow(bits, slots, options.seed));
    const double share = bits / 64.0;
    const double full = internal::FullCodeQueries(8, bits);
    const double theorem = Theorem4Queries(share);
    table.rows.push_back({fmt::format("{}", bits), fmt::format("{:.3f}", share),
                          fmt::format("{:.2f}", measured.bits_per_key),
                          fmt::format("{:.1f}", measured.first),
                          fmt::format("{:.1f}", measured.one_percent),
                          fmt::format("{:.1f}", full),
                          fmt::format("{:.1f}", theorem)});
    const std::array<double, 4> values = {measured.first, measured.one_percent,
                                          full, theorem};
    for (size_t i = 0; i < values.size(); ++i) {
      chart.series[i].points.push_back({.x = share, .y = values[i]});
    }
    if (bits == 56) {
      result.claims.push_back(Judged(
          "56 bits: queries a member until 1 % of the codes overflow",
          {"retaining good performance with 0.812 bits per element for A/S <= "
           "20",
           "4; ours has 0.875"},
          fmt::format("{:.1f} (the first code at {:.1f})", measured.one_percent,
                      measured.first),
          measured.one_percent, {.low = 20, .from = Limit::From::kPaper}, ""));
    }
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  return {};
}

// ---- Theorem 4: bits a key over b and eps ---------------------------------

// The selectors of a uTAF, which never forgets, after c n unique queries that
// are asked until all are fixed: their entropy, bits a key.
Result<double> MeasureEntropy(int r, double c, uint64_t slots, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(Utaf filter,
                         Utaf::Create({.slots = slots, .remainder_bits = r},
                                      Hasher(Seed{seed, 0})));
  TAMIS_RETURN_IF_ERROR(FillToLoad(filter, slots, seed));
  const auto n = static_cast<double>(filter.size());
  const auto count = static_cast<uint64_t>(c * n);
  bool wrong = true;
  for (int round = 0; wrong && round < 30; ++round) {
    wrong = false;
    for (uint64_t i = 0; i < count; ++i) {
      const KeyHash x =
          filter.hasher().Hash(DistinctKey(seed, filter.size() + i));
      if (!filter.MayContain(x)) continue;
      wrong = true;
      TAMIS_RETURN_IF_ERROR(filter.Adapt(x).status());
    }
  }
  std::array<double, 256> shares{};
  filter.table().ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    shares[filter.letters().at(slot)] += 1 / n;
  });
  double entropy = 0;
  for (const double p : shares) entropy -= p == 0 ? 0 : p * std::log2(p);
  return entropy;
}

Status AddTheorem4(const ExperimentOptions& options, Findings& result) {
  const uint64_t slots = uint64_t{1} << (options.paper_scale ? 17 : 13);
  ResultTable table{"Theorem 4: bits a key of the selectors, queries repeated",
                    {"eps", "b", "queries a member", "entropy", "bound",
                     "share of the bound"},
                    {}};
  double most = 0;
  for (const int r : {4, 6, 8, 10}) {
    for (const double b : {2.0, 3.0, 4.0, 8.0}) {
      const double c = std::exp2(r / 2.0) / b;
      TAMIS_ASSIGN_OR_RETURN(const double entropy,
                             MeasureEntropy(r, c, slots, options.seed));
      const double bound = std::exp(-1.0) + b / ((b - 1) * (b - 1));
      most = std::max(most, entropy / bound);
      table.rows.push_back({fmt::format("2^-{}", r), fmt::format("{}", b),
                            fmt::format("{:.2f}", c),
                            fmt::format("{:.3f}", entropy),
                            fmt::format("{:.3f}", bound),
                            fmt::format("{:.2f}", entropy / bound)});
    }
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(Judged(
      "bits a key of the selectors, every b and eps, against Theorem 4",
      {"at most 1/e + b/(b-1)^2 bits of space in expectation per element for "
       "n/(b sqrt(eps)) unique queries",
       "Theorem 4"},
      fmt::format("{:.2f}x of the bound at most", most), most,
      {.high = 1, .from = Limit::From::kPaper}));
  return {};
}

// ---- Budgets --------------------------------------------------------------

constexpr double kFirstBudget = 11.5;
constexpr double kLastBudget = 14;
constexpr double kBudgetStep = 0.1;

// The lines of the sweep; parameters that a budget decides are left open.
struct SweptSpec {
  std::string_view name;
  std::string_view spec;  // empty: the best TAF of any r and code
};
constexpr std::array<SweptSpec, 7> kSwept = {{
    {"TAF", "taf:overflow=reset"},
    {"TAF, the best r and code", ""},
    {"exAF", "exaf:overflow=reset"},
    {"ACF2", "cyclic:s=2"},
    {"Swapping", "swapping"},
    {"Cuckooing", "cuckooing:move=next,fingerprints=table"},
    {"Cuckooing, random", "cuckooing"},
}};

struct BestTaf {
  double fpr = 1;
  std::string spec;
};

// The best of each r with the longest code that fits beside it, and with that of
// the papers.
Result<BestTaf> FindBestTaf(const GridPlan& plan, double budget,
                            const QueryStream& stream) {
  BestTaf best;
  const auto try_code = [&](int r, int code) -> Result<bool> {
    TAMIS_ASSIGN_OR_RETURN(
        const std::optional<RateCell> cell,
        MeasureAtBudget(plan,
                        fmt::format("taf:r={},overflow=reset,code={}", r, code),
                        budget, stream));
    if (cell && cell->fpr < best.fpr) best = {cell->fpr, cell->spec};
    return cell.has_value();
  };
  for (const int r : {7, 8, 9, 10}) {
    TAMIS_RETURN_IF_ERROR(try_code(r, internal::kCodeBits).status());
    for (int code = kMostCode; code >= kLeastCode; code -= 8) {
      TAMIS_ASSIGN_OR_RETURN(const bool fits, try_code(r, code));
      if (fits) break;
    }
  }
  return best;
}

struct Sweeps {
  std::vector<double> budgets;
  std::vector<std::array<double, kSwept.size()>> rates;  // 1: does not fit
};

Result<Sweeps> SweepBudgets(const GridPlan& plan, const QueryStream& stream,
                            const ExperimentOptions& options,
                            ResultTable& table) {
  Sweeps sweeps;
  for (int i = 0;; ++i) {
    const double budget = kFirstBudget + kBudgetStep * i;
    if (budget > kLastBudget + kBudgetStep / 2) return sweeps;
    sweeps.budgets.push_back(budget);
    auto& rates = sweeps.rates.emplace_back();
    auto& row = table.rows.emplace_back();
    row.push_back(fmt::format("{:.1f}", budget));
    std::string best_spec;
    for (size_t f = 0; f < kSwept.size(); ++f) {
      rates[f] = 1;
      if (kSwept[f].spec.empty()) {
        TAMIS_ASSIGN_OR_RETURN(const BestTaf best,
                               FindBestTaf(plan, budget, stream));
        rates[f] = best.fpr;
        best_spec = best.spec;
      } else {
        TAMIS_ASSIGN_OR_RETURN(
            const std::optional<RateCell> cell,
            MeasureAtBudget(plan, kSwept[f].spec, budget, stream));
        if (cell) rates[f] = cell->fpr;
      }
      row.push_back(rates[f] == 1 ? "-" : fmt::format("{:.2e}", rates[f]));
    }
    row.push_back(best_spec);
    options.progress((budget - kFirstBudget) / (kLastBudget - kFirstBudget));
  }
}

void ShowSweeps(const std::string& title, const Sweeps& sweeps,
                Findings& result) {
  Chart chart{.title = title,
              .x_label = "bits a key",
              .y_label = "false positive rate",
              .log_y = true,
              .series = {}};
  for (size_t f = 0; f < kSwept.size(); ++f) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = kSwept[f].name;
    for (size_t i = 0; i < sweeps.budgets.size(); ++i) {
      if (sweeps.rates[i][f] == 1) continue;
      series.points.push_back(
          {.x = sweeps.budgets[i], .y = sweeps.rates[i][f]});
    }
  }
  result.charts.push_back(std::move(chart));
  int lowest = 0, lower = 0;
  double most = 1;
  for (const auto& rates : sweeps.rates) {
    lowest += *std::ranges::min_element(rates) == rates[0];
    lower += rates[1] < rates[0];
    most = std::max(most, rates[0] / rates[1]);
  }
  result.claims.push_back(
      {"budgets at which the TAF of the papers' code has the lowest rate",
       {"On active set data, the SELQF performs best at moderate A/S values in "
        "the range 5-20",
        "thesis, 6.2.1, at one budget"},
       fmt::format("{} of {}; another r or code is better at {}, {:.1f}x at "
                   "most",
                   lowest, sweeps.budgets.size(), lower, most),
       {"all of them", Limit::From::kPaper},
       std::cmp_equal(lowest, sweeps.budgets.size())});
}

// The papers' TAF with other codes, beside ACF2, which theirs comes near to.
Status AddCodesAtLoad(const GridPlan& plan, uint64_t unique,
                      QueryStream& stream, Findings& result) {
  ResultTable table{
      "Rates by the length of the code, r = 8, load 0.95, "
      "overflow=reset",
      {"A/S", "ACF2"},
      {}};
  constexpr std::array<int, 6> kCodes = {32, 40, 48, 56, 64, 80};
  for (const int code : kCodes) {
    table.columns.push_back(fmt::format("code={}", code));
  }
  for (const uint64_t ratio : {20U, 30U, 50U}) {
    SetRandomMembers(unique, unique / ratio, stream);
    auto& row = table.rows.emplace_back();
    TAMIS_ASSIGN_OR_RETURN(const RateCell cyclic,
                           MeasureAtPaperLoad(plan, "cyclic:f=9,s=2", stream));
    row = {fmt::format("{}", ratio), fmt::format("{:.2e}", cyclic.fpr)};
    for (const int code : kCodes) {
      TAMIS_ASSIGN_OR_RETURN(
          const RateCell cell,
          MeasureAtPaperLoad(
              plan, fmt::format("taf:r=8,overflow=reset,code={}", code),
              stream));
      row.push_back(
          fmt::format("{:.2e} ({:.2f}x)", cell.fpr, cell.fpr / cyclic.fpr));
    }
  }
  result.tables.push_back(std::move(table));
  return {};
}

Status AddBudgets(const ExperimentOptions& options, Findings& result) {
  const FirehoseStream asked{.stream = "firehose-active:exponent=-0.5",
                             .count = 10'000'000,
                             .one_in = options.paper_scale ? 1U : 4U};
  TAMIS_ASSIGN_OR_RETURN(QueryStream stream, QueriesOf(asked));
  const uint64_t unique = stream.keys.size();
  const GridPlan plan{.ratios = {},
                      .seed = options.seed,
                      .seeds = options.paper_scale ? 3 : 1,
                      .set_members = {}};
  TAMIS_RETURN_IF_ERROR(AddCodesAtLoad(plan, unique, stream, result));
  const uint64_t ratio = 20;
  SetRandomMembers(unique, unique / ratio, stream);
  const std::string title = fmt::format(
      "False positive rate by budget, {}, A/S = {}", asked.stream, ratio);
  ResultTable table{title, {"bits/key"}, {}};
  for (const SweptSpec& one : kSwept) table.columns.emplace_back(one.name);
  table.columns.emplace_back("the best TAF");
  TAMIS_ASSIGN_OR_RETURN(const Sweeps sweeps,
                         SweepBudgets(plan, stream, options, table));
  result.tables.push_back(std::move(table));
  ShowSweeps(title, sweeps, result);
  result.notes.push_back(fmt::format(
      "budgets: {} members, {} different queries, {} in all, {} seeds; the "
      "best TAF is found with the result in sight",
      stream.num_members, unique, stream.queries.size(), plan.seeds));
  return {};
}

}  // namespace

Result<Findings> RunTafCodes(const ExperimentOptions& options) {
  Findings result;
  TAMIS_RETURN_IF_ERROR(AddOverflows(options, result));
  TAMIS_RETURN_IF_ERROR(AddTheorem4(options, result));
  TAMIS_RETURN_IF_ERROR(AddBudgets(options, result));
  result.notes.emplace_back(
      "overflow: overflow=refuse, unique queries, load 0.95; the code of 56 "
      "bits is the papers' tuned one, others are the best (x, y)");
  return result;
}

}  // namespace tamis::tools
