// The experiments of the ABF paper, and of its section VI, which it left open.

#ifndef TAMIS_LAB_REPRODUCE_BLOOM_EXPERIMENTS_H_
#define TAMIS_LAB_REPRODUCE_BLOOM_EXPERIMENTS_H_

#include "lab/reproduce/experiment.h"

namespace tamis::tools {

// Synthetic workloads against equation (10).  bloom_synthetic.cc
Result<Findings> RunBloomFigure4(const ExperimentOptions& options);
Result<Findings> RunBloomFigure5(const ExperimentOptions& options);
// The lengths of a trace's flows.  bloom_lengths.cc
Result<Findings> RunBloomFigure6(const ExperimentOptions& options);
// The rate over k on traces (bloom_flows.cc), and its least (bloom_table2.cc).
Result<Findings> RunBloomFigure7(const ExperimentOptions& options);
Result<Findings> RunBloomFigure8(const ExperimentOptions& options);
Result<Findings> RunBloomFigure9(const ExperimentOptions& options);
Result<Findings> RunBloomFigure10(const ExperimentOptions& options);
Result<Findings> RunBloomTable2(const ExperimentOptions& options);
// Beyond the paper: check=1, and the forms of section VI.  bloom_forms.cc
Result<Findings> RunBloomCheck(const ExperimentOptions& options);
Result<Findings> RunBloomForms(const ExperimentOptions& options);

// An adversary that looks for keys that no set can fix.
Result<Findings> RunBloomAdversary(const ExperimentOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_BLOOM_EXPERIMENTS_H_
