// Compare: all filters, one budget, one set, one stream.
//
//   1. fit      each filter's parameters to the budget
//   2. run      each through the stream, under each seed; filters in parallel
//   3. time     their look-ups, one filter after the other, alone
//   4. grow     those that grow, from a thousandth of the keys (growth.h)
//   5. attack   those that learn (attack.h)
//
// All memory of the process counts (keys_in.h): what lies beside a filter, too.
//
// A cached(S) is run with several shares for the cache under the first seed;
// the share with the fewest false positives stays.  That is hindsight, and in
// favour of the cache.
//
// Ctrl-C ends the work early: the seeds that all filters have finished count;
// under the first seed, the filters that have.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tamis/spec.h"
#include "tools/common/progress.h"
#include "tools/compare/attack.h"
#include "tools/compare/budget.h"
#include "tools/compare/growth.h"
#include "tools/compare/keys_in.h"
#include "tools/compare/query_stream.h"
#include "tools/compare/stream_run.h"
#include "tools/compare/timing.h"

namespace tamis::tools {

struct CompareOptions {
  std::vector<Spec> filters;  // what each leaves open is chosen
  double bits_per_key = 12.6;
  KeysIn keys_in = KeysIn::kRam;
  uint64_t first_seed = 1;
  uint64_t seeds = 3;
  int jobs = 1;  // filters run at the same time; timings never are
  bool timings = true;
};

// One filter that took part.
struct ComparedFilter {
  Spec wanted;  // as asked for
  Spec spec;    // as chosen
  Capabilities capabilities;
  double bits_per_key = 0;       // exact; the highest of all seeds
  double slow_bits_per_key = 0;  // mirrors and copies beside, in RAM too
  bool learns = false;           // from its mistakes, where the keys are
  bool reads_to_learn = false;   // one read of the store for each
  std::vector<StreamRun> runs;   // one per seed
  std::optional<LookupTimes> times;
  std::optional<AttackResult> attack;

  double TotalBitsPerKey() const { return bits_per_key + slow_bits_per_key; }
  double MeanFpr() const;
  double LowestFpr() const;
  double HighestFpr() const;
  // The mean over the seeds of a count of StreamRun.
  double Mean(uint64_t StreamRun::*count) const;
};

// One that did not, or not under every seed.
struct UnfitFilter {
  Spec wanted;
  std::optional<double> min_bits_per_key;  // none: that would not help
  std::string reason;                      // a few words

  // In words, rounded up: with so many bits it fits.
  // REQUIRES: min_bits_per_key
  std::string LeastBits() const;
};

struct Comparison {
  Budget budget;
  KeysIn keys_in = KeysIn::kRam;
  uint64_t queries = 0;
  uint64_t negatives = 0;
  uint64_t different_keys = 0;  // of the set and the stream
  uint64_t first_seed = 1;
  uint64_t seeds = 0;         // each filter has run under
  uint64_t wanted_seeds = 0;  // more than `seeds` after an interrupt
  bool interrupted = false;
  uint64_t not_run = 0;                 // filters that an interrupt left out
  std::vector<ComparedFilter> filters;  // the lowest mean FPR first
  std::vector<UnfitFilter> unfit;
  std::vector<GrownFilter> grown;  // those that grow, under the first seed
};

// All filters of AllForms().
std::vector<Spec> AllSpecs();

// kInvalidArgument for a filter or parameter that does not exist, kNotFound
// without members or queries.
Result<Comparison> Compare(const QueryStream& stream,
                           const CompareOptions& options, Progress& progress);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_H_
