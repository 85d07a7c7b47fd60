// ABF against an adversary: a key that is positive under all S sets of hash
// functions can't be fixed.  Such a key is found by asking each of many random
// keys again and again.

#include <fmt/format.h>

#include <string>

#include "lab/adversaries/cuckoo_adversary.h"
#include "lab/reproduce/bloom_experiments.h"
#include "lab/reproduce/cuckoo_experiments.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kQueryFamily = 0xb10a;  // keys that are never members

struct Outcome {
  uint64_t won = 0;
  double tried = 0;
  double sustained = 0;
};

Result<Outcome> PlayAgainst(const std::string& spec, uint64_t n, uint64_t sets,
                            uint64_t tries, uint64_t first_seed,
                            uint64_t seeds) {
  Outcome outcome;
  for (uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter, RandomFilterOf(spec, n, n, seed));
    const workloads::GameResult game = workloads::RepeatedQueryAdversary(
        filter, 4 * sets, tries, kQueryFamily + seed);
    outcome.won += game.won ? 1 : 0;
    outcome.tried +=
        static_cast<double>(game.tried) / static_cast<double>(seeds);
    outcome.sustained += game.won ? game.sustained : 0;
  }
  if (outcome.won > 0) outcome.sustained /= static_cast<double>(outcome.won);
  return outcome;
}

}  // namespace

Result<Findings> RunBloomAdversary(const ExperimentOptions& options) {
  const uint64_t n = options.paper_scale ? 1 << 16 : 1 << 13;
  const uint64_t seeds = options.paper_scale ? 50 : 10;
  const uint64_t tries = options.paper_scale ? 2'000'000 : 200'000;
  Findings result;
  ResultTable table{"Keys that no set of hash functions tells from a member",
                    {"filter", "eps", "won", "keys tried, mean", "1/eps^S",
                     "false positives of 100 more queries"},
                    {}};
  double done = 0;
  for (const uint64_t sets : {2U, 4U, 8U}) {
    const std::string spec = fmt::format("abf:bits=8,k=4,sets={}", sets);
    TAMIS_ASSIGN_OR_RETURN(
        const Outcome outcome,
        PlayAgainst(spec, n, sets, tries, options.seed, seeds));
    TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                           RandomFilterOf(spec, n, n, options.seed));
    const double eps = filter.stats().expected_fpr;
    double search = 1;
    for (uint64_t i = 0; i < sets; ++i) search /= eps;
    table.rows.push_back({spec, fmt::format("{:.4f}", eps),
                          fmt::format("{} of {}", outcome.won, seeds),
                          fmt::format("{:.0f}", outcome.tried),
                          fmt::format("{:.3g}", search),
                          fmt::format("{:.2f}", outcome.sustained)});
    result.claims.push_back(
        {fmt::format("{}: an adversary finds keys that can't be fixed", spec),
         {},
         fmt::format("{} of {} seeds, after {:.0f} keys; {:.2f} of 100 more "
                     "queries are false positives",
                     outcome.won, seeds, outcome.tried, outcome.sustained),
         {"most of the seeds"},
         2 * outcome.won > seeds});
    options.progress(++done / 3);
  }
  result.tables.push_back(std::move(table));
  result.notes = {
      fmt::format("{} members, 8 bits each; a key is named after {} false "
                  "positives in a row, at most {} keys are tried",
                  n, "4 S", tries),
      "1/eps^S is the search if the sets were independent; a crowded word is "
      "crowded in every set, so that far fewer keys suffice"};
  return result;
}

}  // namespace tamis::tools
