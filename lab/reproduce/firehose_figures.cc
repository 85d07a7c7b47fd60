// The telescoping paper's Figure 2, which is the thesis's 6.1 and 6.2: rates on
// the two streams of FireHose over A/S.
//
// The queries are the stream; the set is random keys that are never asked for,
// |A| / (A/S) of them.

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "lab/reproduce/adaptive_quotient.h"
#include "lab/reproduce/firehose_stream.h"
#include "lab/reproduce/judge.h"
#include "lab/reproduce/rate_grid.h"

namespace tamis::tools {
namespace {

// Measures and shows both grids: the papers' parameters, then equal memory.
Result<std::vector<RateGrid>> MeasureBoth(
    FirehoseStream asked, GridPlan plan,
    const std::function<void(double)>& progress, Findings& result) {
  TAMIS_ASSIGN_OR_RETURN(QueryStream stream, QueriesOf(asked));
  const uint64_t unique = stream.keys.size();
  plan.set_members = [=](QueryStream& changed, uint64_t ratio) {
    SetRandomMembers(unique, unique / ratio, changed);
  };
  const auto queries = static_cast<double>(stream.queries.size());
  result.notes.push_back(fmt::format(
      "{}: {} lines, of which one key in {}: {} queries, {} of them different "
      "({:.1f} repeats); mean of {} seeds; load 0.95 with the papers' "
      "parameters",
      asked.stream, asked.count, asked.one_in, stream.queries.size(), unique,
      queries / static_cast<double>(unique), plan.seeds));
  std::vector<RateGrid> grids;
  for (const GridMemory memory : {GridMemory::kPapers, GridMemory::kEqual}) {
    const double before = grids.empty() ? 0 : 0.5;
    TAMIS_ASSIGN_OR_RETURN(RateGrid grid,
                           MeasureGrid(plan, memory, stream, [&](double share) {
                             progress(before + share / 2);
                           }));
    ShowGrid(asked.stream, grid, result);
    grids.push_back(std::move(grid));
  }
  return grids;
}

// Rates so near each other can't be told apart with the seeds that are run.
constexpr double kNearlyLowest = 1.02;

// "TAF has the lowest rate for A/S in [low, high]".
void JudgeLowest(std::string_view where, const Said& paper,
                 const RateGrid& grid, uint64_t low, uint64_t high,
                 Findings& result) {
  std::string ours;
  bool holds = true;
  for (size_t i = 0; i < grid.ratios.size(); ++i) {
    if (grid.ratios[i] < low || grid.ratios[i] > high) continue;
    size_t best = kExaf;
    for (size_t f = kExaf; f <= kStatic; ++f) {
      if (grid.fpr(i, f) < grid.fpr(i, best)) best = f;
    }
    holds &= grid.fpr(i, kTaf) <= kNearlyLowest * grid.fpr(i, best);
    ours +=
        fmt::format("{}A/S {}: TAF {:.2e}, {} {:.2e}", ours.empty() ? "" : "; ",
                    grid.ratios[i], grid.fpr(i, kTaf),
                    kTelescopingFilters[best].name, grid.fpr(i, best));
  }
  result.claims.push_back(
      {fmt::format("{}: TAF has the lowest rate for {} <= A/S <= {} ({})",
                   where, low, high, ToText(grid.memory)),
       paper,
       ours,
       {"the lowest of the papers' filters, within 2 %"},
       holds});
}

// One limit for both streams, since the paper says it of both.
void JudgeExaf(std::string_view where, const RateGrid& grid, Findings& result) {
  const double ratio = grid.MeanRatio(kExaf, kTaf, 0, ~uint64_t{0});
  result.claims.push_back(Judged(
      fmt::format("{}: exAF is substantially worse than TAF ({})", where,
                  ToText(grid.memory)),
      {"in both cases (and particularly for the active set data), the exAF "
       "performs substantially worse than the TAF",
       "6.1"},
      fmt::format("{:.2f}x, mean over A/S", ratio), ratio, {.low = 1.5}));
}

// Ours: random moves against the rule of the paper, and against TAF.
void JudgeRandomMoves(std::string_view where, const RateGrid& grid,
                      Findings& result) {
  const auto ratio = [&](size_t f) {
    return grid.MeanRatio(kCuckooingOurs, f, 0, ~uint64_t{0});
  };
  result.claims.push_back(Judged(
      fmt::format("{}: Cuckooing with random moves is below that with the "
                  "paper's ({})",
                  where, ToText(grid.memory)),
      {},
      fmt::format("{:.2f}x of the paper's, {:.2f}x of TAF's, {:.2f}x of "
                  "Swapping's, means over A/S",
                  ratio(kCuckooing), ratio(kTaf), ratio(kSwapping)),
      ratio(kCuckooing), {.high = 1}));
}

// What the paper and the thesis say of A/S above 20 on the active set.
void JudgeAboveTwenty(std::string_view where, const RateGrid& grid,
                      Findings& result) {
  const std::string memory = ToText(grid.memory);
  const double near = grid.MeanRatio(kTaf, kAcf2, 21, 35);
  result.claims.push_back(Judged(
      fmt::format("{}: for 20 < A/S <= 35 TAF comes near ACF2 ({})", where,
                  memory),
      {"When A/S is in the range 20-35, SELQF FPR performance approaches ACF2 "
       "performance",
       "thesis, 6.2.1; the paper: similar"},
      fmt::format("{:.2f}x ACF2's rate", near), near, {.low = 0.5, .high = 2}));
  const double swapping = grid.MeanRatio(kTaf, kSwapping, 21, ~uint64_t{0});
  result.claims.push_back(
      {fmt::format("{}: for A/S > 20 Swapping is better than TAF ({})", where,
                   memory),
       {"similar to that of the Cyclic ACF with s = 2 (second to the Swapping "
        "ACF)",
        "6.1"},
       fmt::format("TAF has {:.2f}x Swapping's rate", swapping),
       {"more than 1x", Limit::From::kPaper},
       swapping > 1});
}

std::vector<uint64_t> ActiveRatios(bool paper_scale) {
  if (!paper_scale) return {5, 20, 30};
  return {2, 5, 10, 15, 20, 30, 50, 80};
}

constexpr const char* kMemoryNote =
    "the papers count 11 bits a slot for TAF; the authors' code takes 12, "
    "because a block's offset is 8 bytes and not 1; ours takes 11.1, and more "
    "in "
    "small tables, whose tail weighs.  So each claim is also judged with 12.63 "
    "bits a key (12 / 0.95) for every filter: one bit more for each of the "
    "cuckoo filters, too little for a ninth of TAF";

void DescribeCaps(Findings& result) {
  result.notes.emplace_back(kMemoryNote);
  result.notes.emplace_back(
      "the papers average 10 runs; here are 3 at paper scale (the lowest and "
      "the highest are in the chart), because each is done for two budgets");
}

}  // namespace

Result<Findings> RunTafFigure2Active(const ExperimentOptions& options) {
  Findings result;
  double before = 0;
  for (const std::string exponent : {"-0.5", "0.5"}) {
    const std::string where = "exponent " + exponent;
    TAMIS_ASSIGN_OR_RETURN(
        const std::vector<RateGrid> grids,
        MeasureBoth(
            {.stream = "firehose-active:exponent=" + exponent,
             .count = 10'000'000,
             .one_in = options.paper_scale ? 1U : 4U},
            {.ratios = ActiveRatios(options.paper_scale),
             .seed = options.seed,
             .seeds = options.paper_scale ? 3 : 2,
             .set_members = {}},
            [&](double share) { options.progress(before + share / 2); },
            result));
    for (const RateGrid& grid : grids) {
      JudgeLowest(
          where,
          {"On active set data, the SELQF performs best at moderate A/S "
           "values in the range 5-20",
           "thesis, 6.2.1"},
          grid, 5, 20, result);
      JudgeAboveTwenty(where, grid, result);
      JudgeExaf(where, grid, result);
      JudgeRandomMoves(where, grid, result);
    }
    before = 0.5;
  }
  result.notes.emplace_back(
      "the papers say POW_EXP = 0.5 and 57 repeats; with +0.5 the stream is "
      "almost a round-robin (76 repeats in 10 million), with -0.5 keys trend "
      "and retire (54): both are run");
  DescribeCaps(result);
  return result;
}

Result<Findings> RunTafFigure2PowerLaw(const ExperimentOptions& options) {
  Findings result;
  TAMIS_ASSIGN_OR_RETURN(
      const std::vector<RateGrid> grids,
      MeasureBoth(
          {.stream = "firehose-powerlaw",
           .count =
               options.paper_scale ? uint64_t{50'000'000} : uint64_t{3'000'000},
           .one_in = 1},
          {.ratios = options.paper_scale
                         ? std::vector<uint64_t>{2, 5, 10, 20, 30, 50, 80}
                         : std::vector<uint64_t>{5, 10, 20},
           .seed = options.seed,
           .seeds = options.paper_scale ? 3 : 2,
           .set_members = {}},
          options.progress, result));
  for (const RateGrid& grid : grids) {
    JudgeLowest("power law",
                {"the SELQF performs best on moderate values, although this "
                 "range is broader than it is for active set data",
                 "thesis, 6.2.1"},
                grid, 5, 30, result);
    JudgeExaf("power law", grid, result);
    JudgeRandomMoves("power law", grid, result);
  }
  DescribeCaps(result);
  return result;
}

}  // namespace tamis::tools
