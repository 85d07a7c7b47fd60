// Conditions: when something else than the answer is right.
//
//   If keys must be erased, take rsqf:r=9 (0.19 %, 12.6 bits a key in all).
//
// Each only if it is something else: the set never changes, keys are erased,
// nobody knows how large the set becomes (measured on a filter that has grown,
// growth.h), somebody chooses the queries (measured by an attack, attack.h), the
// keys are elsewhere.

#ifndef TAMIS_TOOLS_COMPARE_CONDITIONS_H_
#define TAMIS_TOOLS_COMPARE_CONDITIONS_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"

namespace tamis::tools {

struct Condition {
  std::string when;    // "keys must be erased"
  std::string filter;  // its spec, or empty: none of these will do
  std::string why;     // figures

  std::string Sentence() const;
};

// `candidates` are those of `measured` that may be the answer, `chosen` is.
std::vector<Condition> ConditionsFor(const Comparison& measured,
                                     const Comparison& candidates,
                                     const ComparedFilter& chosen);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_CONDITIONS_H_
