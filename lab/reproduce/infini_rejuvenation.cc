// Figure 14 of the InfiniFilter paper: queries for existing keys, which
// rejuvenate what they find, mixed with inserts.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/infini_figures.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kMixed = 64;  // keys inserted between rejuvenations

Result<GrowthRun> RunRejuvenating(std::string_view spec, double per_insert,
                                  const GrowthOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         GrowthFilter(spec, options.start_slots, options.seed));
  workloads::Random random(options.seed + 1);
  double owed = 0;
  const auto insert = [&](AnyFilter& grown, uint64_t first,
                          uint64_t count) -> Status {
    for (uint64_t done = 0; done < count; done += kMixed) {
      const uint64_t piece = std::min(kMixed, count - done);
      TAMIS_RETURN_IF_ERROR(InsertPlainly(
          grown, GrowthHashes(grown, options.seed, first + done, piece)));
      owed += per_insert * static_cast<double>(piece);
      for (; owed >= 1; owed -= 1) {
        const uint64_t index = random.Below(first + done + piece);
        TAMIS_RETURN_IF_ERROR(grown.Rejuvenate(
            grown.hasher().Hash(GrowthKey(options.seed, index))));
      }
    }
    return {};
  };
  TAMIS_ASSIGN_OR_RETURN(GrowthRun run,
                         RunGrowth(std::move(filter), options, insert));
  run.spec += fmt::format(", {} queries per insert", per_insert);
  return run;
}

Status AddSlots(int bits, const ExperimentOptions& options, Findings& result) {
  const GrowthOptions growth = GrowthOptionsFor(options);
  const std::string spec = fmt::format("infini:f={}", bits);
  std::vector<GrowthPhase> last;
  std::vector<double> slower;  // the last phase's look-ups against doubling 3's
  GrowthCharts charts(spec);
  for (const double per_insert : {0.0, 0.2, 1.0, 2.0}) {
    TAMIS_ASSIGN_OR_RETURN(const GrowthRun run,
                           RunRejuvenating(spec, per_insert, growth));
    AddPhases(run, result);
    charts.Add(run);
    last.push_back(run.phases.back());
    slower.push_back(last.back().query_ns / run.phases[3].query_ns);
  }
  charts.MoveTo(result);
  const bool falls = std::is_sorted(
      last.rbegin(), last.rend(), [](const auto& a, const auto& b) {
        return a.false_positives < b.false_positives;
      });
  result.claims.push_back(
      {fmt::format("{}: more positive queries, fewer false positives", spec),
       {"with a higher proportion of positive queries in the workload, the "
        "false positive rate stays lower and more stable",
        "5, Figure 14 (A), (C)"},
       fmt::format("{:.5f}, {:.5f}, {:.5f}, {:.5f}", last[0].Fpr(),
                   last[1].Fpr(), last[2].Fpr(), last[3].Fpr()),
       {"falls from 0 to 0.2, 1 and 2 queries an insert", Limit::From::kPaper},
       falls});
  result.claims.push_back(
      {fmt::format("{}: more positive queries, cheaper queries", spec),
       {"a higher proportion of positive queries also keeps query costs lower "
        "and more stable",
        "5, Figure 14 (B), (D)"},
       fmt::format("{:.1f}, {:.1f}, {:.1f}, {:.1f} ns", last[0].query_ns,
                   last[1].query_ns, last[2].query_ns, last[3].query_ns),
       {"2 queries an insert no slower than 0 (within 5 %)"},
       last[3].query_ns <= 1.05 * last[0].query_ns});
  result.claims.push_back(
      {fmt::format("{}: more positive queries, stabler costs", spec),
       {"keeps query costs lower and more stable", "5, Figure 14 (B), (D)"},
       fmt::format(
           "look-ups in the end take {:.2f}x, {:.2f}x, {:.2f}x, {:.2f}x "
           "of those at doubling 3",
           slower[0], slower[1], slower[2], slower[3]),
       {"2 queries an insert grow no more than 0 (within 5 %)"},
       slower[3] <= 1.05 * slower[0]});
  return {};
}

}  // namespace

Result<Findings> RunInfiniFigure14(const ExperimentOptions& options) {
  Findings result;
  TAMIS_RETURN_IF_ERROR(AddSlots(12, options, result));
  options.progress(0.5);
  TAMIS_RETURN_IF_ERROR(AddSlots(4, options, result));
  result.notes.push_back(
      "insert ns includes the rejuvenations between inserts");
  return result;
}

}  // namespace tamis::tools
