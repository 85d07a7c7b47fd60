// `tamis filters`: which filters there are, what each takes and can do.

#ifndef TAMIS_TOOLS_FILTERS_COMMAND_H_
#define TAMIS_TOOLS_FILTERS_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddFilters(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILTERS_COMMAND_H_
