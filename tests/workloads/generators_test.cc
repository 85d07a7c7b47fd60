// Zipf, uniform, flows and growth: statistics against their formulas.
//
// Tolerances are in standard deviations of the count that is compared; seeds
// are fixed.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "workloads/flows.h"
#include "workloads/growth.h"
#include "workloads/random.h"
#include "workloads/uniform.h"
#include "workloads/zipf.h"

namespace tamis::workloads {
namespace {

constexpr double kSigmas = 5;

// Expects `count` of `draws` where each is a hit with probability p.
void ExpectShare(uint64_t count, uint64_t draws, double p) {
  const auto n = static_cast<double>(draws);
  EXPECT_NEAR(static_cast<double>(count), n * p,
              kSigmas * std::sqrt(n * p * (1 - p)) + 1e-9);
}

TEST(Random, BelowIsEvenAndInRange) {
  Random random(3);
  std::vector<uint64_t> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts.at(random.Below(7));
  for (const uint64_t count : counts) ExpectShare(count, 70'000, 1.0 / 7);
}

TEST(Random, DistinctKeysAreDistinct) {
  std::unordered_set<uint64_t> keys;
  for (uint64_t i = 0; i < 100'000; ++i) keys.insert(DistinctKey(9, i));
  EXPECT_EQ(keys.size(), 100'000u);
}

TEST(Zipf, NormAgreesWithTheSum) {
  for (const double s : {0.0, 0.5, 0.999, 1.0, 1.001, 1.5, 3.0}) {
    double sum = 0;
    for (int k = 200'000; k > 0; --k) sum += std::pow(k, -s);
    EXPECT_NEAR(ZipfNorm(200'000, s) / sum, 1, 1e-10) << s;
  }
}

class ZipfShares : public testing::TestWithParam<double> {};

TEST_P(ZipfShares, MatchTheFormula) {
  constexpr uint64_t kDraws = 300'000;
  ZipfStream stream({.seed = 11, .exponent = GetParam(), .universe = 1'000});
  std::vector<uint64_t> counts(1'001);
  for (uint64_t i = 0; i < kDraws; ++i) ++counts.at(stream.NextRank());
  EXPECT_EQ(counts[0], 0u);
  for (const uint64_t rank : {1, 2, 3, 10, 100, 999, 1'000}) {
    SCOPED_TRACE(rank);
    ExpectShare(counts[rank], kDraws, stream.Probability(rank));
  }
}
INSTANTIATE_TEST_SUITE_P(Exponents, ZipfShares,
                         testing::Values(0, 0.5, 0.99, 1, 1.01, 1.5, 2, 8));

TEST(Zipf, LargeUniverseStaysInRange) {
  constexpr uint64_t kUniverse = ZipfStream::kMaxUniverse;
  for (const double s : {0.0, 0.8, 1.0, 2.0}) {
    ZipfStream stream({.exponent = s, .universe = kUniverse});
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t rank = stream.NextRank();
      ASSERT_TRUE(rank >= 1 && rank <= kUniverse) << rank;
    }
  }
}

TEST(Zipf, ScrambledKeysAreAnImageOfTheRanks) {
  ZipfStream plain({.seed = 5, .universe = 100, .scramble = false});
  ZipfStream scrambled({.seed = 5, .universe = 100});
  for (int i = 0; i < 1'000; ++i) {
    const uint64_t rank = plain.Next();
    ASSERT_LE(rank, 100u);
    ASSERT_EQ(scrambled.Next(), DistinctKey(5, rank));
  }
}

TEST(Uniform, SmallUniverseIsEven) {
  UniformStream stream({.seed = 2, .universe = 10, .scramble = false});
  std::vector<uint64_t> counts(10);
  for (int i = 0; i < 50'000; ++i) ++counts.at(stream.Next());
  for (const uint64_t count : counts) ExpectShare(count, 50'000, 0.1);
}

TEST(Flows, FormulasAreThoseOfTheHeader) {
  EXPECT_NEAR(FlowLengthShare(1, 10), 0.909, 5e-4);
  EXPECT_NEAR(FlowLengthShare(1'001, 10'000), 0.0009, 5e-5);
  EXPECT_NEAR(FlowLengthShare(1, kLongestFlow), 1, 1e-12);
  const double mean = FlowPacketMean(1, kLongestFlow);
  EXPECT_NEAR(mean, 8.8, 0.02);
  EXPECT_NEAR(FlowPacketMean(1, 10) / mean, 0.230, 5e-4);
  EXPECT_NEAR(FlowPacketMean(11, 100) / mean, 0.248, 5e-4);
  EXPECT_NEAR(FlowPacketMean(101, 1'000) / mean, 0.260, 5e-4);
  EXPECT_NEAR(FlowPacketMean(1'001, 10'000) / mean, 0.262, 5e-4);
}

TEST(Flows, LengthsMatchTheFormula) {
  constexpr uint64_t kDraws = 500'000;
  Random random(4);
  std::vector<uint64_t> counts(5);  // by number of digits of length - 1
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t length = DrawFlowLength(random);
    ASSERT_TRUE(length >= 1 && length <= kLongestFlow);
    ++counts[(length > 10) + (length > 100) + (length > 1'000)];
  }
  ExpectShare(counts[0], kDraws, FlowLengthShare(1, 10));
  ExpectShare(counts[1], kDraws, FlowLengthShare(11, 100));
  ExpectShare(counts[2], kDraws, FlowLengthShare(101, 1'000));
  ExpectShare(counts[3], kDraws, FlowLengthShare(1'001, 10'000));
}

TEST(Flows, TraceHasShortAndLongFlows) {
  constexpr uint64_t kPackets = 1'000'000;
  FlowStream stream(1);
  std::unordered_map<uint64_t, uint64_t> packets_of;
  for (uint64_t i = 0; i < kPackets; ++i) ++packets_of[stream.Next()];
  EXPECT_EQ(packets_of.size(), stream.flows_begun());
  uint64_t short_flows = 0;
  uint64_t long_flows = 0;
  for (const auto& [key, packets] : packets_of) {
    ASSERT_LE(packets, kLongestFlow);
    short_flows += packets <= 10;
    long_flows += packets > 1'000;
  }
  // Flows cut by the end are short ones too: hence the room above 0.909.
  const auto flows = static_cast<double>(packets_of.size());
  EXPECT_NEAR(static_cast<double>(short_flows) / flows, 0.92, 0.015);
  EXPECT_NEAR(static_cast<double>(long_flows) / flows, 0.0008, 0.0004);
}

void CheckGrowth(GrowthStream::EraseOrder order) {
  constexpr uint64_t kSteps = 100'000;
  GrowthStream stream({.seed = 6, .erase_share = 0.3, .order = order});
  std::set<uint64_t> members;
  uint64_t erases = 0;
  for (uint64_t i = 0; i < kSteps; ++i) {
    const Operation operation = stream.Next();
    if (operation.kind == Operation::Kind::kInsert) {
      ASSERT_TRUE(members.insert(operation.key).second);
    } else {
      ASSERT_EQ(members.erase(operation.key), 1u);
      ++erases;
    }
    ASSERT_EQ(members.size(), stream.size());
  }
  ExpectShare(erases, kSteps, 0.3);
}

TEST(Growth, ErasesOnlyMembersOldestFirst) {
  CheckGrowth(GrowthStream::EraseOrder::kOldest);
}
TEST(Growth, ErasesOnlyMembersAtRandom) {
  CheckGrowth(GrowthStream::EraseOrder::kRandom);
}

}  // namespace
}  // namespace tamis::workloads
