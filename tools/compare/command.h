// `tamis compare`: which filter, with how many bits, for these keys and these
// queries.

#ifndef TAMIS_TOOLS_COMPARE_COMMAND_H_
#define TAMIS_TOOLS_COMPARE_COMMAND_H_

#include <string>

#include "tools/common/subcommand.h"
#include "tools/compare/compare.h"

namespace tamis::tools {

Runner AddCompare(CLI::App& parent, Console console);

// Adds the options of how to measure; sizes and where the keys are as text.
// REQUIRES: what the pointers point to outlives `app`
void AddMeasuring(CLI::App* app, CompareOptions* options,
                  std::string* bits_per_key, std::string* keys_in);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMMAND_H_
