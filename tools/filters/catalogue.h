// The filters as data.  What each is for is written here; what it takes and can
// do is found out by making one and watching what it reads of its spec.

#ifndef TAMIS_TOOLS_FILTERS_CATALOGUE_H_
#define TAMIS_TOOLS_FILTERS_CATALOGUE_H_

#include <string>
#include <vector>

#include "tamis/filter.h"
#include "tamis/internal/filters/spec_notes.h"
#include "tamis/result.h"

namespace tamis::tools {

using internal::SpecParameter;

struct FilterInfo {
  std::string spec;  // a name, or what chooses this one among several of it
  std::string use;   // what it is for, in a few words
  Capabilities capabilities;
  std::vector<SpecParameter> parameters;  // in the order of its own messages
  bool only_compared = false;             // can't be built or saved
};

// All filters, in the order of the registry; then cached(...), which only
// `tamis compare` has.
Result<std::vector<FilterInfo>> DescribeFilters();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILTERS_CATALOGUE_H_
