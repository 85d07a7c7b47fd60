// One of a filter's own statistics, by name.

#ifndef TAMIS_TOOLS_COMMON_FILTER_DETAIL_H_
#define TAMIS_TOOLS_COMMON_FILTER_DETAIL_H_

#include <string_view>

#include "tamis/any_filter.h"

namespace tamis::tools {

// Returns what FilterStats::details says of `name`; 0 if it says nothing.
inline double FilterDetail(const AnyFilter& filter, std::string_view name) {
  for (const auto& [key, value] : filter.stats().details) {
    if (key == name) return value;
  }
  return 0;
}

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_FILTER_DETAIL_H_
