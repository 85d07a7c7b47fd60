// What the experiments of the Bloom family make of their runs.

#include "lab/reproduce/bloom_sweeps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tamis::tools {
namespace {

Sweep MakeSweep(std::string name, int least_k, std::vector<double> rates) {
  Sweep sweep{.filter = {std::move(name), "bloom1", least_k}, .rates = {}};
  for (const double rate : rates) {
    sweep.rates.push_back({.fpr = rate, .low = rate / 2, .high = 2 * rate});
  }
  return sweep;
}

// Noisy rates fall, rise and fall again: the least of all counts.
TEST(Sweep, BestIsTheLeastOfAllK) {
  const Sweep sweep = MakeSweep("x", 2, {0.5, 0.3, 0.4, 0.2, 0.25, 0.6, 0.7});
  EXPECT_EQ(sweep.best_k(), 5);
  EXPECT_EQ(sweep.best().fpr, 0.2);
  EXPECT_EQ(sweep.at(2).fpr, 0.5);
  EXPECT_EQ(sweep.BestText(), "0.2000 (k=5)");
}

TEST(Sweep, TablesAndChartsHaveEveryFilterAndK) {
  const FlowTrace trace{.name = "t", .keys = {}, .packets = {}, .words = 1};
  const SweptCase swept{.trace = trace,
                        .keys_per_word = 8,
                        .sweeps = {MakeSweep("a", 1, {8, 7, 6, 5, 4, 3, 2, 1}),
                                   MakeSweep("b", 2, {2, 2, 2, 2, 1, 2, 0.5})}};
  EXPECT_EQ(swept.Name(), "t: N/M = 8");
  EXPECT_EQ(swept.Reduction(0, 1), 2);

  const ResultTable table = TableOverK("title", swept);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"k", "a", "b"}));
  ASSERT_EQ(table.rows.size(), 8u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"1", "8.0000", "-"}));

  const Chart chart = ChartOverK("title", swept);
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[1].name, "b");
  ASSERT_EQ(chart.series[1].points.size(), 7u);
  const ChartPoint& last = chart.series[1].points.back();
  EXPECT_EQ(last.x, 8);
  EXPECT_EQ(last.y, 0.5);
  EXPECT_EQ(last.low, 0.25);
  EXPECT_EQ(last.high, 1);
}

TEST(Sweep, ChartsOverTheLoadAreOneForATrace) {
  const FlowTrace trace{.name = "t", .keys = {}, .packets = {}, .words = 1};
  std::vector<Chart> charts;
  for (const char* title : {"one", "two"}) {
    for (const uint64_t n : kKeysPerWord) {
      const SweptCase swept{.trace = trace,
                            .keys_per_word = n,
                            .sweeps = {MakeSweep("a", 8, {0.1})}};
      AddToChartOverLoad(title, swept, charts);
    }
  }
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[1].title, "two");
  ASSERT_EQ(charts[1].series.size(), 1u);
  ASSERT_EQ(charts[1].series[0].points.size(), 3u);
  EXPECT_EQ(charts[1].series[0].points[2].x, 16);
}

// A small trace with a few flows that come back often.
TEST(ReplayTrace, AdaptiveFiltersAdaptAndBloom1DoesNot) {
  FlowTrace trace{.name = "t", .keys = {}, .packets = {}, .words = 16};
  for (uint64_t key = 0; key < 2000; ++key) trace.keys.push_back(key);
  for (uint32_t i = 0; i < 40'000; ++i) {
    trace.packets.push_back(i % 2 == 0 ? i % 2000 : i % 100);
  }
  const RunRates plain = ReplayTrace(trace, "bloom1:w=64,k=4", 8, 1, 4).value();
  const RunRates adaptive =
      ReplayTrace(trace, "abf:w=64,k=4,sets=4,check=0", 8, 1, 4).value();
  EXPECT_EQ(plain.adapts, 0);
  EXPECT_EQ(adaptive.adapts, adaptive.fpr) << "one for each false positive";
  for (const RunRates& rates : {plain, adaptive}) {
    EXPECT_LE(rates.low, rates.fpr);
    EXPECT_GE(rates.high, rates.fpr);
    EXPECT_GT(rates.low, 0);
  }
  EXPECT_FALSE(ReplayTrace(trace, "nosuch:w=64", 8, 1, 1).ok());
}

}  // namespace
}  // namespace tamis::tools
