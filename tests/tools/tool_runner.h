// Runs the `tamis` command inside the test, and keeps what it said.

#ifndef TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_
#define TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_

#include <sstream>
#include <string>
#include <vector>

#include "tools/run_tool.h"

namespace tamis::tools {

struct ToolRun {
  int exit_status;
  std::string out;
  std::string err;
};

inline ToolRun RunForTest(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int exit_status = RunTool(arguments, {in, out, err});
  return {exit_status, out.str(), err.str()};
}

}  // namespace tamis::tools

#endif  // TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_
