// The tamis filter beside a TAF of as many bits, on FireHose's active set.
//
// The stream asks for A keys round and round, A/S of them a member.  Each that is
// a false positive has to be remembered: A/S 2^-f of the members.  A TAF has 0.9
// bits a slot for that, whatever f is; the tamis filter has what its longer
// fingerprints leave of the TAF's bits, at some 31 bits a fix:
//
//   r of the TAF   its bits   most A/S that 31 bits a fix could remember
//        8           12         10
//        9           13         20
//       10           14         40
//       11           15         80
//
// (of many members; of a few thousand, tables of some lines remember fewer).
//
// Tables are compared with tables: the object itself, 1.3 KB, would be most of
// what is to be seen of some thousand members.

#include "lab/reproduce/tamis_active.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/judge.h"
#include "lab/reproduce/tamis_contest.h"
#include "tamis/tamis_filter.h"
#include "workloads/key_stream.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kActiveRatios[] = {5, 10, 20, 40, 80};  // A/S
constexpr double kTafLoad = 0.95;

// The bits a key of the tables alone.
double TableBits(const ContestResult& tamis, uint64_t members) {
  return tamis.bits_per_key -
         8.0 * sizeof(TamisFilter) / static_cast<double>(members);
}

struct ActiveStream {
  std::string name;
  std::vector<uint64_t> keys;
  uint64_t unique = 0;
};

Result<ActiveStream> TakeActive(const std::string& exponent, uint64_t count) {
  ActiveStream stream{.name = "firehose-active:exponent=" + exponent,
                      .keys = {}};
  TAMIS_ASSIGN_OR_RETURN(stream.keys, workloads::TakeKeys(stream.name, count));
  std::vector<uint64_t> sorted = stream.keys;
  std::sort(sorted.begin(), sorted.end());
  stream.unique = static_cast<uint64_t>(
      std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  return stream;
}

// What the tables of tamis make best of so many bits a key: with longer
// fingerprints there is less to fix, with shorter ones more room for fixes.
Result<Contender> BestSplit(std::span<const uint64_t> keys, uint64_t members,
                            uint64_t seed, int taf_bits, double bits_per_key) {
  Contender best;
  double least = 2;
  for (const int f : {taf_bits, taf_bits + 1, taf_bits + 2}) {
    for (const double load : {0.95, 0.97, 0.99}) {
      const std::string plain =
          fmt::format("tamis:f={},grow=no,extensions=", f);
      TAMIS_ASSIGN_OR_RETURN(
          const AnyFilter bare,
          FilledContender({plain + "0", load}, members, seed));
      const double tables =
          static_cast<double>(bare.SizeBits() - 8 * sizeof(TamisFilter)) /
          static_cast<double>(members);
      const double left = (bits_per_key - tables) * load;  // a slot
      if (left < 0) continue;
      Contender one{fmt::format("{}{:.3f}", plain, left), load};
      ContestResult outcome;
      TAMIS_RETURN_IF_ERROR(AskContender(one, members, seed, keys, 1, outcome));
      // What is less than a few lines is given as a few lines.
      if (TableBits(outcome, members) > 1.005 * bits_per_key) {
        one.spec = plain + "0";
        outcome = {};
        TAMIS_RETURN_IF_ERROR(
            AskContender(one, members, seed, keys, 1, outcome));
      }
      if (outcome.rate < least) {
        least = outcome.rate;
        best = one;
      }
    }
  }
  return best;
}

struct ActiveCell {
  uint64_t ratio;  // A/S
  Contender ours;
  ContestResult tamis;
  ContestResult taf;
  double once;  // the rate if each key were wrong at most once
};

Result<ActiveCell> CompareCell(const ExperimentOptions& options,
                               const ActiveStream& stream, int taf_bits,
                               uint64_t ratio) {
  const uint64_t seeds = options.paper_scale ? 5 : 1;
  const uint64_t members = stream.unique / ratio;
  const auto times = static_cast<double>(seeds);
  const Contender taf{fmt::format("taf:r={}", taf_bits), kTafLoad};
  ActiveCell cell{
      .ratio = ratio, .ours = {}, .tamis = {}, .taf = {}, .once = 0};
  for (uint64_t s = 0; s < seeds; ++s) {
    const uint64_t seed = options.seed + s;
    TAMIS_RETURN_IF_ERROR(
        AskContender(taf, members, seed, stream.keys, times, cell.taf));
    if (s == 0) {
      // Decided on the beginning, in which all keys come a few times.
      const auto begin =
          std::span(stream.keys)
              .first(std::min<size_t>(1'500'000, stream.keys.size()));
      TAMIS_ASSIGN_OR_RETURN(cell.ours,
                             BestSplit(begin, members, seed, taf_bits,
                                       cell.taf.bits_per_key * times));
    }
    TAMIS_RETURN_IF_ERROR(
        AskContender(cell.ours, members, seed, stream.keys, times, cell.tamis));
  }
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         FilledContender(cell.ours, members, options.seed));
  cell.once = filter.ExpectedFpr() * static_cast<double>(stream.unique) /
              static_cast<double>(stream.keys.size());
  return cell;
}

