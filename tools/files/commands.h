// The subcommands that make and use filter files: build, add, remove, query,
// info, verify, merge.

#ifndef TAMIS_TOOLS_FILES_COMMANDS_H_
#define TAMIS_TOOLS_FILES_COMMANDS_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddBuild(CLI::App& parent, Console console);
Runner AddAdd(CLI::App& parent, Console console);
Runner AddRemove(CLI::App& parent, Console console);
Runner AddQuery(CLI::App& parent, Console console);
Runner AddInfo(CLI::App& parent, Console console);
Runner AddVerify(CLI::App& parent, Console console);
Runner AddMerge(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILES_COMMANDS_H_
