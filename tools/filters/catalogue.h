// The filters as data: the rows of kind.h, and cached(...), which only `tamis
// compare` has.

#ifndef TAMIS_TOOLS_FILTERS_CATALOGUE_H_
#define TAMIS_TOOLS_FILTERS_CATALOGUE_H_

#include <vector>

#include "tamis/kind.h"

namespace tamis::tools {

// One that can't be built or saved.
inline bool IsOnlyCompared(const Kind& kind) { return kind.create == nullptr; }

// In the order of the documentation.
std::vector<Kind> DescribeFilters();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILTERS_CATALOGUE_H_
