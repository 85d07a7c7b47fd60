// The spec between the parentheses of a filter around another: cached(rsqf).

#ifndef TAMIS_FILTERS_INNER_SPEC_H_
#define TAMIS_FILTERS_INNER_SPEC_H_

#include <string_view>
#include <vector>

#include "tamis/kind.h"
#include "tamis/parameter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

// Returns the spec inside of `spec`, or what its kind has there by default.
// Fails if `spec` has a parameter that its kind has not.
inline Result<Spec> InnerOf(const Spec& spec, const Kind& kind) {
  std::vector<std::string_view> names;
  for (const Parameter& one : kind.parameters) names.push_back(one.name);
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly(
      names, spec.inner().empty() ? Spec::Inner::kNone : Spec::Inner::kOne));
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
