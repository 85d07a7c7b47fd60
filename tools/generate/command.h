// `tamis generate`: keys of a named workload, to a file or standard output.

#ifndef TAMIS_TOOLS_GENERATE_COMMAND_H_
#define TAMIS_TOOLS_GENERATE_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddGenerate(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_GENERATE_COMMAND_H_
