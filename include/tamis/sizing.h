// Sizing: from what is wanted (n keys, a rate p) to a filter, and back.
//
//   Result<Sizing> sizing = SizeFor("rsqf", 1'000'000, 0.001);
//   // sizing->spec is rsqf:r=10, sizing->slots is 1'052'632
//   auto filter = AnyFilter::Create(sizing->spec, sizing->slots);
//
//   Result<double> fpr = FprFor(*Spec::Parse("rsqf:r=8"), 1 << 20, 900'000);
//
// A filter class takes part by two static functions (see SizableFilter); the
// registry does the rest.  `kind` is the name in the spec, for classes that
// have several.

#ifndef TAMIS_SIZING_H_
#define TAMIS_SIZING_H_

#include <concepts>
#include <cstdint>
#include <string_view>

#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

struct Sizing {
  Spec spec;
  uint64_t slots;
  double fpr;  // expected, with the keys that were asked for; at most that
};

// Returns the smallest filter of this kind that holds `keys` keys at a false
// positive rate of at most `fpr`.  kInvalidArgument if `fpr` is not between 0
// and 1 or the kind can't reach it; kUnsupported if the kind has no formula.
Result<Sizing> SizeFor(std::string_view kind, uint64_t keys, double fpr);

// Returns the rate to expect from `slots` slots of a filter with `keys` keys;
// kInvalidArgument if there are more keys than slots.
Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);

// What a filter class offers to be sized.
template <typename F>
concept SizableFilter = requires(std::string_view kind, const Spec& spec,
                                 uint64_t number) {
  { F::SizeFor(kind, number, double{}) } -> std::same_as<Result<Sizing>>;
  { F::FprFor(spec, number, number) } -> std::same_as<Result<double>>;
};

}  // namespace tamis

#endif  // TAMIS_SIZING_H_
