#include "filters/growing/threshold.h"

#include <string>

#include "tamis/internal/filters/shortest_text.h"

namespace tamis::internal {

void AddThreshold(Spec& spec, double threshold) {
  if (threshold != kDefaultThreshold) {
    spec.Set("threshold", ShortestText(threshold));
  }
}

Status CheckThreshold(double threshold) {
  if (threshold >= kMinThreshold && threshold <= kMaxThreshold) return {};
  return {
      StatusCode::kInvalidArgument,
      "a threshold of " + ShortestText(threshold) + "; expected 0.05 to 0.98"};
}

Status CheckFingerprintBits(int bits, int min, int max) {
  if (bits >= min && bits <= max) return {};
  return {StatusCode::kInvalidArgument,
          "fingerprints of " + std::to_string(bits) + " bits; expected " +
              std::to_string(min) + " to " + std::to_string(max)};
}

}  // namespace tamis::internal
