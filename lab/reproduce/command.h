// `tamis reproduce`: figures and tables of the papers, measured again.

#ifndef TAMIS_LAB_REPRODUCE_COMMAND_H_
#define TAMIS_LAB_REPRODUCE_COMMAND_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

Runner AddReproduce(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_COMMAND_H_
