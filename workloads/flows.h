// Flows: a packet trace with heavy-tailed flow lengths, one key per packet.
//
// It stands in for the recorded links that the papers query and that are not
// free.  Most flows are short and a few have thousands of packets, each
// ten-fold interval a tenth of the one before, the shape of Figure 6 of the
// adaptive Bloom filter paper:
//
//   packets of a flow   share of flows   share of packets
//          1 -     10        90.9 %           23.0 %
//         11 -    100         9.0 %           24.8 %
//        101 -  1,000         0.9 %           26.0 %
//      1,001 - 10,000         0.09 %          26.2 %  (of 8.8 a flow in all)
//
// The parameters, whose defaults were fixed before any filter was run on the
// trace:
//
//   length     P(length >= x) = x^-tail, tail = 1, cut at 10,000 packets
//              (longer: redrawn).  8.8 packets a flow; tail = 0.4 has 171,
//              0.5 has 100, 0.7 has 34, 1.5 has 2.6 and 2 has 1.6
//   arrivals   flows start at exponential gaps of mean 1, the unit of time
//   gaps       between packets of a flow: exponential, mean
//              min(duration / 16, duration / length), duration = 16,384: a long
//              flow is a fast one and lasts about that (some 145,000 packets of
//              the trace).  The flows under way, 2,400, go with the duration
//   key        DistinctKey(seed, number of the flow)
//
// The trace begins on an idle link.  Flows under way at the end are cut, as in
// a recorded minute.
//
// Cost: a binary heap of the flows under way (about 2,400): some 11 steps a
// packet.  Memory is bounded by their number, whatever the length of the trace.
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_FLOWS_H_
#define TAMIS_WORKLOADS_FLOWS_H_

#include <cstdint>
#include <vector>

#include "workloads/random.h"

namespace tamis::workloads {

inline constexpr uint64_t kLongestFlow = 10'000;  // packets

// Returns the probability that a flow has from `low` to `high` packets.
// REQUIRES: 1 <= low <= high <= kLongestFlow
double FlowLengthShare(uint64_t low, uint64_t high);
// Returns the mean number of packets of a flow that count when only flows of
// `low` to `high` packets do; over all lengths it is the mean length.
double FlowPacketMean(uint64_t low, uint64_t high);
// Draws a length.  REQUIRES: tail > 0
uint64_t DrawFlowLength(Random& random, double tail = 1);

class FlowStream {
 public:
  struct Options {
    uint64_t seed = 1;
    double tail = 1;          // less: more packets a flow
    double duration = 16384;  // more: more flows at a time
  };

  explicit FlowStream(uint64_t seed = 1) : FlowStream(Options{.seed = seed}) {}
  // REQUIRES: options.tail > 0, options.duration > 0
  explicit FlowStream(const Options& options);
  // Returns the flow of the next packet.
  uint64_t Next();

  // The flows that have begun so far.
  uint64_t flows_begun() const { return flows_begun_; }

 private:
  struct Flow {
    double due;  // time of its next packet
    uint64_t key;
    uint64_t left;  // packets still to come
    double mean_gap;
  };

  static bool Later(const Flow& a, const Flow& b) { return a.due > b.due; }
  uint64_t BeginFlow();
  // Puts the flow back with its next packet due after a gap, if it has one.
  void Schedule(Flow flow, double now);

  Options options_;
  Random random_;
  std::vector<Flow> under_way_;  // a heap, the earliest due on top
  double next_arrival_ = 0;
  uint64_t flows_begun_ = 0;
};

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_FLOWS_H_
