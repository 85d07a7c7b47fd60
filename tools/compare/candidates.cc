#include "tools/compare/candidates.h"

#include <algorithm>

#include "tamis/kind.h"

namespace tamis::tools {

bool IsBaseline(const Spec& spec) {
  const Result<const Kind*> kind = FindKind(spec);
  return kind.ok() && (*kind)->baseline;
}
bool Learns(const ComparedFilter& filter) { return filter.learns; }
bool NeverChanges(const ComparedFilter& filter) {
  return IsStatic(filter.spec);
}
bool Erases(const ComparedFilter& filter) { return filter.capabilities.erase; }
bool Grows(const ComparedFilter& filter) { return filter.capabilities.expand; }

double WastedReads(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::first_time) +
         filter.Mean(&StreamRun::repeated);
}

const ComparedFilter* Best(const Comparison& comparison, const Wanted& wanted) {
  const auto& filters = comparison.filters;
  const auto found = std::find_if(filters.begin(), filters.end(), wanted);
  return found == filters.end() ? nullptr : &*found;
}

Comparison WithoutBaselines(const Comparison& measured) {
  Comparison comparison = measured;
  std::erase_if(comparison.filters,
                [](const auto& one) { return IsBaseline(one.spec); });
  if (!std::ranges::all_of(comparison.filters, NeverChanges)) {
    std::erase_if(comparison.filters, NeverChanges);
  }
  return comparison;
}

}  // namespace tamis::tools
