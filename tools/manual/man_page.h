// The man page, tamis(1), as roff source.

#ifndef TAMIS_TOOLS_MANUAL_MAN_PAGE_H_
#define TAMIS_TOOLS_MANUAL_MAN_PAGE_H_

#include <string>

#include "tools/manual/command_tree.h"

namespace tamis::tools {

std::string ManPage(const CommandTree& tree, const std::string& version);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_MANUAL_MAN_PAGE_H_
