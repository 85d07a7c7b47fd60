#include "tools/compare/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "tamis/internal/base/nearest_name.h"
#include "tamis/kind.h"
#include "tools/common/check_spec.h"
#include "tools/common/parse.h"
#include "tools/compare/forms.h"

namespace tamis::tools {
namespace {

constexpr int kMaxTries = 8;  // to meet the budget by fewer slots
constexpr uint64_t kShares[] = {2, 5, 10, 20};  // of a cache, in percent
constexpr const char* kFixes = "extensions";    // what a tamis filter learns
constexpr const char* kRoomsForFixes[] = {"0.1", "0.25", "0.5", "1"};
constexpr Parameter kShareParameter[] = {
    WholeNumber("share", 5, {1, 99}, "percent of the memory for the cache")};
constexpr uint64_t kLeastCacheBytes = 168;

// Returns a spec without `share`, which only comparisons know.
Spec WithoutShare(const Spec& spec) {
  Spec plain(spec.name());
  if (!spec.inner().empty()) {
    plain = Spec::Parse(spec.name() + "(" + spec.inner() + ")").value();
  }
  for (const char* name : {"policy", "bytes"}) {
    if (spec.Has(name)) plain.Set(name, spec.Text(name).value());
  }
  return plain;
}
bool HasShare(const Spec& spec) {
  return spec.name() == "cached" && spec.Has("share");
}

// Fails, and lists what there is to compare, if there is no such filter.
Status CheckKnown(const Spec& spec) {
  if (FindKind(spec).ok()) return {};
  return UsageError(fmt::format(
      "there is no filter '{}' to compare{}; known are {}", spec.name(),
      internal::DidYouMean(spec.name(), AnyFilter::KnownKinds()),
      fmt::join(AllForms(), ", ")));
}

// Returns cached(S):share=5 as what it stands for, so many bytes of the budget.
Result<Spec> WithBytes(const Spec& wanted, const Budget& budget) {
  const ParameterReader read(wanted, kShareParameter);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t share, read.Whole("share"));
  return WithoutShare(wanted).Set("bytes", budget.TotalBits() * share / 800);
}

// Returns the fewest slots to try, at the highest load.
Result<uint64_t> FewestSlots(const Spec& spec, uint64_t keys) {
  if (!spec.inner().empty()) {
    TAMIS_ASSIGN_OR_RETURN(const Spec inner, Spec::Parse(spec.inner()));
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

// The bits a key that fixes may come to take, if the spec says how many.  They
// are counted a slot, and tables of them take up to a fifth above their plan.
Result<double> RoomForFixes(const Spec& spec) {
  constexpr double kAbovePlan = 1.4;
  if (!spec.Has(kFixes)) return 0.0;
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  TAMIS_ASSIGN_OR_RETURN(
      const double bits,
      ParameterReader(spec, kind->parameters).Number(kFixes));
  return bits * kAbovePlan;
}

Result<Fit> FitWithRoom(const Spec& wanted, const Budget& budget) {
  TAMIS_ASSIGN_OR_RETURN(const double room, RoomForFixes(wanted));
  const double rest = budget.bits_per_key - room;
  TAMIS_ASSIGN_OR_RETURN(
      Fit fit, FitToBudget(wanted, {budget.keys,
                                    rest > 0 ? rest : budget.bits_per_key}));
  fit.min_bits_per_key += room;
  if (rest <= 0) fit.choice.reset();
  return fit;
}

// Fits what look-ups need; what lies beside is not looked at.
Result<Fit> FitSize(const Spec& wanted, const Budget& budget) {
  if (!HasShare(wanted)) return FitWithRoom(wanted, budget);
  TAMIS_ASSIGN_OR_RETURN(Spec spec, WithBytes(wanted, budget));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bytes,
                         spec.Integer("bytes", 0, 0, ~uint64_t{0}));
  const auto keys = static_cast<double>(budget.keys);
  const double share =
      8 * static_cast<double>(bytes) / keys / budget.bits_per_key;
  spec.Set("bytes", std::max(bytes, kLeastCacheBytes));
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitToBudget(spec, budget));
  // With more memory the cache has more of it, too.
  const double inner =
      fit.min_bits_per_key -
      8 * static_cast<double>(std::max(bytes, kLeastCacheBytes)) / keys;
  fit.min_bits_per_key =
      std::max(inner / (1 - share), 8 * kLeastCacheBytes / keys / share);
  if (bytes < kLeastCacheBytes) {
    fit.choice.reset();
    fit.other_reason.clear();
  }
  return fit;
}

// Returns the bits a key beside the chosen filter, of a small one filled alike.
Result<double> SideBitsPerKey(const Choice& choice, uint64_t keys) {
  constexpr uint64_t kModelKeys = 4096;
  const uint64_t model_keys = std::min(keys, kModelKeys);
  const double scale =
      static_cast<double>(model_keys) / static_cast<double>(keys);
  const auto slots = static_cast<uint64_t>(
      std::ceil(static_cast<double>(choice.slots) * scale));
  const Hasher hasher(Seed{.low = 1, .high = 1});
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(choice.spec, slots, hasher));
  uint64_t inserted = 0;
  while (inserted < model_keys && filter.Insert(hasher.Hash(inserted)).ok()) {
    ++inserted;  // all but a few, at the highest load
  }
  return filter.stats().SideBitsPerKey() * static_cast<double>(inserted) /
         static_cast<double>(model_keys);
}

