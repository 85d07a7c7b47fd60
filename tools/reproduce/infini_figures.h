// The InfiniFilter paper's figures and tables, as experiments.

#ifndef TAMIS_TOOLS_REPRODUCE_INFINI_FIGURES_H_
#define TAMIS_TOOLS_REPRODUCE_INFINI_FIGURES_H_

#include "tamis/result.h"
#include "tools/reproduce/experiment.h"

namespace tamis::tools {

Result<ExperimentResult> RunInfiniFigure1(const ExperimentOptions& options);
Result<ExperimentResult> RunInfiniTables(const ExperimentOptions& options);
Result<ExperimentResult> RunInfiniFigure13(const ExperimentOptions& options);
Result<ExperimentResult> RunInfiniFigure14(const ExperimentOptions& options);
Result<ExperimentResult> RunInfiniFigure15(const ExperimentOptions& options);
Result<ExperimentResult> RunInfiniFigure16(const ExperimentOptions& options);
// Not in the paper: the costs of growth against a filter of fixed size.
Result<ExperimentResult> RunInfiniSpeed(const ExperimentOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPRODUCE_INFINI_FIGURES_H_
