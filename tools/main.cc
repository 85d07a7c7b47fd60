// The `tamis` command.  Everything it does is in the library of its parts, so
// that tests can call it; see tools/run_tool.h.

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "tools/run_tool.h"

int main(int argc, char** argv) {
  // At the limit of a file's size, writing fails and cleans up, and the process
  // does not end in the midst of it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return tamis::tools::RunTool(arguments, {std::cin, std::cout, std::cerr});
}
