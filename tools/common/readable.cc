#include "tools/common/readable.h"

#include <fmt/format.h>

namespace tamis::tools {

std::string ReadableCount(double count) {
  constexpr double kMillion = 1e6;
  if (count >= kMillion) return fmt::format("{:.2f} million", count / kMillion);
  std::string digits = fmt::format("{:.0f}", count);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string ReadablePercent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

}  // namespace tamis::tools
