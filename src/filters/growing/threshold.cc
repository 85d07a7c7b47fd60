#include "tamis/internal/filters/growing/threshold.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tamis::internal {
namespace {

// Shortest text that reads back as the same number.
std::string NumberText(double number) {
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number) break;
  }
  return text;
}

}  // namespace

Result<double> ThresholdFrom(const Spec& spec) {
  return spec.Number("threshold", kDefaultThreshold, kMinThreshold,
                     kMaxThreshold);
}

void AddThreshold(Spec& spec, double threshold) {
  if (threshold != kDefaultThreshold) {
    spec.Set("threshold", NumberText(threshold));
  }
}

Status CheckThreshold(double threshold) {
  if (threshold >= kMinThreshold && threshold <= kMaxThreshold) return {};
  return {
      StatusCode::kInvalidArgument,
      "a threshold of " + NumberText(threshold) + "; expected 0.05 to 0.98"};
}

Status CheckFingerprintBits(int bits, int min, int max) {
  if (bits >= min && bits <= max) return {};
  return {StatusCode::kInvalidArgument,
          "fingerprints of " + std::to_string(bits) + " bits; expected " +
              std::to_string(min) + " to " + std::to_string(max)};
}

}  // namespace tamis::internal
