// Filters that are listed twice.

#ifndef TAMIS_TOOLS_COMMON_SAME_SPEC_H_
#define TAMIS_TOOLS_COMMON_SAME_SPEC_H_

#include <span>
#include <vector>

#include "tamis/spec.h"

namespace tamis::tools {

// Says whether two specs mean the same: the same parameters in any order, in
// any way to write their values, and those at their defaults given or not.
// But not the size: `taf` leaves r open where it can be chosen, `taf:r=8` does
// not, though 8 is the default.
bool MeanTheSame(const Spec& one, const Spec& other);

// Returns the specs without those that an earlier one means too.
std::vector<Spec> WithoutRepetitions(std::span<const Spec> specs);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_SAME_SPEC_H_
