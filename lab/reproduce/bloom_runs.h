// What the experiments of the Bloom family share: traces, and replaying them.
//
// A trace is kept as the distinct keys of its flows and, for each packet, the
// number of its flow: a run hashes every flow once, under its own seed.
//
// Parameters, fixed before any adaptive filter was run:
//   flows      3,000,000 packets of the `flows` stream with its defaults (about
//              340,000 flows, P(length >= x) = 1/x); 750,000 in quick runs
//   recorded   all packets of the files of --data
//   words      M = 1024, as in the authors' published script (half, and so on,
//              while 16 M is more than a third of the flows); N = 8 M, 12 M,
//              16 M members, a random choice of flows
//   rate       false positives among the packets of flows that are no members

#ifndef TAMIS_LAB_REPRODUCE_BLOOM_RUNS_H_
#define TAMIS_LAB_REPRODUCE_BLOOM_RUNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lab/reproduce/experiment.h"
#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

struct FlowTrace {
  std::string name;
  std::vector<uint64_t> keys;     // of the flows
  std::vector<uint32_t> packets;  // the flow of each
  uint64_t words = 0;             // M
};

// Returns the generated trace, then the recorded ones of --data.
Result<std::vector<FlowTrace>> LoadFlowTraces(const ExperimentOptions& options);
// Returns what to say about the traces and the parameters.
std::vector<std::string> DescribeTraces(const std::vector<FlowTrace>& traces);

struct RunRates {
  double fpr = 0;             // the mean over the runs
  double low = 0;             // the least of them
  double high = 0;            // and the greatest
  double adapts = 0;          // per negative look-up, the mean
  double external_reads = 0;  // words of the copies, per adapt asked for
};

// Inserts keys_per_word * words random flows into the filter `spec` and looks
// up every packet, adapting on each false positive if the filter can.  Returns
// the mean over `runs` choices of members.  `spec` lacks `bits`, which is put
// in so that the filter has trace.words words of 64 bits; a cuckoo filter (a
// spec with `f`) gets as many slots as its keys need at load 0.95.
Result<RunRates> ReplayTrace(const FlowTrace& trace, const std::string& spec,
                             uint64_t keys_per_word, uint64_t seed, int runs);

// Inserts keys_per_word * words keys, then looks up `negatives` absent keys,
// `repeats` times each on average, each look-up a random one of them.
Result<RunRates> RunSynthetic(const std::string& spec, uint64_t words,
                              uint64_t keys_per_word, uint64_t negatives,
                              uint64_t repeats, uint64_t seed, int runs);

// Returns the rate as a point of a chart, with the spread of the runs.
ChartPoint PointAt(double x, const RunRates& rates);

// Returns the number with four digits after the point.
std::string Rate(double rate);
// Returns "3.04x".
std::string Times(double factor);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_BLOOM_RUNS_H_
