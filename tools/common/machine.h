// What a measurement was made on and with: part of every report.

#ifndef TAMIS_TOOLS_COMMON_MACHINE_H_
#define TAMIS_TOOLS_COMMON_MACHINE_H_

#include <string>
#include <utility>
#include <vector>

namespace tamis::tools {

// Names and values, in the order to print them: {"cpu", "AMD EPYC"}, ...
// What the system does not tell is "unknown".
using MachineFacts = std::vector<std::pair<std::string, std::string>>;
MachineFacts DescribeMachine();

// How many things to do at a time unless told otherwise: the cores, 1 to
// kMaxJobs.
inline constexpr int kMaxJobs = 1024;
int DefaultJobs();

// The version of tamis, such as "0.1.0".
const char* Version();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_MACHINE_H_
