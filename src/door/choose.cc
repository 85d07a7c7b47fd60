// From what a user knows to a spec and a size.
//
// A tamis filter that grows is sized by a formula.  Let a generation end, and
// the homes double, when there are c entries a home; c is the threshold times
// what its steps add, 2^((steps - 1) / steps).  A full fingerprint has F bits,
// and each doubling takes one of them.  At the end of generation G
//
//   born in         entries a home       bits    matches an absent key
//   G               c / 2                F       c / 2 * 2^-F
//   G - 1           c / 4                F - 1   c / 2 * 2^-F
//   ...
//   1               c / 2^G              ...     c / 2 * 2^-F
//   0               2 c / 2^(G + 1)      F - G   c * 2^-F
//
// so the rate is c * (G / 2 + 1) * 2^-F, and 1,000 times as many keys as at the
// start lie in generation 10.  Other filters that grow are tried out, small.

#include "door/choose.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "tamis/internal/filters/shortest_text.h"
#include "tamis/kind.h"
#include "tamis/sizing.h"

namespace tamis::internal {
namespace {

constexpr double kDefaultFpr = 0.01;
constexpr std::string_view kTamis = "tamis";

Status Bad(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}
Status CanNot(const Spec& spec, std::string_view what) {
  return {StatusCode::kUnsupported,
          spec.ToString() + " can't " + std::string(what)};
}

bool Adapts(const Filter::Options& options) {
  return options.adapts || static_cast<bool>(options.source);
}

Status CheckNumbers(const Filter::Options& options) {
  if (options.keys == 0) {
    return Bad("how many keys? .keys is 0; with .grows a guess will do");
  }
  if (options.fpr != 0 && options.bits_per_key != 0) {
    return Bad(
        "both .fpr and .bits_per_key are given: one follows from the "
        "other");
  }
  if (options.fpr != 0 && !(options.fpr > 0 && options.fpr < 1)) {
    return Bad(".fpr is " + ShortestText(options.fpr) +
               ", and not between 0 and 1");
  }
  if (options.bits_per_key != 0 &&
      !(options.bits_per_key > 0 && std::isfinite(options.bits_per_key))) {
    return Bad(".bits_per_key is " + ShortestText(options.bits_per_key));
  }
  return {};
}

// The table of tamis.h.
Spec TableSpec(const Filter::Options& options) {
  if (Adapts(options) || options.grows || options.threads) {
    return Spec(std::string(kTamis));
  }
  return Spec(options.deletes ? "rsqf" : "blocked");
}

// Adds what a tamis filter has to know of the wishes, where the spec is silent.
void SetWishes(const Filter::Options& options, bool given, Spec* spec) {
  if (spec->name() != kTamis) return;
  if (!given && !options.grows) spec->Set("grow", "no");
  if (!spec->Has("members")) {
    if (options.source) spec->Set("members", "source");
    if (!options.source && !given) spec->Set("members", "caller");
  }
}

Status CheckWishes(const Filter::Options& options, const Spec& spec,
                   const Capabilities& can) {
  if (options.threads) {
    return {StatusCode::kUnsupported,
            "no filter of this version is changed by several threads at once; "
            "use a lock of your own"};
  }
  const bool grows = can.expand && spec.Text("grow").value_or("yes") != "no";
  if (options.grows && !grows) return CanNot(spec, "grow");
  if (options.deletes && !can.erase) return CanNot(spec, "delete");
  if (Adapts(options) && !can.adapt) return CanNot(spec, "adapt");
  return {};
}

// ---- A rate ---------------------------------------------------------------

// Entries a home when a generation of a tamis filter ends, see above.
Result<double> EntriesPerHome(const Spec& spec, const Kind& kind) {
  const ParameterReader read(spec, kind.parameters);
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  TAMIS_ASSIGN_OR_RETURN(const int steps, read.Int("steps"));
  return threshold * std::exp2(1.0 - 1.0 / steps);
}

// What one bit more in its fingerprints halves.
Result<double> RateWithoutBits(const Spec& spec, const Kind& kind) {
  if (spec.Text("grow").value_or("yes") == "no") return 1.0;  // an entry a home
  TAMIS_ASSIGN_OR_RETURN(const double entries, EntriesPerHome(spec, kind));
  constexpr double kGenerations = std::bit_width(kGrowth);
  return entries * (kGenerations / 2 + 1);
}

uint64_t Grown(uint64_t keys) {
  return std::min(keys, ~uint64_t{0} / kGrowth) * kGrowth;
}

Result<double> RateOf(const Spec& spec, const Kind& kind, uint64_t slots,
                      const Filter::Options& options) {
  if (spec.name() != kTamis) {
    return FprFor(spec, slots,
                  options.grows ? Grown(options.keys) : options.keys);
  }
  TAMIS_ASSIGN_OR_RETURN(const int f,
                         ParameterReader(spec, kind.parameters).Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const double rate, RateWithoutBits(spec, kind));
  return std::ldexp(rate, -f);
}

// Takes over what `from` gives and `spec` leaves open.
Status FillFrom(const Spec& from, const Kind& kind, Spec* spec) {
  for (const Parameter& parameter : kind.parameters) {
    if (spec->Has(parameter.name) || !from.Has(parameter.name)) continue;
    TAMIS_ASSIGN_OR_RETURN(std::string value, from.Text(parameter.name));
    spec->Set(parameter.name, std::move(value));
  }
  return {};
}

// The width to begin with: what the kind's own sizing says of a plain one.
Status SetFirstWidth(const Kind& kind, uint64_t keys, double fpr, Spec* spec) {
  if (spec->name() == kTamis) {
    TAMIS_ASSIGN_OR_RETURN(const double rate, RateWithoutBits(*spec, kind));
    const double bits = std::max(3.0, std::ceil(std::log2(rate / fpr)));
    spec->Set("f", static_cast<uint64_t>(bits));
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const Sizing sizing, SizeFor(kind.name, keys, fpr));
  return FillFrom(sizing.spec, kind, spec);
}

Result<uint64_t> SlotsOf(const Spec& spec, uint64_t keys) {
  // A tamis filter that does not grow takes a key a slot, and is fast up to
  // the load of the quotient filters.
  if (spec.name() == kTamis && spec.Text("grow").value_or("yes") == "no") {
    return SlotsFor(Spec("rsqf"), keys);
  }
  return SlotsFor(spec, keys);
}

Result<Choice> ChooseForRate(const Filter::Options& options, const Kind& kind,
                             Spec spec) {
  const double fpr = options.fpr == 0 ? kDefaultFpr : options.fpr;
  const bool open = !kind.open.empty() && !spec.Has(kind.open);
  if (open) {
    TAMIS_RETURN_IF_ERROR(SetFirstWidth(kind, options.keys, fpr, &spec));
  }
  // Other parameters of the spec, or growth, may ask for some bits more.
  constexpr int kMoreBits = 12;
  constexpr double kMostBits = 1024;
  double rate = 1;
  for (int more = 0; more <= kMoreBits; ++more) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, SlotsOf(spec, options.keys));
    if (!open && options.fpr == 0) return Choice{spec, slots};
    TAMIS_ASSIGN_OR_RETURN(rate, RateOf(spec, kind, slots, options));
    if (rate <= fpr) return Choice{spec, slots};
    if (!open) break;
    TAMIS_ASSIGN_OR_RETURN(const double bits,
                           spec.Number(kind.open, 0, 0, kMostBits));
    spec.Set(kind.open, ShortestText(bits + 1));
  }
  return Bad(spec.ToString() + " has a rate of " + ShortestText(rate) +
             (options.grows ? " when it has grown" : "") + ", above .fpr");
}

