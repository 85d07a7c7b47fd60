// Packets a flow, and flows at a time, can be set.

#include <gtest/gtest.h>

#include <cstdint>
#include <unordered_map>

#include "workloads/flows.h"
#include "workloads/key_stream.h"

namespace tamis::workloads {
namespace {

constexpr uint64_t kPackets = 300'000;

// Packets of the trace per flow begun; the end cuts some flows short.
double PacketsPerFlow(const FlowStream::Options& options) {
  FlowStream stream(options);
  for (uint64_t i = 0; i < kPackets; ++i) stream.Next();
  return static_cast<double>(kPackets) /
         static_cast<double>(stream.flows_begun());
}

TEST(FlowOptions, ASteeperTailHasFewerPackets) {
  EXPECT_NEAR(PacketsPerFlow({.seed = 1, .tail = 2}), 1.64, 0.05);
  EXPECT_NEAR(PacketsPerFlow({.seed = 1, .tail = 1.5}), 2.58, 0.2);
  EXPECT_GT(PacketsPerFlow({.seed = 1, .tail = 0.7, .duration = 256}), 25);
}

// Returns the mean distance between two packets of a flow, in packets.
double MeanDistance(double duration) {
  FlowStream stream({.seed = 3, .tail = 1, .duration = duration});
  std::unordered_map<uint64_t, uint64_t> last;
  double sum = 0, count = 0;
  for (uint64_t i = 0; i < kPackets; ++i) {
    const uint64_t flow = stream.Next();
    if (const auto found = last.find(flow); found != last.end()) {
      sum += static_cast<double>(i - found->second);
      ++count;
    }
    last[flow] = i;
  }
  return sum / count;
}

// With more flows under way a flow's next packet is further off.
TEST(FlowOptions, ALongerDurationHasMoreFlowsAtATime) {
  const double distance = MeanDistance(1024);
  EXPECT_GT(MeanDistance(4096), 2.5 * distance);
  EXPECT_LT(MeanDistance(256), distance / 2.5);
}

TEST(FlowOptions, TheDefaultsAreTheTraceOfBefore) {
  const auto plain = TakeKeys("flows:seed=5", 1000);
  const auto given = TakeKeys("flows:seed=5,tail=1,duration=16384", 1000);
  ASSERT_TRUE(plain.ok() && given.ok());
  EXPECT_EQ(*plain, *given);
  EXPECT_FALSE(TakeKeys("flows:tail=0", 10).ok());
}

}  // namespace
}  // namespace tamis::workloads
