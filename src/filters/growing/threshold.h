// The threshold: the load at which a growing filter doubles.

#ifndef TAMIS_FILTERS_GROWING_THRESHOLD_H_
#define TAMIS_FILTERS_GROWING_THRESHOLD_H_

#include <algorithm>
#include <cstdint>

#include "tamis/internal/filters/snapshot.h"
#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis::internal {

inline constexpr double kDefaultThreshold = 0.8;
inline constexpr double kMinThreshold = 0.05;
inline constexpr double kMaxThreshold = 0.98;

// Returns how many keys a table of `homes` homes holds before it doubles.
inline uint64_t ThresholdLimit(double threshold, uint64_t homes) {
  return std::max<uint64_t>(
      1, static_cast<uint64_t>(threshold * static_cast<double>(homes)));
}

// Adds it to a spec, if it is not the default.
void AddThreshold(Spec& spec, double threshold);
// kInvalidArgument unless it is one that is allowed.
Status CheckThreshold(double threshold);
// kInvalidArgument unless min <= bits <= max.
Status CheckFingerprintBits(int bits, int min, int max);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_GROWING_THRESHOLD_H_
