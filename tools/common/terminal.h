// The terminal that standard output is, if it is one.

#ifndef TAMIS_TOOLS_COMMON_TERMINAL_H_
#define TAMIS_TOOLS_COMMON_TERMINAL_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

// Sets what the console says of standard output: the width of the terminal, and
// colour, unless NO_COLOR is set (no-color.org) or TERM is dumb.  What is no
// terminal stays as it is.
void UseTerminal(Console* console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_TERMINAL_H_
