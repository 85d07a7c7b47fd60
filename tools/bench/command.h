// `tamis bench`: every filter, every workload, one table.

#ifndef TAMIS_TOOLS_BENCH_COMMAND_H_
#define TAMIS_TOOLS_BENCH_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddBench(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_COMMAND_H_
