#include "tools/filters/catalogue.h"

#include "tools/compare/cached_filter.h"

namespace tamis::tools {

std::vector<Kind> DescribeFilters() {
  const auto rows = AllKinds();
  std::vector<Kind> all(rows.begin(), rows.end());
  // It can do what the filter inside can, and adapt.
  all.push_back({.name = "cached(SPEC)",
                 .use = "a filter that caches its mistakes, to compare with",
                 .parameters = kCachedParameters,
                 .baseline = true,
                 .capabilities = {.erase = true, .adapt = true}});
  return all;
}

}  // namespace tamis::tools
