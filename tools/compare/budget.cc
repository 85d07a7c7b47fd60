#include "tools/compare/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "tools/common/parse.h"
#include "tools/compare/cached_filter.h"
#include "tools/compare/forms.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kModelKeys = 4096;
constexpr uint64_t kMinWidth = 2;
constexpr uint64_t kMaxWidth = 40;
constexpr uint64_t kMaxK = 16;
constexpr int kMaxTries = 8;  // to meet the budget by fewer slots or bits
constexpr uint64_t kShares[] = {2, 5, 10, 20};  // of a cache, in percent
constexpr uint64_t kDefaultShare = 5;

const Hasher& ModelHasher() {
  static const Hasher kHasher(Seed{.low = 1, .high = 0});
  return kHasher;
}

Result<uint64_t> SizeOf(const Spec& spec, uint64_t slots) {
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         CreateComparable(spec, slots, ModelHasher()));
  return filter.SizeBits();
}

// Returns the false positive rate that a filter of this spec expects when it
// has `keys` keys in `slots` slots, from a smaller one at the same load.
Result<double> ExpectedFpr(const Spec& spec, uint64_t slots, uint64_t keys) {
  const uint64_t model_keys = std::min(keys, kModelKeys);
  const double scale =
      static_cast<double>(model_keys) / static_cast<double>(keys);
  const auto model_slots =
      static_cast<uint64_t>(std::ceil(static_cast<double>(slots) * scale));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, model_slots, ModelHasher()));
  for (uint64_t i = 0; i < model_keys; ++i) {
    TAMIS_RETURN_IF_ERROR(filter.Insert(ModelHasher().Hash(i)));
  }
  return filter.ExpectedFpr();
}

// Returns the fewest slots that hold the keys at this load.
uint64_t LeastSlots(uint64_t keys, double load) {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(keys) / load));
}

// Returns how many slots to try after `slots` of them took `bits` in all, more
// than the budget has.
uint64_t FewerSlots(uint64_t slots, uint64_t bits, double bits_per_slot,
                    const Budget& budget) {
  const auto over = static_cast<double>(bits - budget.TotalBits());
  return slots -
         std::min(slots, static_cast<uint64_t>(over / bits_per_slot) + 1);
}

// Returns the form whose kind `spec` is of, which says what to choose.
Result<FilterForm> FormOf(const Spec& spec) {
  for (const FilterForm& form : AllForms()) {
    const std::string_view kind =
        form.spec.substr(0, form.spec.find_first_of(":("));
    if (kind == spec.name()) return form;
  }
  std::vector<std::string_view> known;
  for (const FilterForm& form : AllForms()) known.push_back(form.spec);
  return UsageError(
      fmt::format("there is no filter '{}' to compare; known are {}",
                  spec.name(), fmt::join(known, ", ")));
}

// Fits the filters of slots, with a width (r or f) to choose.
class SlotFitter {
 public:
  SlotFitter(Spec wanted, const FilterForm& form, const Budget& budget)
      : wanted_(std::move(wanted)), form_(form), budget_(budget) {}

  Result<Fit> Run() {
    TAMIS_RETURN_IF_ERROR(ReadThreshold());
    least_slots_ = LeastSlots(budget_.keys, max_load_);
    // The threshold times the slots is rounded down.
    if (wanted_.Has("threshold")) ++least_slots_;
    TAMIS_RETURN_IF_ERROR(FindWidths());
    // The widest first.  A bit less doubles the rate, and the load it saves
    // never halves it.
    for (size_t i = widths_.size(); i-- > 0;) {
      const Width& one = widths_[i];
      TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, MostSlots(one));
      const Result<double> fpr = ExpectedFpr(one.spec, slots, budget_.keys);
      if (!fpr.ok()) {
        NoteNoRoom(slots, fpr.status());
        continue;
      }
      if (fit_.choice && *fpr > 2 * fit_.choice->expected_fpr) break;
      if (!fit_.choice || *fpr < fit_.choice->expected_fpr) {
        fit_.choice = {one.spec, slots, *fpr, max_load_};
      }
    }
    return std::move(fit_);
  }

 private:
  // What fits in bits may still find no place for its keys at such a load.
  void NoteNoRoom(uint64_t slots, const Status& status) {
    fit_.other_reason = fmt::format(
        "keys could not be placed at load {:.2f}: {}",
        static_cast<double>(budget_.keys) / static_cast<double>(slots),
        status.message());
  }

  // Growing filters double beyond their threshold.
  Status ReadThreshold() {
    max_load_ = form_.max_load;
    TAMIS_ASSIGN_OR_RETURN(const Spec fixed, Spec::Parse(form_.spec));
    if (!fixed.Has("threshold")) return {};
    if (!wanted_.Has("threshold")) {
      TAMIS_ASSIGN_OR_RETURN(std::string text, fixed.Text("threshold"));
      wanted_.Set("threshold", std::move(text));
    }
    TAMIS_ASSIGN_OR_RETURN(max_load_,
                           wanted_.Number("threshold", max_load_, 0.05, 0.98));
    return {};
  }

  // A width that fits, and what the fewest slots of it take.
  struct Width {
    Spec spec;
    uint64_t least_bits;
  };

  // Lists all widths that fit; the wider, the larger.
  Status FindWidths() {
    Status status;
    for (uint64_t width = kMinWidth; width <= kMaxWidth; ++width) {
      Spec spec = wanted_;
      if (!wanted_.Has(form_.open)) spec.Set(form_.open, width);
      const Result<uint64_t> least = SizeOf(spec, least_slots_);
      if (least.ok() && !AddWidth(std::move(spec), *least)) break;
      if (!least.ok()) status = least.status();  // not every width exists
      if (wanted_.Has(form_.open)) break;
    }
    return fit_.min_bits_per_key == 0 ? status : Status();
  }
  bool AddWidth(Spec spec, uint64_t least_bits) {
    if (fit_.min_bits_per_key == 0) {
      fit_.min_bits_per_key =
          static_cast<double>(least_bits) / static_cast<double>(budget_.keys);
    }
    if (least_bits > budget_.TotalBits()) return false;
    widths_.push_back({std::move(spec), least_bits});
    return true;
  }

  // Returns as many slots as the budget buys.
  Result<uint64_t> MostSlots(const Width& width) const {
    const double bits_per_slot = static_cast<double>(width.least_bits) /
                                 static_cast<double>(least_slots_);
    auto slots = static_cast<uint64_t>(
        static_cast<double>(budget_.TotalBits()) / bits_per_slot);
    for (int i = 0; i < kMaxTries && slots > least_slots_; ++i) {
      TAMIS_ASSIGN_OR_RETURN(const uint64_t bits, SizeOf(width.spec, slots));
      if (bits <= budget_.TotalBits()) return slots;
      slots = FewerSlots(slots, bits, bits_per_slot, budget_);
    }
    return least_slots_;
  }

  Spec wanted_;
  const FilterForm form_;
  const Budget budget_;
  double max_load_ = 1;
  uint64_t least_slots_ = 0;
  std::vector<Width> widths_;
  Fit fit_;
};

