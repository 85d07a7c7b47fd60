#include "workloads/flows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tamis::workloads {
namespace {

// A flow of fewer packets is shorter than the duration.
constexpr double kFastPackets = 16;

// P(length >= x) before the cut, and after it.
double Tail(uint64_t x) { return 1 / static_cast<double>(x); }
double Kept() { return 1 - Tail(kLongestFlow + 1); }

}  // namespace

double FlowLengthShare(uint64_t low, uint64_t high) {
  assert(1 <= low && low <= high && high <= kLongestFlow);
  return (Tail(low) - Tail(high + 1)) / Kept();
}

double FlowPacketMean(uint64_t low, uint64_t high) {
  double sum = 0;
  for (uint64_t length = high; length >= low; --length) {
    sum += static_cast<double>(length) * FlowLengthShare(length, length);
  }
  return sum;
}

uint64_t DrawFlowLength(Random& random, double tail) {
  for (;;) {
    // floor(u^(-1/tail)) >= x exactly when u <= x^-tail.
    const double unit = random.Unit();
    const double length = tail == 1 ? 1 / unit : std::pow(unit, -1 / tail);
    if (length < kLongestFlow + 1) return static_cast<uint64_t>(length);
  }
}

FlowStream::FlowStream(const Options& options)
    : options_(options), random_(options.seed) {
  assert(options.tail > 0 && options.duration > 0);
}

uint64_t FlowStream::Next() {
  if (under_way_.empty() || next_arrival_ <= under_way_.front().due) {
    return BeginFlow();
  }
  std::pop_heap(under_way_.begin(), under_way_.end(), Later);
  const Flow flow = under_way_.back();
  under_way_.pop_back();
  Schedule(flow, flow.due);
  return flow.key;
}

uint64_t FlowStream::BeginFlow() {
  const double now = next_arrival_;
  next_arrival_ += random_.Exponential(1);
  const uint64_t length = DrawFlowLength(random_, options_.tail);
  const uint64_t key = DistinctKey(options_.seed, flows_begun_++);
  const double mean_gap =
      options_.duration / std::max(kFastPackets, static_cast<double>(length));
  Schedule({.due = now, .key = key, .left = length, .mean_gap = mean_gap}, now);
  return key;
}

void FlowStream::Schedule(Flow flow, double now) {
  if (--flow.left == 0) return;
  flow.due = now + random_.Exponential(flow.mean_gap);
  under_way_.push_back(flow);
  std::push_heap(under_way_.begin(), under_way_.end(), Later);
}

}  // namespace tamis::workloads