// ---- A budget -------------------------------------------------------------

// What remains for a filter itself if mistakes are to be remembered within the
// same budget.
Result<double> BitsForTable(const Filter::Options& options, const Kind& kind,
                            const Spec& spec) {
  if (spec.name() != kTamis || !Adapts(options)) return options.bits_per_key;
  TAMIS_ASSIGN_OR_RETURN(
      const double kept,
      ParameterReader(spec, kind.parameters).Number("extensions"));
  return options.bits_per_key - kept;
}

// The filter counts them a slot, and the budget bought some slots more.  A
// table of extensions that has forgotten much takes up to a sixth above its
// plan.
void SetKept(double bits_per_key, uint64_t keys, Choice* choice) {
  constexpr double kAbovePlan = 1.2;
  const double bits = bits_per_key / kAbovePlan * static_cast<double>(keys) /
                      static_cast<double>(choice->slots);
  choice->spec.Set("extensions", ShortestText(std::floor(bits * 100) / 100));
}

Result<Choice> ChooseForBudget(const Filter::Options& options, const Kind& kind,
                               const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const double bits, BitsForTable(options, kind, spec));
  const double kept = options.bits_per_key - bits;
  if (!(bits > 0)) {
    return Bad(spec.ToString() + " keeps " + ShortestText(kept) +
               " bits a key for mistakes alone");
  }
  // Filters are made to be tried out; who knows the members changes no size.
  Spec tried = spec;
  if (options.source && spec.Has("members")) tried.Set("members", "caller");
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitToBudget(tried, {.keys = options.keys,
                                                      .bits_per_key = bits}));
  if (fit.choice) {
    Choice choice{fit.choice->spec, fit.choice->slots};
    if (tried != spec) choice.spec.Set("members", "source");
    if (kept > 0) SetKept(kept, options.keys, &choice);
    return choice;
  }
  const double least = std::ceil((fit.min_bits_per_key + kept) * 100) / 100;
  return Bad(spec.ToString() + " needs " + ShortestText(least) +
             " bits a key or more" +
             (fit.other_reason.empty() ? "" : ": " + fit.other_reason));
}

}  // namespace

Result<Choice> Choose(const Filter::Options& options) {
  TAMIS_RETURN_IF_ERROR(CheckNumbers(options));
  const bool given = !options.spec.empty();
  TAMIS_ASSIGN_OR_RETURN(Spec spec, given ? Spec::Parse(options.spec)
                                          : Result<Spec>(TableSpec(options)));
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  SetWishes(options, given, &spec);
  TAMIS_RETURN_IF_ERROR(CheckWishes(options, spec, kind->capabilities));
  if (options.bits_per_key != 0) return ChooseForBudget(options, *kind, spec);
  return ChooseForRate(options, *kind, std::move(spec));
}

}  // namespace tamis::internal
