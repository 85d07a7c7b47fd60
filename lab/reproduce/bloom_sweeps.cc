#include "lab/reproduce/bloom_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace tamis::tools {
namespace {

int Runs(const ExperimentOptions& options) {
  return options.paper_scale ? 10 : 3;
}

Result<Sweep> SweepOverK(const FlowTrace& trace, uint64_t keys_per_word,
                         const SweptFilter& filter,
                         const ExperimentOptions& options) {
  Sweep sweep{.filter = filter, .rates = {}};
  for (int k = filter.least_k; k <= kMaxK; ++k) {
    TAMIS_ASSIGN_OR_RETURN(const RunRates rates,
                           Replay(trace, fmt::format("{},k={}", filter.spec, k),
                                  keys_per_word, options));
    sweep.rates.push_back(rates);
  }
  return sweep;
}

}  // namespace

SweptFilter PaperAbf(int sets, int decimation) {
  return {
      fmt::format("S={}", sets),
      fmt::format("abf:w=64,check=0,sets={},decimation={}", sets, decimation)};
}

int Sweep::best_k() const {
  const auto least =
      std::min_element(rates.begin(), rates.end(),
                       [](const RunRates& left, const RunRates& right) {
                         return left.fpr < right.fpr;
                       });
  return filter.least_k + static_cast<int>(least - rates.begin());
}

const RunRates& Sweep::at(int k) const {
  assert(k >= filter.least_k && k <= kMaxK);
  return rates[static_cast<size_t>(k - filter.least_k)];
}

std::string Sweep::BestText() const {
  return fmt::format("{} (k={})", Rate(best().fpr), best_k());
}

double SweptCase::Reduction(size_t from, size_t to) const {
  return best(from).fpr / best(to).fpr;
}

std::string SweptCase::Name() const {
  return fmt::format("{}: N/M = {}", trace.name, keys_per_word);
}

Result<RunRates> Replay(const FlowTrace& trace, const std::string& spec,
                        uint64_t keys_per_word,
                        const ExperimentOptions& options) {
  return ReplayTrace(trace, spec, keys_per_word, options.seed, Runs(options));
}

Status ForEachSweptCase(const ExperimentOptions& options,
                        std::span<const uint64_t> keys_per_word,
                        const std::vector<SweptFilter>& filters,
                        Findings& findings,
                        const std::function<Status(const SweptCase&)>& visit) {
  TAMIS_ASSIGN_OR_RETURN(const auto traces, LoadFlowTraces(options));
  findings.notes = DescribeTraces(traces);
  const size_t all = traces.size() * keys_per_word.size() * filters.size();
  double done = 0;
  for (const FlowTrace& trace : traces) {
    for (const uint64_t n : keys_per_word) {
      SweptCase swept{.trace = trace, .keys_per_word = n, .sweeps = {}};
      for (const SweptFilter& filter : filters) {
        TAMIS_ASSIGN_OR_RETURN(Sweep sweep,
                               SweepOverK(trace, n, filter, options));
        swept.sweeps.push_back(std::move(sweep));
        options.progress(++done / static_cast<double>(all));
      }
      TAMIS_RETURN_IF_ERROR(visit(swept));
    }
  }
  return {};
}

ResultTable TableOverK(const std::string& title, const SweptCase& swept) {
  ResultTable table{.title = title, .columns = {"k"}, .rows = {}};
  for (const Sweep& sweep : swept.sweeps) {
    table.columns.push_back(sweep.filter.name);
  }
  for (int k = 1; k <= kMaxK; ++k) {
    std::vector<std::string> row = {fmt::format("{}", k)};
    for (const Sweep& sweep : swept.sweeps) {
      row.push_back(k < sweep.filter.least_k ? "-" : Rate(sweep.at(k).fpr));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Chart ChartOverK(const std::string& title, const SweptCase& swept) {
  Chart chart{.title = title,
              .x_label = "k",
              .y_label = "false positive rate",
              .log_y = true,
              .series = {}};
  for (const Sweep& sweep : swept.sweeps) {
    ChartSeries series{.name = sweep.filter.name, .points = {}};
    for (int k = sweep.filter.least_k; k <= kMaxK; ++k) {
      series.points.push_back(PointAt(k, sweep.at(k)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void AddToChartOverLoad(const std::string& title, const SweptCase& swept,
                        std::vector<Chart>& charts) {
  if (charts.empty() || charts.back().title != title) {
    charts.push_back({.title = title,
                      .x_label = "keys per word, N/M",
                      .y_label = "false positive rate, best k",
                      .log_y = true,
                      .series = {}});
    for (const Sweep& sweep : swept.sweeps) {
      charts.back().series.push_back({.name = sweep.filter.name, .points = {}});
    }
  }
  for (size_t i = 0; i < swept.sweeps.size(); ++i) {
    charts.back().series[i].points.push_back(PointAt(
        static_cast<double>(swept.keys_per_word), swept.sweeps[i].best()));
  }
}

}  // namespace tamis::tools