std::string BitsText(double bits) {
  return fmt::format("{:.4f}", std::floor(bits * 1e4) / 1e4);
}

// Returns the spec with as many bits a key as the budget buys; nothing if not
// even the smallest does.  Sizes are whole words, rounded to the nearest.
Result<std::optional<Spec>> MostBits(const Spec& wanted, const Budget& budget,
                                     Fit* fit) {
  const auto keys = static_cast<double>(budget.keys);
  double bits = budget.bits_per_key;
  uint64_t size = 0;
  for (int i = 0; i < kMaxTries && bits > 0; ++i) {
    Spec spec = wanted;
    if (!wanted.Has("bits")) spec.Set("bits", BitsText(bits));
    TAMIS_ASSIGN_OR_RETURN(size, SizeOf(spec, budget.keys));
    if (size <= budget.TotalBits()) return std::optional(spec);
    if (wanted.Has("bits")) break;
    // Doubled, or a size just above the budget is rounded up to again.
    const auto over = static_cast<double>(size - budget.TotalBits());
    bits -= std::ldexp(over, i) / keys;
  }
  fit->min_bits_per_key = static_cast<double>(size) / keys;
  return std::optional<Spec>();
}

Result<Fit> FitBits(const Spec& wanted, const Budget& budget) {
  Fit fit;
  TAMIS_ASSIGN_OR_RETURN(const std::optional<Spec> spec,
                         MostBits(wanted, budget, &fit));
  if (!spec) return fit;
  std::vector<Spec> candidates = {*spec};
  for (uint64_t k = 1; k <= kMaxK && !wanted.Has("k"); ++k) {
    candidates.push_back(Spec(*spec).Set("k", k));
  }
  for (const Spec& one : candidates) {
    const Result<double> fpr = ExpectedFpr(one, budget.keys, budget.keys);
    if (!fpr.ok()) {  // this filter has no k, or not this one
      fit.other_reason = fpr.status().message();
      continue;
    }
    if (fit.choice && *fpr >= fit.choice->expected_fpr) continue;
    fit.choice = {one, budget.keys, *fpr, 1};
  }
  return fit;
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
  TAMIS_ASSIGN_OR_RETURN(const uint64_t share,
                         wanted.Integer("share", kDefaultShare, 1, 99));
  TAMIS_ASSIGN_OR_RETURN(const Spec inner, InnerOf(wanted));
  const double cached = budget.bits_per_key * static_cast<double>(share) / 100;
  const Budget rest{budget.keys, budget.bits_per_key - cached};
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitToBudget(inner, rest));
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

}  // namespace

uint64_t Budget::TotalBits() const {
  return static_cast<uint64_t>(static_cast<double>(keys) * bits_per_key);
}

bool Budget::Allows(uint64_t size_bits) const {
  return static_cast<double>(size_bits) <=
         static_cast<double>(keys) * bits_per_key * (1 + kBudgetSlack);
}

Result<Fit> FitToBudget(const Spec& wanted, const Budget& budget) {
  assert(budget.keys > 0 && budget.bits_per_key > 0);
  if (wanted.name() == "cached") return FitCached(wanted, budget);
  TAMIS_ASSIGN_OR_RETURN(const FilterForm form, FormOf(wanted));
  if (form.open == "bits") return FitBits(wanted, budget);
  return SlotFitter(wanted, form, budget).Run();
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
  const uint64_t least = LeastSlots(budget.keys, choice.max_load);
  uint64_t slots = choice.slots;
  uint64_t bits = 0;
  for (int i = 0; i < kMaxTries && slots >= least; ++i) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                           CreateComparable(choice.spec, slots, hasher));
    TAMIS_RETURN_IF_ERROR(filter.BulkLoad(members).WithContext(
        fmt::format("keys could not be placed in {}", choice.spec.ToString())));
    bits = filter.SizeBits();
    if (slots_made != nullptr) *slots_made = slots;
    if (budget.Allows(bits)) return filter;
    slots = FewerSlots(slots, bits,
                       static_cast<double>(bits) / static_cast<double>(slots),
                       budget);
  }
  return Status(StatusCode::kFull,
                fmt::format("{} takes {:.2f} bits a key once it is filled",
                            choice.spec.ToString(),
                            static_cast<double>(bits) /
                                static_cast<double>(budget.keys)));
}

}  // namespace tamis::tools
