#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "tools/include/tamis/compare.h"
#include "tools/run_tool.h"

namespace tamis::compare {

int Main(int argc, char** argv) {
  // At the limit of a file's size, writing fails and cleans up, and the process
  // does not end in the midst of it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return tools::RunTool(arguments, {std::cin, std::cout, std::cerr});
}

}  // namespace tamis::compare
