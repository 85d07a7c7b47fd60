// What the front door makes of what a user knows.

#ifndef TAMIS_DOOR_CHOOSE_H_
#define TAMIS_DOOR_CHOOSE_H_

#include <cstdint>

#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/tamis.h"

namespace tamis::internal {

// By the table of tamis.h.  kInvalidArgument names what is missing or can't be
// met, kUnsupported what the given spec can't do.
Result<Sizing> Choose(const Filter::Options& options);

// With .grows, .fpr holds up to so many times .keys.
inline constexpr uint64_t kGrowth = 1000;

}  // namespace tamis::internal

#endif  // TAMIS_DOOR_CHOOSE_H_
