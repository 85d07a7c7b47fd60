// `tamis compare`: which filter, with how many bits, for these keys and these
// queries.

#ifndef TAMIS_TOOLS_COMPARE_COMMAND_H_
#define TAMIS_TOOLS_COMPARE_COMMAND_H_

#include "tools/common/subcommand.h"
#include "tools/compare/compare.h"

namespace tamis::tools {

Runner AddCompare(CLI::App& parent, Console console);

// Adds the options of how to measure.  REQUIRES: *options outlives `app`
void AddMeasuring(CLI::App* app, CompareOptions* options);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMMAND_H_