// The largest ratios of all cells of one r.
struct WorstCells {
  double to_taf = 0;
  // Above one mistake a key, in standard deviations, where all are remembered.
  double in_budget = 0;
  uint64_t holds_up_to = 80;
};

Status AddActiveStream(const ExperimentOptions& options,
                       const ActiveStream& stream, int taf_bits,
                       Findings& result, WorstCells& worst) {
  ResultTable table{
      .title = fmt::format("{}, taf:r={}", stream.name, taf_bits),
      .columns = {"A/S", "filter", "load", "bits a key", "its rate",
                  "fixes forgotten", "TAF's bits", "TAF's rate", "ratio"},
      .rows = {}};
  Chart chart{table.title, "A/S", "false positive rate", true, true, {}};
  chart.series = {{"tamis", {}}, {"taf", {}}};
  for (const uint64_t ratio : kActiveRatios) {
    TAMIS_ASSIGN_OR_RETURN(const ActiveCell cell,
                           CompareCell(options, stream, taf_bits, ratio));
    const double to_taf = cell.tamis.rate / cell.taf.rate;
    table.rows.push_back(
        {fmt::format("{}", ratio), cell.ours.spec,
         fmt::format("{:.2f}", cell.ours.load),
         fmt::format("{:.2f}", TableBits(cell.tamis, stream.unique / ratio)),
         AsPercent(cell.tamis.rate),
         fmt::format("{:.0f}", cell.tamis.forgotten),
         fmt::format("{:.2f}", cell.taf.bits_per_key), AsPercent(cell.taf.rate),
         fmt::format("{:.2f}x", to_taf)});
    const auto x = static_cast<double>(ratio);
    chart.series[0].points.push_back({.x = x, .y = cell.tamis.rate});
    chart.series[1].points.push_back({.x = x, .y = cell.taf.rate});
    worst.to_taf = std::max(worst.to_taf, to_taf);
    // Chance alone makes them differ by some percent.
    if (to_taf > 1.05)
      worst.holds_up_to = std::min(worst.holds_up_to, ratio / 2);
    if (cell.tamis.forgotten == 0 && cell.tamis.fixes > 0) {
      const double asked = static_cast<double>(stream.keys.size()) *
                           (options.paper_scale ? 5 : 1);
      worst.in_budget =
          std::max(worst.in_budget, (cell.tamis.rate - cell.once) * asked /
                                        std::sqrt(cell.once * asked));
    }
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  return {};
}

}  // namespace

Status AddActiveSet(const ExperimentOptions& options, Findings& result) {
  const uint64_t count = options.paper_scale ? 10'000'000 : 2'500'000;
  std::vector<ActiveStream> streams;
  for (const char* exponent : {"-0.5", "0.5"}) {
    TAMIS_ASSIGN_OR_RETURN(ActiveStream stream, TakeActive(exponent, count));
    streams.push_back(std::move(stream));
  }
  double in_budget = 0;
  for (const int taf_bits : {8, 9, 10, 11}) {
    if (!options.paper_scale && taf_bits % 3 != 2) continue;
    WorstCells worst;
    for (const ActiveStream& stream : streams) {
      TAMIS_RETURN_IF_ERROR(
          AddActiveStream(options, stream, taf_bits, result, worst));
    }
    in_budget = std::max(in_budget, worst.in_budget);
    result.claims.push_back(
        Judged(fmt::format("FireHose's active set, as many bits as taf:r={}: "
                           "not above its rate, A/S 5 to 80",
                           taf_bits),
               {},
               fmt::format("at most {:.2f}x; not above up to A/S = {}",
                           worst.to_taf, worst.holds_up_to),
               worst.to_taf, {.high = 1.05}));
  }
  result.claims.push_back(
      Judged("FireHose's active set: no rise while no fix is forgotten", {},
             fmt::format("at most {:.1f} standard deviations above one "
                         "mistake a key",
                         in_budget),
             in_budget, {.high = 4}, ""));
  return {};
}

}  // namespace tamis::tools
