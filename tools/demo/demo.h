// The demonstration behind `tamis demo`: build, ask, compare with theory.

#ifndef TAMIS_TOOLS_DEMO_DEMO_H_
#define TAMIS_TOOLS_DEMO_DEMO_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "tamis/status.h"

namespace tamis::tools {

struct DemoOptions {
  std::string filter = "rsqf:r=8";
  uint64_t keys = 4'000'000;
  uint64_t seed = 1;
};

// Prints the story to `out`; fails if a member is not found.
Status RunDemo(const DemoOptions& options, std::ostream& out);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_DEMO_DEMO_H_
