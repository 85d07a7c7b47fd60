#include "tools/common/progress.h"

#include <fmt/format.h>

namespace tamis::tools {

void Progress::Report(std::string_view step, double share) {
  constexpr auto kInterval = std::chrono::seconds(2);
  const Clock::time_point now = Clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  out_ << fmt::format("tamis: {}: {} ({:.0f} %)\n", task_, step, 100 * share)
       << std::flush;
}

}  // namespace tamis::tools
