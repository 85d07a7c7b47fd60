// The tamis filter's own experiments: what it costs and gains to learn and to
// grow, beside the papers' filters.

#ifndef TAMIS_LAB_REPRODUCE_TAMIS_FIGURES_H_
#define TAMIS_LAB_REPRODUCE_TAMIS_FIGURES_H_

#include "lab/reproduce/experiment.h"
#include "tamis/result.h"

namespace tamis::tools {

Result<Findings> RunTamisGrowth(const ExperimentOptions& options);
Result<Findings> RunTamisLearning(const ExperimentOptions& options);
Result<Findings> RunTamisStreams(const ExperimentOptions& options);
Result<Findings> RunTamisAdversary(const ExperimentOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_TAMIS_FIGURES_H_
