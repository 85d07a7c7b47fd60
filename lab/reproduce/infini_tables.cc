// Tables 2 and 3 of the InfiniFilter paper: how query, insert, delete, rate and
// memory of every way to grow scale with the data.
//
// A table says O(...): what a cost does over some doublings.  The measured
// quotient of two phases is judged by the quotient that the O(...) has there,
// with a margin that is ours, since constants and caches take part in times.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/infini_figures.h"
#include "lab/reproduce/judge.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kMaxLinearKeys = 1 << 16;
// Times are compared between doubling 3 and this one, which all filters reach.
constexpr int kFrom = 3;
constexpr int kTo = 6;

// The doublings so far.  A linear chain has a phase for each link, 2^X - 1 of
// them at X doublings.
double Doublings(const GrowthRun& run, const GrowthPhase& phase) {
  const bool linear = run.spec.starts_with("chain-linear");
  return linear ? std::log2(phase.number + 1.0) : phase.number;
}

const GrowthPhase* PhaseAt(const GrowthRun& run, int doublings) {
  const auto found = std::ranges::find_if(run.phases, [&](const auto& one) {
    return Doublings(run, one) == doublings;
  });
  return found == run.phases.end() ? nullptr : &*found;
}

// One row of the papers' tables.  Growths are those from kFrom to kTo.
struct Row {
  std::string_view spec;
  std::string_view place;
  std::string_view query_says;
  double query_growth;
  std::string_view rate_says;
  double rate_growth;  // over the first three doublings; 0: not judged
  std::string_view memory_says;
  double bits_change;  // of a fingerprint, from kFrom to kTo
  int max_expansions;  // 0: infinitely many
};

// A linear chain has 8 links, then 64; a geometric one 4, then 7.
constexpr auto kRows = std::to_array<Row>({
    {"chain-linear:f=9", "Table 2, row 1", "O(N): 8x", 8, "O(2^-F N): 8x", 8,
     "F", 0, 0},
    {"chain:f=9", "Table 2, row 2", "O(lg N): 7/4 = 1.75x", 1.75,
     "O(2^-F lg N): 1 + X = 4x", 4, "F", 0, 0},
    {"chain-growing:f=9", "Table 2, row 3", "O(lg N): 7/4 = 1.75x", 1.75,
     "O(2^-F), the sum of reciprocal squares: 1.42x", 1.42,
     "F + 2 lg(lg N + 1): 1.6 bits more", 1.6, 0},
    {"sacrifice:f=9", "Table 2, row 4", "O(1): 1x", 1, "O(2^-F N): 8x", 8,
     "F - lg N: 3 bits less", -3, 9},
    {"infini:f=8,chain=none", "Table 3, row 1", "O(1): 1x", 1,
     "O(2^-F lg N), 1 + X/2: 2.5x", 2.5, "F", 0, 8},
    {"infini:f=8", "Table 3, row 2", "O(lg N / F): 1x before the chain", 1,
     "O(2^-F lg N), 1 + X/2: 2.5x", 2.5, "F", 0, 0},
    {"infini-growing:f=8", "Table 3, row 3", "O(lg N / (F + lg lg N)): 1x", 1,
     "O(2^-F): 1.2x", 1.2, "F + 2 lg(lg N + 1): 1.6 bits more", 1.6, 0},
});

// Claims that a time grew `expected` times, within a factor of two.
void JudgeTime(const Row& row, std::string_view what, std::string_view says,
               double measured, double expected, Findings& result) {
  result.claims.push_back(Judged(fmt::format("{}: {} at doubling {} against {}",
                                             row.spec, what, kTo, kFrom),
                                 {std::string(says), std::string(row.place)},
                                 fmt::format("{:.2f}x", measured), measured,
                                 {.low = expected / 2, .high = 2 * expected}));
}

void JudgeTimes(const Row& row, const GrowthPhase& from, const GrowthPhase& to,
                Findings& result) {
  JudgeTime(row, "a query", row.query_says, to.query_ns / from.query_ns,
            row.query_growth, result);
  if (from.delete_ns > 0) {
    JudgeTime(row, "a delete", row.query_says, to.delete_ns / from.delete_ns,
              row.query_growth, result);
  }
  JudgeTime(row, "an insert (plain Insert, amortised)", "O(1)",
            to.insert_ns / from.insert_ns, 1, result);
}

void JudgeRate(const Row& row, const GrowthRun& run, Findings& result) {
  const GrowthPhase* third = PhaseAt(run, 3);
  if (third == nullptr || row.rate_growth == 0) return;
  const double measured = third->Fpr() / run.phases.front().Fpr();
  result.claims.push_back(
      Judged(fmt::format("{}: the rate after three doublings", row.spec),
             {std::string(row.rate_says), std::string(row.place)},
             fmt::format("{:.2f}x", measured), measured,
             {.low = 0.75 * row.rate_growth, .high = 1.25 * row.rate_growth}));
}

