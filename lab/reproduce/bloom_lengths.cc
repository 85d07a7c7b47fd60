// Figure 6: how many flows of a trace have so many packets.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/bloom_experiments.h"
#include "lab/reproduce/bloom_runs.h"
#include "lab/reproduce/judge.h"

namespace tamis::tools {
namespace {

// The ends of the figure's intervals; the last is ours, for what is beyond.
constexpr std::array<uint64_t, 5> kEnds = {10, 100, 1000, 10'000, ~uint64_t{0}};
constexpr size_t kPaperIntervals = 4;

struct Intervals {
  std::array<uint64_t, kEnds.size()> flows{};
  std::array<uint64_t, kEnds.size()> packets{};
};

Intervals CountFlows(const FlowTrace& trace) {
  std::vector<uint64_t> lengths(trace.keys.size());
  for (const uint32_t flow : trace.packets) ++lengths[flow];
  Intervals counts;
  for (const uint64_t length : lengths) {
    size_t i = 0;
    while (length > kEnds[i]) ++i;
    ++counts.flows[i];
    counts.packets[i] += length;
  }
  return counts;
}

std::string IntervalName(size_t i) {
  const uint64_t first = i == 0 ? 1 : kEnds[i - 1] + 1;
  return i == kPaperIntervals ? fmt::format("{} or more", first)
                              : fmt::format("{} to {}", first, kEnds[i]);
}

double ShareOf(uint64_t part, size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

void AddTrace(const FlowTrace& trace, Chart& chart, Findings& result) {
  const Intervals counts = CountFlows(trace);
  ResultTable table{trace.name,
                    {"packets", "flows", "share of flows", "share of packets"},
                    {}};
  ChartSeries& series = chart.series.emplace_back();
  series.name = trace.name;
  bool falls = true;
  for (size_t i = 0; i < kEnds.size(); ++i) {
    table.rows.push_back(
        {IntervalName(i), fmt::format("{}", counts.flows[i]),
         fmt::format("{:.5f}", ShareOf(counts.flows[i], trace.keys.size())),
         fmt::format("{:.5f}",
                     ShareOf(counts.packets[i], trace.packets.size()))});
    if (i == kPaperIntervals) continue;
    series.points.push_back({.x = static_cast<double>(kEnds[i]),
                             .y = static_cast<double>(counts.flows[i])});
    falls &= i == 0 || counts.flows[i] < counts.flows[i - 1];
  }
  const double few = ShareOf(counts.flows[0], trace.keys.size());
  const double many =
      ShareOf(counts.packets[2] + counts.packets[3] + counts.packets[4],
              trace.packets.size());
  result.claims.push_back(
      {trace.name + ": most flows have few packets, a few have many",
       {"most of the flows have only a few packets but there are a few that "
        "have many packets",
        "V.B, Figure 6"},
       fmt::format("{:.3f} of the flows have 1 to 10; those with more than 100 "
                   "have {:.2f} of the packets; {}",
                   few, many,
                   falls ? "each interval has fewer" : "not falling"),
       {"more than half have 1 to 10, each interval fewer than the one before"},
       few > 0.5 && falls});
  result.tables.push_back(std::move(table));
}

}  // namespace

Result<Findings> RunBloomFigure6(const ExperimentOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const auto traces, LoadFlowTraces(options));
  Findings result;
  result.notes = DescribeTraces(traces);
  Chart chart{.title = "Flows by their number of packets",
              .x_label = "packets, the end of the interval",
              .y_label = "flows",
              .log_x = true,
              .log_y = true,
              .series = {}};
  for (const FlowTrace& trace : traces) AddTrace(trace, chart, result);
  result.charts.push_back(std::move(chart));
  return result;
}

}  // namespace tamis::tools
