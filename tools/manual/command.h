// `tamis help VERB`, `tamis completion SHELL` and `tamis man`: the command
// describes itself.

#ifndef TAMIS_TOOLS_MANUAL_COMMAND_H_
#define TAMIS_TOOLS_MANUAL_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddHelp(CLI::App& parent, Console console);
Runner AddCompletion(CLI::App& parent, Console console);
Runner AddMan(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_MANUAL_COMMAND_H_
