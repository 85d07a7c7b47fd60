// The tamis filter against what adaptive filters are made for: queries that
// come again, and an adversary that asks again what was wrong.
//
// grow=no, so that its slots are the RSQF's, and load 0.99: all that a key
// costs is counted, extensions, screen and object included.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/adversaries/thesis_adversary.h"
#include "lab/reproduce/judge.h"
#include "lab/reproduce/tamis_active.h"
#include "lab/reproduce/tamis_contest.h"
#include "lab/reproduce/tamis_figures.h"
#include "workloads/zipf.h"

namespace tamis::tools {
namespace {

const std::vector<Contender> kOnZipf = {
    {"tamis:f=10,grow=no,extensions=0.3", 0.99},
    {"cuckooing:f=12", 0.95},
    {"taf:r=9", 0.95}};

Status AddZipf(const ExperimentOptions& options, Findings& result) {
  constexpr uint64_t kMembers = 249'000;
  const uint64_t queries = options.paper_scale ? 10'000'000 : 1'000'000;
  const uint64_t seeds = options.paper_scale ? 5 : 2;
  std::vector<ContestResult> outcomes(kOnZipf.size());
  for (uint64_t seed = options.seed; seed < options.seed + seeds; ++seed) {
    workloads::ZipfStream zipf(
        {.seed = seed, .exponent = 1, .universe = 10 * kMembers});
    std::vector<uint64_t> keys(queries);
    for (uint64_t& key : keys) key = zipf.Next();
    for (size_t i = 0; i < kOnZipf.size(); ++i) {
      TAMIS_RETURN_IF_ERROR(AskContender(kOnZipf[i], kMembers, seed, keys,
                                         static_cast<double>(seeds),
                                         outcomes[i]));
    }
  }
  ResultTable table{.title = fmt::format("Zipf(1.0), A/S = 10, {} queries, {} "
                                         "members, mean of {} seeds",
                                         queries, kMembers, seeds),
                    .columns = {"filter", "bits a key", "false positives"},
                    .rows = {}};
  for (size_t i = 0; i < kOnZipf.size(); ++i) {
    table.rows.push_back({kOnZipf[i].spec,
                          fmt::format("{:.2f}", outcomes[i].bits_per_key),
                          AsPercent(outcomes[i].rate)});
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(
      Judged("Zipf: bits a key, all included", {},
             fmt::format("{:.2f}", outcomes[0].bits_per_key),
             outcomes[0].bits_per_key, {.high = 12.63}, ""));
  if (!options.paper_scale) return {};  // fewer queries are newer ones
  result.claims.push_back(Judged(
      "Zipf: false positives, in percent", {}, AsPercent(outcomes[0].rate),
      100 * outcomes[0].rate, {.high = 0.0128}, " %"));
  return {};
}

struct Game {
  uint64_t ratio;  // |Q| / |S|
  const char* spec;
  double most_bits;
};
constexpr Game kGames[] = {{10, "tamis:f=9,grow=no,extensions=0.66", 12.3},
                           {20, "tamis:f=9,grow=no,extensions=1.25", 12.9},
                           {50, "tamis:f=10,grow=no,extensions=1.54", 13.9}};

}  // namespace

Result<Findings> RunTamisStreams(const ExperimentOptions& options) {
  Findings result;
  TAMIS_RETURN_IF_ERROR(AddZipf(options, result));
  options.progress(0.5);
  TAMIS_RETURN_IF_ERROR(AddActiveSet(options, result));
  return result;
}

Result<Findings> RunTamisAdversary(const ExperimentOptions& options) {
  const uint64_t members = options.paper_scale ? 124'518 : 30'000;
  Findings result;
  ResultTable table{.title = fmt::format("{} members, 10 rounds", members),
                    .columns = {"|Q|/|S|", "filter", "bits a key",
                                "last round's mistakes", "bits a fix"},
                    .rows = {}};
  double dearest = 0;
  for (const Game& game : kGames) {
    const workloads::ThesisAdversaryOptions play = {
        .seed = options.seed,
        .members = members,
        .queries = game.ratio * members,
        .rounds = 10,
        .subrounds = 10,
        .stop_share = 0};
    const auto slots =
        static_cast<uint64_t>(static_cast<double>(members) / 0.999) + 1;
    TAMIS_ASSIGN_OR_RETURN(
        AnyFilter filter,
        AnyFilter::Create(game.spec, slots,
                          Hasher(Seed{options.seed, ~options.seed})));
    TAMIS_RETURN_IF_ERROR(workloads::InsertAdversaryMembers(filter, play));
    const double plain = static_cast<double>(filter.SizeBits());
    TAMIS_ASSIGN_OR_RETURN(const auto rounds,
                           workloads::RunThesisAdversary(filter, play));
    double fixes = 1;
    for (const auto& [name, value] : filter.stats().details) {
      if (name == "extensions") fixes = std::max(1.0, value);
    }
    const double cost =
        (static_cast<double>(filter.SizeBits()) - plain) / fixes;
    dearest = std::max(dearest, cost);
    const uint64_t last =
        rounds.size() < 10 ? 0 : rounds.back().false_positives;
    const double bits = filter.stats().BitsPerKey();
    table.rows.push_back({fmt::format("{}", game.ratio), game.spec,
                          fmt::format("{:.2f}", bits), fmt::format("{}", last),
                          fmt::format("{:.1f}", cost)});
    result.claims.push_back(
        {fmt::format("|Q|/|S| = {}: the last round has no false positive",
                     game.ratio),
         {},
         fmt::format("{} at {:.2f} bits a key", last, bits),
         {fmt::format("0 at no more than {} bits a key", game.most_bits)},
         last == 0 && (bits <= game.most_bits || !options.paper_scale)});
    options.progress(static_cast<double>(game.ratio) / 80);
  }
  result.tables.push_back(std::move(table));
  result.claims.push_back(Judged("Bits a fix, screen included", {},
                                 fmt::format("at most {:.1f}", dearest),
                                 dearest, {.high = 34}, ""));
  return result;
}

}  // namespace tamis::tools