Result<double> TotalBitsPerKey(const Choice& choice, uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size,
                         SizeBitsFor(choice.spec, choice.slots));
  TAMIS_ASSIGN_OR_RETURN(const double side, SideBitsPerKey(choice, keys));
  return static_cast<double>(size) / static_cast<double>(keys) + side;
}

// Fits again what takes `side` bits a key beside it: as much less for the filter
// if that is a mirror, in proportion if it is copies; nothing if neither fits.
Result<std::optional<Choice>> FitBeside(const Spec& spec, const Budget& budget,
                                        double side) {
  const double share = budget.bits_per_key / (budget.bits_per_key + side);
  for (const double bits :
       {budget.bits_per_key - side, budget.bits_per_key * share,
        budget.bits_per_key * share * (1 - kBudgetSlack)}) {
    if (bits < 1) continue;
    TAMIS_ASSIGN_OR_RETURN(Fit fit, FitSize(spec, {budget.keys, bits}));
    if (!fit.choice) continue;
    TAMIS_ASSIGN_OR_RETURN(const double total,
                           TotalBitsPerKey(*fit.choice, budget.keys));
    if (total <= budget.bits_per_key) return fit.choice;
  }
  return std::optional<Choice>();
}

// Takes what was fitted by its size, and fits it again so that what lies beside
// is within the budget, too.
Result<Fit> WithAllMemory(const Spec& spec, const Budget& budget, Fit fit) {
  constexpr int kSteps = 12;
  constexpr double kLeast = 0.25;
  if (fit.choice) {
    TAMIS_ASSIGN_OR_RETURN(const double side,
                           SideBitsPerKey(*fit.choice, budget.keys));
    if (side == 0) return fit;
    TAMIS_ASSIGN_OR_RETURN(const std::optional<Choice> choice,
                           FitBeside(spec, budget, side));
    if (choice) {
      fit.choice = choice;
      return fit;
    }
  } else if (!fit.other_reason.empty()) {
    return fit;
  }
  // The smallest one that there is, and all that it takes.
  double low = std::max(fit.min_bits_per_key, kLeast) * (1 + 1e-6) + 1e-4;
  Result<Fit> found = FitSize(spec, {budget.keys, low});
  while ((!found.ok() || !found->choice) && low < budget.bits_per_key) {
    low *= 2;  // not every kind says what its smallest is
    found = FitSize(spec, {budget.keys, low});
  }
  if (!found.ok() || !found->choice) {
    fit.choice.reset();
    fit.other_reason = "too large with what lies beside it";
    return fit;
  }
  const Fit& smallest = *found;
  TAMIS_ASSIGN_OR_RETURN(const double least,
                         TotalBitsPerKey(*smallest.choice, budget.keys));
  Fit best;
  best.min_bits_per_key = least;
  if (least > budget.bits_per_key) return best;
  best.choice = smallest.choice;
  double high = budget.bits_per_key;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (low + high) / 2;
    TAMIS_ASSIGN_OR_RETURN(Fit one, FitSize(spec, {budget.keys, middle}));
    if (!one.choice) return best;
    TAMIS_ASSIGN_OR_RETURN(const double total,
                           TotalBitsPerKey(*one.choice, budget.keys));
    if (total > budget.bits_per_key) {
      high = middle;
    } else {
      low = middle;
      best.choice = std::move(one.choice);
    }
  }
  return best;
}

}  // namespace

