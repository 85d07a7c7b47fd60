#include "tools/compare/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "tamis/kind.h"
#include "tools/common/parse.h"
#include "tools/compare/cached_filter.h"
#include "tools/compare/forms.h"

namespace tamis::tools {
namespace {

constexpr int kMaxTries = 8;  // to meet the budget by fewer slots
constexpr uint64_t kShares[] = {2, 5, 10, 20};  // of a cache, in percent

// Fails, and lists what there is to compare, if there is no such filter.
Status CheckKnown(const Spec& spec) {
  if (FindKind(spec).ok()) return {};
  return UsageError(
      fmt::format("there is no filter '{}' to compare; known are {}",
                  spec.name(), fmt::join(AllForms(), ", ")));
}

// REQUIRES: cached has an inner spec
Result<Spec> InnerOf(const Spec& cached) {
  TAMIS_ASSIGN_OR_RETURN(Spec inner, Spec::Parse(cached.inner()));
  if (inner.name() != "cached") return inner;
  return UsageError("cached(" + cached.inner() +
                    ") is a cache around a cache; expected one around a "
                    "filter, such as cached(bloom)");
}

Result<Fit> FitCached(const Spec& wanted, const Budget& budget) {
  TAMIS_RETURN_IF_ERROR(
      wanted.ExpectOnly({"share", "policy"}, Spec::Inner::kOne));
  TAMIS_ASSIGN_OR_RETURN(const auto policy, PolicyOf(wanted));
  const ParameterReader read(wanted, kCachedParameters);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t share, read.Whole("share"));
  TAMIS_ASSIGN_OR_RETURN(const Spec inner, InnerOf(wanted));
  const double cached = budget.bits_per_key * static_cast<double>(share) / 100;
  const Budget rest{budget.keys, budget.bits_per_key - cached};
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitComparable(inner, rest));
  const uint64_t set_bits =
      MistakeCache::kWays * MistakeCache::BitsPerEntry(policy);
  const uint64_t sets = (budget.TotalBits() - rest.TotalBits()) / set_bits;
  const double least =
      static_cast<double>(set_bits) / static_cast<double>(budget.keys);
  fit.min_bits_per_key =
      std::max(fit.min_bits_per_key / (1 - static_cast<double>(share) / 100),
               least * 100 / static_cast<double>(share));
  if (sets == 0) {
    fit.choice.reset();
    fit.other_reason.clear();
  }
  if (!fit.choice) return fit;
  fit.choice->spec =
      CachedSpec(fit.choice->spec, sets * MistakeCache::kWays, policy);
  return fit;
}

// Returns the fewest slots to try, at the highest load.
Result<uint64_t> FewestSlots(const Spec& spec, uint64_t keys) {
  if (spec.name() == "cached") {
    TAMIS_ASSIGN_OR_RETURN(const Spec inner, InnerOf(spec));
    return FewestSlots(inner, keys);
  }
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, SlotsFor(spec, keys));
  return slots - kind->spare_slots;
}

// Returns how many slots to try after `slots` of them took `bits` in all, more
// than the budget has.
uint64_t FewerSlots(uint64_t slots, uint64_t bits, const Budget& budget) {
  const auto over = static_cast<double>(bits - budget.TotalBits());
  const double bits_per_slot =
      static_cast<double>(bits) / static_cast<double>(slots);
  return slots -
         std::min(slots, static_cast<uint64_t>(over / bits_per_slot) + 1);
}

}  // namespace

bool Allows(const Budget& budget, uint64_t size_bits) {
  return static_cast<double>(size_bits) <= static_cast<double>(budget.keys) *
                                               budget.bits_per_key *
                                               (1 + kBudgetSlack);
}

Result<Fit> FitComparable(const Spec& wanted, const Budget& budget) {
  if (wanted.name() == "cached") return FitCached(wanted, budget);
  TAMIS_RETURN_IF_ERROR(CheckKnown(wanted));
  return FitToBudget(wanted, budget);
}

std::vector<Spec> WithShares(const Spec& spec) {
  if (spec.name() != "cached" || spec.Has("share")) return {spec};
  std::vector<Spec> specs;
  for (const uint64_t share : kShares) {
    specs.push_back(Spec(spec).Set("share", share));
  }
  return specs;
}

Result<AnyFilter> MakeFilled(const Choice& choice, const Budget& budget,
                             std::span<const KeyHash> members,
                             const Hasher& hasher, uint64_t* slots_made) {
  assert(members.size() == budget.keys);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t least,
                         FewestSlots(choice.spec, budget.keys));
  uint64_t slots = choice.slots;
  uint64_t bits = 0;
  for (int i = 0; i < kMaxTries && slots >= least; ++i) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                           CreateComparable(choice.spec, slots, hasher));
    TAMIS_RETURN_IF_ERROR(filter.BulkLoad(members).WithContext(
        fmt::format("keys could not be placed in {}", choice.spec.ToString())));
    bits = filter.SizeBits();
    if (slots_made != nullptr) *slots_made = slots;
    if (Allows(budget, bits)) return filter;
    slots = FewerSlots(slots, bits, budget);
  }
  return Status(StatusCode::kFull,
                fmt::format("{} takes {:.2f} bits a key once it is filled",
                            choice.spec.ToString(),
                            static_cast<double>(bits) /
                                static_cast<double>(budget.keys)));
}

}  // namespace tamis::tools
