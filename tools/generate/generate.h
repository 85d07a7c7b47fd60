// What `tamis generate` does: makes a stream and writes its keys.

#ifndef TAMIS_TOOLS_GENERATE_GENERATE_H_
#define TAMIS_TOOLS_GENERATE_GENERATE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tamis/status.h"
#include "tools/common/subcommand.h"

namespace tamis::tools {

// The one workload of operations rather than keys; see workloads/growth.h.
inline constexpr std::string_view kGrowthName = "growth";

// The names of all workloads, in the order of the help.
std::vector<std::string> WorkloadNames();

struct GenerateOptions {
  // A parameter of the workload that has an option of its own.
  struct Parameter {
    std::string name;
    std::string help;
    std::string value = {};  // empty: not given
  };

  std::string workload;  // a spec
  std::string count;     // empty: all, which only replay allows
  std::string format;    // empty: by the extension of output
  std::string output;    // empty: standard output
  std::vector<Parameter> parameters = {
      {"seed", "Seed; equal seeds give equal keys"},
      {"exponent", "Exponent of zipf (1) or firehose-active (-0.5)"},
      {"universe", "Number of different keys of zipf or uniform"},
      {"file", "File whose keys replay writes"},
  };
};

// Writes the keys; progress goes to console.err.
Status RunGenerate(const GenerateOptions& options, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_GENERATE_GENERATE_H_
