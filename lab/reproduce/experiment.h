// An experiment: one figure or table of a paper, run by `tamis reproduce NAME`.
//
// An experiment computes tables and judges claims; it neither prints nor
// formats.  The paper's claims are data: each is judged against what was
// measured and reported as holding or differing, with both numbers.  A claim
// that differs is a finding, not a failure.
//
// To add one: write a function `Result<Findings> RunX(...)` in a file
// of this folder and add its line to the list in experiments.cc.

#ifndef TAMIS_LAB_REPRODUCE_EXPERIMENT_H_
#define TAMIS_LAB_REPRODUCE_EXPERIMENT_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

struct ExperimentOptions {
  bool paper_scale = false;  // false: a quick version, seconds, same shape
  uint64_t seed = 1;         // the first of the seeds; runs use seed, seed+1...
  std::vector<std::string> data;  // recorded traces: files, folders of them
  bool first_flows = false;  // members are the first flows of a trace, not a
                             // choice by hash, where the papers leave it open
  // Called now and then with the share done, in [0, 1].
  std::function<void(double)> progress = [](double) {};
};

struct Experiment {
  std::string_view name;    // "bloom-table-2"
  std::string_view source;  // "Bloom paper, Table II"
  std::string_view title;   // one line for the list
  Result<Findings> (*run)(const ExperimentOptions& options);
  bool timed = false;  // measures time, so nothing may run beside it
};

// All experiments, in the order of the papers.
std::span<const Experiment> AllExperiments();

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_EXPERIMENT_H_
