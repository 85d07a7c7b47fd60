#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "tools/common/terminal.h"
#include "tools/include/tamis/compare.h"
#include "tools/run_tool.h"

namespace tamis::compare {

int Main(int argc, char** argv) {
  // At the limit of a file's size, writing fails and cleans up, and the process
  // does not end in the midst of it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  tools::Console console{std::cin, std::cout, std::cerr};
  tools::UseTerminal(&console);
  return tools::RunTool(arguments, console);
}

}  // namespace tamis::compare
