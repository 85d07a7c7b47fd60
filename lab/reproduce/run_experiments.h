// Running experiments: in processes of their own, several at a time where that
// does not disturb them.

#ifndef TAMIS_LAB_REPRODUCE_RUN_EXPERIMENTS_H_
#define TAMIS_LAB_REPRODUCE_RUN_EXPERIMENTS_H_

#include <functional>
#include <span>

#include "lab/reproduce/experiment.h"
#include "tamis/status.h"
#include "tools/common/progress.h"

namespace tamis::tools {

// Called with the number of an experiment that is finished.
using OnFinished = std::function<Status(size_t number, Findings findings)>;

// Starts the experiments in their order, at most `jobs` at a time; one that
// measures time runs alone.  They finish in any order.  Stops at the first
// failure, and at an interrupt; what was running then is lost.
// REQUIRES: jobs >= 1; this process has one thread
Status RunExperiments(std::span<const Experiment* const> experiments,
                      const ExperimentOptions& options, int jobs,
                      Progress& progress, const OnFinished& on_finished);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_RUN_EXPERIMENTS_H_
