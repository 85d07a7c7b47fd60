// The tamis filter beside a TAF on FireHose's active set.

#ifndef TAMIS_LAB_REPRODUCE_TAMIS_ACTIVE_H_
#define TAMIS_LAB_REPRODUCE_TAMIS_ACTIVE_H_

#include "lab/reproduce/experiment.h"
#include "tamis/result.h"

namespace tamis::tools {

Status AddActiveSet(const ExperimentOptions& options, Findings& result);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_TAMIS_ACTIVE_H_
