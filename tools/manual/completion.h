// Scripts that make shells complete the `tamis` command: verbs, options, and
// values where the command knows them; files elsewhere.

#ifndef TAMIS_TOOLS_MANUAL_COMPLETION_H_
#define TAMIS_TOOLS_MANUAL_COMPLETION_H_

#include <string>

#include "tools/manual/command_tree.h"

namespace tamis::tools {

std::string BashCompletion(const CommandTree& tree);
std::string ZshCompletion(const CommandTree& tree);
std::string FishCompletion(const CommandTree& tree);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_MANUAL_COMPLETION_H_
