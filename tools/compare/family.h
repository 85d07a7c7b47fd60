// Families: the filters of one idea, of which a short table shows the best.

#ifndef TAMIS_TOOLS_COMPARE_FAMILY_H_
#define TAMIS_TOOLS_COMPARE_FAMILY_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"

namespace tamis::tools {

// The family of a filter, as its row says; the name of one that says nothing.
std::string FamilyOf(const Spec& spec);

struct Family {
  std::string name;
  // The best one first; those that are there to compare with last.
  std::vector<const ComparedFilter*> filters;

  const ComparedFilter& best() const { return *filters.front(); }
};

// The families of all that took part, the one with the best filter first.
std::vector<Family> FamiliesOf(const Comparison& comparison);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_FAMILY_H_
