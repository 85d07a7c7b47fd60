// FitToBudget of sizing.h: what a budget buys.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "filters/inner_spec.h"
#include "filters/model_filter.h"
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/kind.h"
#include "tamis/sizing.h"

namespace tamis {

using internal::LeastSlots;
using internal::ModelFpr;

namespace {

constexpr uint64_t kMaxWidth = 40;
constexpr uint64_t kMaxK = 16;
constexpr int kMaxTries = 8;  // to meet the budget by fewer slots or bits

bool Declares(const Kind& kind, std::string_view name) {
  return std::ranges::find(kind.parameters, name, &Parameter::name) !=
         kind.parameters.end();
}

// With two decimals.
std::string Rounded(double value) {
  return internal::ShortestText(std::round(value * 100) / 100);
}

// Fits the filters of slots, with a width (r or f) to choose.
class SlotFitter {
 public:
  SlotFitter(Spec wanted, const Kind& kind, const MemoryBudget& budget)
      : wanted_(std::move(wanted)), kind_(kind), budget_(budget) {}

  Result<Fit> Run() {
    TAMIS_RETURN_IF_ERROR(ReadLoad());
    TAMIS_RETURN_IF_ERROR(FindWidths());
    // The widest first.  A bit less doubles the rate, and the load it saves
    // never halves it.
    for (size_t i = widths_.size(); i-- > 0;) {
      const Width& one = widths_[i];
      // More cells than it takes do a static filter no good.
      TAMIS_ASSIGN_OR_RETURN(
          const uint64_t slots,
          kind_.is_static ? Result<uint64_t>(least_slots_) : MostSlots(one));
      const Result<double> fpr = ModelFpr(one.spec, slots, budget_.keys);
      if (!fpr.ok()) {
        NoteNoRoom(slots, fpr.status());
        continue;
      }
      if (fit_.choice && *fpr > 2 * fit_.choice->fpr) break;
      if (!fit_.choice || *fpr < fit_.choice->fpr) {
        fit_.choice = {one.spec, slots, *fpr};
      }
    }
    return std::move(fit_);
  }

 private:
  // What fits in bits may still find no place for its keys at such a load.
  void NoteNoRoom(uint64_t slots, const Status& status) {
    const double load =
        static_cast<double>(budget_.keys) / static_cast<double>(slots);
    fit_.other_reason = "keys could not be placed at load " + Rounded(load) +
                        ": " + std::string(status.message());
  }

  // Growing filters double beyond their threshold, and are filled up to it.
  Status ReadLoad() {
    double load = kind_.max_load;
    const bool grows = Declares(kind_, "threshold");
    if (grows && !wanted_.Has("threshold")) {
      wanted_.Set("threshold", internal::ShortestText(load));
    }
    if (grows) {
      const ParameterReader read(wanted_, kind_.parameters);
      TAMIS_ASSIGN_OR_RETURN(load, read.Number("threshold"));
    }
    // The threshold times the slots is rounded down.
    least_slots_ = LeastSlots(budget_.keys, load) + (grows ? 1 : 0);
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
    for (uint64_t width = 1; width <= kMaxWidth; ++width) {
      Spec spec = wanted_;
      if (!wanted_.Has(kind_.open)) spec.Set(kind_.open, width);
      const Result<uint64_t> least = SizeBitsFor(spec, least_slots_);
      if (least.ok() && !AddWidth(std::move(spec), *least)) break;
      if (!least.ok()) status = least.status();  // not every width exists
      if (wanted_.Has(kind_.open)) break;
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
      TAMIS_ASSIGN_OR_RETURN(const uint64_t bits,
                             SizeBitsFor(width.spec, slots));
      if (bits <= budget_.TotalBits()) return slots;
      const auto over = static_cast<double>(bits - budget_.TotalBits());
      slots -= std::min(slots, static_cast<uint64_t>(over / bits_per_slot) + 1);
    }
    return least_slots_;
  }

