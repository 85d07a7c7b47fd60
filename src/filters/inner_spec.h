// The spec between the parentheses of a filter around another: cached(rsqf).

#ifndef TAMIS_FILTERS_INNER_SPEC_H_
#define TAMIS_FILTERS_INNER_SPEC_H_

#include "tamis/kind.h"
#include "tamis/parameter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

// Returns the spec inside of `spec`, or what its kind has there by default.
inline Result<Spec> InnerOf(const Spec& spec, const Kind& kind) {
  return Spec::Parse(spec.inner().empty() ? kind.inner : spec.inner());
}

// Returns `spec` with all its parameters, around `inner`.
inline Result<Spec> Around(const Spec& spec, const Kind& kind,
                           const Spec& inner) {
  TAMIS_ASSIGN_OR_RETURN(
      Spec around, Spec::Parse(spec.name() + "(" + inner.ToString() + ")"));
  for (const Parameter& one : kind.parameters) {
    if (spec.Has(one.name)) {
      around.Set(one.name, spec.Text(one.name).value());
    }
  }
  return around;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_INNER_SPEC_H_
