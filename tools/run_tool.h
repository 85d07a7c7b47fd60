// RunTool: the `tamis` command as a function, for main() and for tests.
//
// Exit status: 0 if all went well; 1 if the data were at fault (a file that
// can't be read, a filter that is full); 2 if the command line was; 130, 143 or
// 129 if the work was interrupted by SIGINT, SIGTERM or SIGHUP and what was
// finished is kept.  Errors go to
// console.err, as "tamis: message".

#ifndef TAMIS_TOOLS_RUN_TOOL_H_
#define TAMIS_TOOLS_RUN_TOOL_H_

#include <span>
#include <string>

#include "tools/common/interrupt.h"  // kExitInterrupted
#include "tools/common/subcommand.h"

namespace tamis::tools {

inline constexpr int kExitOk = 0;
inline constexpr int kExitDataError = 1;
inline constexpr int kExitUsageError = 2;

// Runs the command with these arguments (without the program's name) and
// returns its exit status.
int RunTool(std::span<const std::string> arguments, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_RUN_TOOL_H_
