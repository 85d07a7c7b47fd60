// What tests of the `tamis` command share: running it, reading its files.

#ifndef TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_
#define TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
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

// Returns all of a file; nothing if it is not there.
inline std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Waits until `done()`, for as long as a slow machine may need; false if that
// was not enough.
template <typename Done>
bool WaitFor(Done&& done) {
  for (int i = 0; i < 6000; ++i) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace tamis::tools

#endif  // TAMIS_TESTS_TOOLS_TOOL_RUNNER_H_
