// The InfiniFilter paper's figures and tables, as experiments.

#ifndef TAMIS_LAB_REPRODUCE_INFINI_FIGURES_H_
#define TAMIS_LAB_REPRODUCE_INFINI_FIGURES_H_

#include "lab/reproduce/experiment.h"
#include "tamis/result.h"

namespace tamis::tools {

Result<Findings> RunInfiniFigure1(const ExperimentOptions& options);
Result<Findings> RunInfiniTables(const ExperimentOptions& options);
Result<Findings> RunInfiniFigure13(const ExperimentOptions& options);
Result<Findings> RunInfiniFigure14(const ExperimentOptions& options);
Result<Findings> RunInfiniFigure15(const ExperimentOptions& options);
Result<Findings> RunInfiniFigure16(const ExperimentOptions& options);
// Not in the paper: the costs of growth against a filter of fixed size.
Result<Findings> RunInfiniSpeed(const ExperimentOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_INFINI_FIGURES_H_