  Spec wanted_;
  const Kind& kind_;
  const MemoryBudget budget_;
  uint64_t least_slots_ = 0;
  std::vector<Width> widths_;
  Fit fit_;
};

// Four decimals, and never more than there are.
std::string BitsText(double bits) {
  return internal::ShortestText(std::floor(bits * 1e4) / 1e4);
}

// Returns the parameter k if it is to be chosen.
const Parameter* OpenK(const Spec& wanted, const Kind& kind) {
  const auto k = std::ranges::find(kind.parameters, "k", &Parameter::name);
  return k == kind.parameters.end() || wanted.Has("k") ? nullptr : &*k;
}

// Returns the spec with as many bits a key as the budget buys; nothing if not
// even the smallest does.  Sizes are whole words, rounded to the nearest.
Result<std::optional<Spec>> MostBits(const Spec& wanted, const Kind& kind,
                                     const MemoryBudget& budget, Fit* fit) {
  const auto keys = static_cast<double>(budget.keys);
  const auto open =
      std::ranges::find(kind.parameters, kind.open, &Parameter::name);
  double bits = std::min(budget.bits_per_key, open->number_limits.max);
  uint64_t size = 0;
  for (int i = 0; i < kMaxTries && bits > 0; ++i) {
    Spec spec = wanted;
    if (!wanted.Has(kind.open)) spec.Set(kind.open, BitsText(bits));
    // No size depends on k, and to find the best one takes long.
    Spec sized = spec;
    if (const Parameter* k = OpenK(wanted, kind)) {
      sized.Set("k", k->whole_limits.min);
    }
    TAMIS_ASSIGN_OR_RETURN(size, SizeBitsFor(sized, budget.keys));
    if (size <= budget.TotalBits()) return std::optional(spec);
    if (wanted.Has(kind.open)) break;
    // Doubled, or a size just above the budget is rounded up to again.
    const auto over = static_cast<double>(size - budget.TotalBits());
    bits -= std::ldexp(over, i) / keys;
  }
  fit->min_bits_per_key = static_cast<double>(size) / keys;
  return std::optional<Spec>();
}

Result<Fit> FitBits(const Spec& wanted, const Kind& kind,
                    const MemoryBudget& budget) {
  constexpr double kWorse = 1.2;
  Fit fit;
  TAMIS_ASSIGN_OR_RETURN(const std::optional<Spec> spec,
                         MostBits(wanted, kind, budget, &fit));
  if (!spec) return fit;
  std::vector<Spec> candidates;
  const Parameter* const k = OpenK(wanted, kind);
  if (k == nullptr) candidates.push_back(*spec);
  for (uint64_t i = k == nullptr ? kMaxK + 1 : k->whole_limits.min; i <= kMaxK;
       ++i) {
    candidates.push_back(Spec(*spec).Set("k", i));
  }
  for (const Spec& one : candidates) {
    const Result<double> fpr = ModelFpr(one, budget.keys, budget.keys);
    if (!fpr.ok()) {  // not this k
      fit.other_reason = fpr.status().message();
      continue;
    }
    // Beyond the best k the rate rises, and takes ever longer to compute.
    if (fit.choice && *fpr > kWorse * fit.choice->fpr) break;
    if (fit.choice && *fpr >= fit.choice->fpr) continue;
    fit.choice = {one, budget.keys, *fpr};
  }
  return fit;
}

// Fits the filter inside to what the cache leaves: its `bytes`, or a twentieth
// of the memory.
Result<Fit> FitCached(const Spec& wanted, const Kind& kind,
                      const MemoryBudget& budget) {
  constexpr double kShare = 0.05;
  const ParameterReader read(wanted, kind.parameters);
  const auto keys = static_cast<double>(budget.keys);
  const double all = keys * budget.bits_per_key;
  const auto& limits = kind.parameters.front().whole_limits;  // of bytes
  uint64_t bytes = std::clamp(static_cast<uint64_t>(kShare * all / 8),
                              limits.min, limits.max);
  if (wanted.Has(kind.open)) {
    TAMIS_ASSIGN_OR_RETURN(bytes, read.Whole(kind.open));
  }
  const double cache = 8 * static_cast<double>(bytes) / keys;
  TAMIS_ASSIGN_OR_RETURN(const Spec inner, internal::InnerOf(wanted, kind));
  Fit fit;
  if (cache < budget.bits_per_key) {
    TAMIS_ASSIGN_OR_RETURN(
        fit, FitToBudget(inner, {budget.keys, budget.bits_per_key - cache}));
  } else {
    TAMIS_ASSIGN_OR_RETURN(fit, FitToBudget(inner, budget));
    fit.choice.reset();
  }
  // The share of the cache grows with the memory; its bytes do not.
  fit.min_bits_per_key =
      wanted.Has(kind.open)
          ? fit.min_bits_per_key + cache
          : std::max(fit.min_bits_per_key / (1 - kShare),
                     fit.min_bits_per_key +
                         8 * static_cast<double>(limits.min) / keys);
  if (fit.choice) {
    TAMIS_ASSIGN_OR_RETURN(
        Spec around,
        Spec::Parse("cached(" + fit.choice->spec.ToString() + ")"));
    if (wanted.Has("policy")) {
      around.Set("policy", wanted.Text("policy").value());
    }
    fit.choice->spec = around.Set(kind.open, bytes);
  }
  return fit;
}

}  // namespace

uint64_t MemoryBudget::TotalBits() const {
  return static_cast<uint64_t>(static_cast<double>(keys) * bits_per_key);
}

Result<Fit> FitToBudget(const Spec& wanted, const MemoryBudget& budget) {
  assert(budget.keys > 0 && budget.bits_per_key > 0);
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(wanted));
  if (!kind->inner.empty()) return FitCached(wanted, *kind, budget);
  if (kind->open == "bits") return FitBits(wanted, *kind, budget);
  return SlotFitter(wanted, *kind, budget).Run();
}

Result<Sizing> SizeFor(std::string_view kind, const MemoryBudget& budget) {
  if (budget.keys == 0 || !(budget.bits_per_key > 0)) {
    return Status(StatusCode::kInvalidArgument,
                  "a budget needs a number of keys and of bits");
  }
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitToBudget(Spec(std::string(kind)), budget));
  if (fit.choice) return *std::move(fit.choice);
  return Status(StatusCode::kInvalidArgument,
                std::string(kind) + " needs " + Rounded(fit.min_bits_per_key) +
                    " bits a key or more" +
                    (fit.other_reason.empty() ? "" : ": " + fit.other_reason));
}

}  // namespace tamis
