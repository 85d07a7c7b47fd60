// `tamis demo`: what a filter does, shown on a few million keys.

#ifndef TAMIS_TOOLS_DEMO_COMMAND_H_
#define TAMIS_TOOLS_DEMO_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddDemo(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_DEMO_COMMAND_H_
