// RunBench: all filters at all sizes, and the report of it.

#ifndef TAMIS_TOOLS_BENCH_RUN_BENCH_H_
#define TAMIS_TOOLS_BENCH_RUN_BENCH_H_

#include "tamis/result.h"
#include "tools/bench/options.h"
#include "tools/bench/report.h"
#include "tools/common/progress.h"

namespace tamis::tools {

// Runs the benchmark and fills `report`.  A filter that fails (it is full
// before the load is reached, say) keeps its rows, without values, and a note;
// the others still run, and the first failure is returned at the end.
// An interrupt ends it after the pass under way; the rows so far are kept.
Status RunBench(const BenchOptions& options, Progress& progress,
                BenchReport* report);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_RUN_BENCH_H_
