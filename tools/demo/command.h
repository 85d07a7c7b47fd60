// `tamis demo`: the main job, on a stream made for it.
//
// Three million queries of the FireHose active set, where keys trend and
// retire; one key in ten is in the set; all filters at 12.6 bits a key.

#ifndef TAMIS_TOOLS_DEMO_COMMAND_H_
#define TAMIS_TOOLS_DEMO_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddDemo(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_DEMO_COMMAND_H_
