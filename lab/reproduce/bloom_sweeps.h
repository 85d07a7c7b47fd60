// Sweeps: the rate of a filter over k, on a trace, for one N/M.
//
// Every experiment on traces asks the same question of some filters, and
// differs in which it asks and what it does with the answers: a curve (Figures
// 7 to 10) or the best k (Table II, the check, the forms of section VI).

#ifndef TAMIS_LAB_REPRODUCE_BLOOM_SWEEPS_H_
#define TAMIS_LAB_REPRODUCE_BLOOM_SWEEPS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/reproduce/bloom_runs.h"
#include "lab/reproduce/experiment.h"
#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

inline constexpr int kMaxK = 8;
inline constexpr std::array<uint64_t, 3> kKeysPerWord = {8, 12, 16};  // N/M

struct SweptFilter {
  std::string name;  // in tables and charts
  std::string spec;  // without bits and k
  int least_k = 1;
};

inline const SweptFilter kBloom1{"bloom1", "bloom1:w=64"};
// Returns the adaptive filter of the paper's runs, without the check.
SweptFilter PaperAbf(int sets, int decimation = 1);

struct Sweep {
  SweptFilter filter;
  std::vector<RunRates> rates;  // of k = least_k, ..., kMaxK

  int best_k() const;
  const RunRates& best() const { return at(best_k()); }
  // REQUIRES: filter.least_k <= k <= kMaxK
  const RunRates& at(int k) const;
  // Returns "0.0053 (k=4)".
  std::string BestText() const;
};

// One trace at one N/M, with the filters that an experiment asks about.
struct SweptCase {
  const FlowTrace& trace;
  uint64_t keys_per_word;
  std::vector<Sweep> sweeps;  // in the order of the filters

  const RunRates& best(size_t filter) const { return sweeps[filter].best(); }
  // Returns how many times lower the best rate of the second is.
  double Reduction(size_t from, size_t to) const;
  // Returns "flows: N/M = 8".
  std::string Name() const;
};

// Returns the mean rates of `filter` with k, over the runs of this scale.
Result<RunRates> Replay(const FlowTrace& trace, const std::string& spec,
                        uint64_t keys_per_word,
                        const ExperimentOptions& options);

// Loads the traces, sweeps `filters` over k for each of them and each N/M, and
// calls visit with what it found.  Puts what is to be said of the traces into
// the notes of `findings`.
Status ForEachSweptCase(const ExperimentOptions& options,
                        std::span<const uint64_t> keys_per_word,
                        const std::vector<SweptFilter>& filters,
                        Findings& findings,
                        const std::function<Status(const SweptCase&)>& visit);

// Returns the rates over k: a column and a series for each filter.
ResultTable TableOverK(const std::string& title, const SweptCase& swept);
Chart ChartOverK(const std::string& title, const SweptCase& swept);

// Adds the best rate of each filter to the chart of this trace, over N/M,
// which is made if the last chart is of another one.
void AddToChartOverLoad(const std::string& title, const SweptCase& swept,
                        std::vector<Chart>& charts);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_BLOOM_SWEEPS_H_