bool Allows(const Budget& budget, uint64_t size_bits) {
  return static_cast<double>(size_bits) <= static_cast<double>(budget.keys) *
                                               budget.bits_per_key *
                                               (1 + kBudgetSlack);
}

Result<Fit> FitComparable(const Spec& wanted, const Budget& budget,
                          KeysIn keys_in) {
  TAMIS_RETURN_IF_ERROR(CheckComparable(wanted));
  const Spec spec = SpecFor(wanted, keys_in);
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitSize(spec, budget));
  if (keys_in == KeysIn::kUncounted) return fit;
  return WithAllMemory(spec, budget, std::move(fit));
}

Status CheckBits(double bits_per_key) {
  constexpr double kLeastBits = 0.5;
  constexpr double kMostBits = 1000;
  if (bits_per_key >= kLeastBits && bits_per_key <= kMostBits) return {};
  return UsageError(fmt::format("--bits-per-key is {}; expected {} to {}",
                                bits_per_key, kLeastBits, kMostBits));
}

Status CheckComparable(const Spec& spec) {
  TAMIS_RETURN_IF_ERROR(CheckKnown(spec));
  if (!HasShare(spec)) return CheckSpec(spec);
  TAMIS_RETURN_IF_ERROR(
      ParameterReader(spec, kShareParameter).Whole("share").status());
  return CheckSpec(WithoutShare(spec));
}

std::vector<Spec> WithShares(const Spec& spec, KeysIn keys_in) {
  std::vector<Spec> specs;
  if (spec.name() == "tamis" && keys_in == KeysIn::kStore &&
      !spec.Has(kFixes)) {
    for (const char* bits : kRoomsForFixes) {
      specs.push_back(Spec(spec).Set(kFixes, bits));
    }
    return specs;
  }
  if (spec.name() != "cached" || spec.Has("share") || spec.Has("bytes")) {
    return {spec};
  }
  for (const uint64_t share : kShares) {
    specs.push_back(Spec(spec).Set("share", share));
  }
  return specs;
}

Result<AnyFilter> MakeFilled(const Choice& choice, const Budget& budget,
                             std::span<const KeyHash> members,
                             const Hasher& hasher, KeysIn keys_in) {
  assert(members.size() == budget.keys);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t least,
                         FewestSlots(choice.spec, budget.keys));
  uint64_t slots = choice.slots;
  uint64_t bits = 0;
  for (int i = 0; i < kMaxTries && slots >= least; ++i) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                           AnyFilter::Create(choice.spec, slots, hasher));
    TAMIS_RETURN_IF_ERROR(filter.BulkLoad(members).WithContext(
        fmt::format("keys could not be placed in {}", choice.spec.ToString())));
    bits = filter.SizeBits();
    if (keys_in != KeysIn::kUncounted) bits += filter.stats().side_bits;
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
