// Sizing: from what is wanted (n keys, a rate or so many bits) to a filter, and
// back.
//
//   Result<Sizing> sizing = SizeFor("rsqf", 1'000'000, 0.001);
//   // sizing->spec is rsqf:r=10, sizing->slots is 1'052'632
//   auto filter = AnyFilter::Create(sizing->spec, {.slots = sizing->slots});
//
//   sizing = SizeFor("rsqf", MemoryBudget{.keys = 500, .bits_per_key = 12.6});
//   TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse("rsqf:r=8"));
//   Result<double> fpr = FprFor(spec, 1 << 20, 900'000);
//   Result<uint64_t> bits = SizeBitsFor(spec, 1 << 20);
//
// Of every kind: where the class has a formula (see SizableFilter) that is
// taken, elsewhere a small filter is made and filled to the same load.  Of a
// kind that grows, slots are those at creation, and more keys than they hold
// are answered for the filter that has grown for them.

#ifndef TAMIS_SIZING_H_
#define TAMIS_SIZING_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tamis/hasher.h"
#include "tamis/keys_and_rate.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

struct Sizing {
  Spec spec;
  uint64_t slots;
  double fpr;  // expected, with the keys that were asked for
};

// So much memory for so many keys.
struct MemoryBudget {
  uint64_t keys = 0;
  double bits_per_key = 0;

  uint64_t TotalBits() const;  // rounded down
};

// Returns the smallest filter of this kind that holds `keys` keys at a false
// positive rate of at most `fpr`.  kInvalidArgument if `fpr` is not between 0
// and 1 or the kind can't reach it.
Result<Sizing> SizeFor(std::string_view kind, uint64_t keys, double fpr);
// Returns the filter of this kind with the lowest rate that the budget buys;
// kInvalidArgument if none fits.
Result<Sizing> SizeFor(std::string_view kind, const MemoryBudget& budget);

// Completes a spec: of what it leaves open the narrowest that keeps to the rate,
// or the best that the memory buys.  kInvalidArgument if there is none.
Result<Sizing> SizeFor(const Spec& spec, const KeysAndRate& wanted);

// Returns the rate to expect from a filter made with `slots` slots, with `keys`
// keys.  kInvalidArgument if they do not fit.
Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);

// Returns SizeBits() of a new filter with `slots` slots; of one that has grown
// for `keys` keys, to within its last line or so.
Result<uint64_t> SizeBitsFor(const Spec& spec, uint64_t slots);
Result<uint64_t> SizeBitsFor(const Spec& spec, uint64_t slots, uint64_t keys);

// Returns the slots that hold `keys` keys without growing.
Result<uint64_t> SlotsFor(const Spec& spec, uint64_t keys);

// What a budget buys.
struct Fit {
  std::optional<Sizing> choice;  // none: does not fit
  double min_bits_per_key = 0;   // the least that this filter can do with
  // Why it does not fit, if not because it is too large.
  std::string other_reason;
};

// Chooses what `wanted` leaves open, for the lowest rate: every width is tried
// (r or f), each with as many slots as the budget buys, so what a whole bit
// does not use up lowers the load; of Bloom filters the bits are the budget's,
// and every k is tried.  A growing filter gets the size it comes to with so
// many keys, its threshold reached and not passed.  New, no filter exceeds the
// budget; tails may grow when it is filled.
// REQUIRES: budget.keys > 0, budget.bits_per_key > 0
Result<Fit> FitToBudget(const Spec& wanted, const MemoryBudget& budget);

// What a filter class offers to be sized by a formula.  `kind` is the name in
// the spec, for classes that have several.
template <typename F>
concept SizableFilter = requires(std::string_view kind, const Spec& spec,
                                 uint64_t number) {
  { F::SizeFor(kind, number, double{}) } -> std::same_as<Result<Sizing>>;
  { F::FprFor(spec, number, number) } -> std::same_as<Result<double>>;
};

namespace internal {

// Create of the class F, whose shortest spec is `spec`.
template <typename F>
Result<F> CreateSized(std::string_view spec, const KeysAndRate& wanted,
                      const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  TAMIS_ASSIGN_OR_RETURN(const Sizing sizing, SizeFor(parsed, wanted));
  return F::Create(sizing.spec, sizing.slots, hasher);
}

}  // namespace internal

}  // namespace tamis

#endif  // TAMIS_SIZING_H_
