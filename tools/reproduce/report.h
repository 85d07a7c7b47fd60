// The results of experiments, as text for people and as JSON for programs.

#ifndef TAMIS_TOOLS_REPRODUCE_REPORT_H_
#define TAMIS_TOOLS_REPRODUCE_REPORT_H_

#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "tools/reproduce/experiment.h"

namespace tamis::tools {

struct FinishedExperiment {
  const Experiment* experiment;
  ExperimentResult result;
};

// Prints the tables, the claims with both numbers, and the notes.
void PrintReport(const FinishedExperiment& finished, std::ostream& out);

// Prints how many claims hold, and the names of those that differ.
void PrintSummary(std::span<const FinishedExperiment> finished,
                  std::ostream& out);

// [{"name", "source", "title", "tables": [{"title", "columns", "rows"}],
//   "claims": [{"text", "paper", "ours", "holds"}], "notes": [...]}]
nlohmann::ordered_json ReportAsJson(
    std::span<const FinishedExperiment> finished);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPRODUCE_REPORT_H_