// A slot that is a bit longer costs 1 / 0.8 bits a key, and its line's header.
void JudgeMemory(const Row& row, const GrowthPhase& from, const GrowthPhase& to,
                 Findings& result) {
  const double expected = row.bits_change / 0.8;
  const double measured = to.bits_per_key - from.bits_per_key;
  result.claims.push_back(
      Judged(fmt::format("{}: bits a key at doubling {} less those at {}",
                         row.spec, kTo, kFrom),
             {"fingerprint bits: " + std::string(row.memory_says),
              std::string(row.place)},
             fmt::format("{:+.2f}", measured), measured,
             {.low = expected - 1, .high = expected + 1}, " bits"));
}

void JudgeExpansions(const Row& row, const GrowthRun& run, Findings& result) {
  const int last = run.phases.back().number;
  const bool ended = !run.end.empty();
  const std::string paper = row.max_expansions == 0 ? "infinitely many" : "F";
  result.claims.push_back(
      {fmt::format("{}: expansions", row.spec),
       {paper, std::string(row.place)},
       ended ? fmt::format("{}, then it is full", last)
             : fmt::format("{} and no end", last),
       {row.max_expansions == 0 ? "no end"
                                : fmt::format("{}", row.max_expansions),
        Limit::From::kPaper},
       row.max_expansions == 0 ? !ended : ended && last == row.max_expansions});
}

void JudgeRow(const GrowthRun& run, Findings& result) {
  const auto row = std::ranges::find(kRows, run.spec, &Row::spec);
  if (row == kRows.end()) return;
  const GrowthPhase* from = PhaseAt(run, kFrom);
  const GrowthPhase* to = PhaseAt(run, kTo);
  JudgeRate(*row, run, result);
  JudgeExpansions(*row, run, result);
  if (from == nullptr || to == nullptr) return;
  JudgeTimes(*row, *from, *to, result);
  JudgeMemory(*row, *from, *to, result);
}

std::vector<std::string> Cells(const GrowthRun& run, const GrowthPhase& phase) {
  return {run.spec,
          fmt::format("{}", Doublings(run, phase)),
          fmt::format("{:.5f}", phase.Fpr()),
          fmt::format("{:.2f}", phase.bits_per_key),
          fmt::format("{:.1f}", phase.query_ns),
          fmt::format("{:.1f}", phase.insert_ns),
          phase.delete_ns > 0 ? fmt::format("{:.1f}", phase.delete_ns) : "-"};
}

}  // namespace

Result<Findings> RunInfiniTables(const ExperimentOptions& options) {
  static constexpr auto kSpecs = std::to_array<std::string_view>(
      {"chain-linear:f=9", "chain:f=9", "chain-growing:f=9", "sacrifice:f=9",
       "infini:f=8,chain=none", "infini:f=8", "infini:f=8,chain=duplicate",
       "infini-growing:f=8", "infini:f=4", "infini:f=4,chain=duplicate"});
  Findings result;
  ResultTable table{"Tables 2 and 3, measured: after doublings 3, 6, 9, ...",
                    {"filter", "doublings", "FPR", "bits per key", "query ns",
                     "insert ns (plain Insert)", "delete ns"},
                    {}};
  GrowthOptions growth = GrowthOptionsFor(options);
  growth.deletes = true;
  for (size_t i = 0; i < kSpecs.size(); ++i) {
    GrowthOptions limited = growth;
    if (kSpecs[i].starts_with("chain-linear"))
      limited.max_keys = kMaxLinearKeys;
    TAMIS_ASSIGN_OR_RETURN(const GrowthRun run, RunGrowth(kSpecs[i], limited));
    for (const GrowthPhase& phase : run.phases) {
      if (std::fmod(Doublings(run, phase), 3) != 0) continue;
      table.rows.push_back(Cells(run, phase));
    }
    if (!run.end.empty()) {
      result.notes.push_back(fmt::format("{} stopped: {}", run.spec, run.end));
    }
    JudgeRow(run, result);
    options.progress(static_cast<double>(i + 1) / kSpecs.size());
  }
  result.tables.push_back(std::move(table));
  result.notes.push_back(fmt::format(
      "the linear chain ends at {} keys, since its cost grows with their "
      "square; deletes erase a quarter of the members, at most 4,000, of all "
      "ages, from a copy",
      kMaxLinearKeys));
  return result;
}

}  // namespace tamis::tools
