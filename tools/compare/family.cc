#include "tools/compare/family.h"

#include <algorithm>

#include "tamis/kind.h"

namespace tamis::tools {

std::string FamilyOf(const Spec& spec) {
  const Result<const Kind*> kind = FindKind(spec);
  const bool named = kind.ok() && !(*kind)->family.empty();
  return named ? std::string((*kind)->family) : spec.name();
}

std::vector<Family> FamiliesOf(const Comparison& comparison) {
  std::vector<Family> families;
  for (const ComparedFilter& one : comparison.filters) {
    const std::string name = FamilyOf(one.spec);
    auto family = std::ranges::find(families, name, &Family::name);
    if (family == families.end()) {
      family = families.insert(families.end(), {name, {}});
    }
    family->filters.push_back(&one);
  }
  for (Family& family : families) {
    std::ranges::stable_partition(family.filters, [](const auto* one) {
      const Result<const Kind*> kind = FindKind(one->spec);
      return !kind.ok() || !(*kind)->baseline;
    });
  }
  std::ranges::stable_sort(families, {}, [](const Family& family) {
    return family.best().MeanFpr();
  });
  return families;
}

}  // namespace tamis::tools
