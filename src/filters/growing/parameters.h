// What the specs of the growing filters may have.

#ifndef TAMIS_FILTERS_GROWING_PARAMETERS_H_
#define TAMIS_FILTERS_GROWING_PARAMETERS_H_

#include <cstdint>

#include "filters/growing/threshold.h"
#include "tamis/internal/filters/growing/generations.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/parameter.h"

namespace tamis::internal {

constexpr Parameter FingerprintBits(int min, int max) {
  return WholeNumber("f", 12,
                     {static_cast<uint64_t>(min), static_cast<uint64_t>(max)},
                     "bits of a new fingerprint: one more halves the rate");
}
inline constexpr Parameter kThreshold =
    Number("threshold", kDefaultThreshold, {kMinThreshold, kMaxThreshold},
           "the load at which it grows");

// Of fingerprint sacrifice and of the chains.
inline constexpr Parameter kSlotFilterParameters[] = {
    FingerprintBits(kMinSlotBits, kMaxSlotBits), kThreshold};

inline constexpr Parameter kInfiniParameters[] = {
    FingerprintBits(kMinGrowingBits, kMaxGrowingBits),
    OneOf("chain", "sealed|none|duplicate",
          "where entries go that have no bits left: to a chain of tables, "
          "nowhere (growth ends), or to both of their homes"),
    kThreshold};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_GROWING_PARAMETERS_H_
