// SizeFor of a spec in keys and rate: sizing.h.
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

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/errors.h"
#include "filters/inner_spec.h"
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/kind.h"
#include "tamis/sizing.h"

namespace tamis {
namespace {

using internal::Bad;
using internal::ShortestText;

constexpr std::string_view kTamis = "tamis";

Status CheckNumbers(const KeysAndRate& wanted) {
  if (wanted.keys == 0) {
    return Bad("how many keys? .keys is 0; if it grows a guess will do");
  }
  if (wanted.keys > uint64_t{1} << 40) {
    return Bad(".keys is " + std::to_string(wanted.keys) +
               "; expected 2^40 at most");
  }
  if (wanted.fpr != 0 && wanted.bits_per_key != 0) {
    return Bad(
        "both .fpr and .bits_per_key are given: one follows from the other");
  }
  if (wanted.fpr != 0 && !(wanted.fpr > 0 && wanted.fpr < 1)) {
    return Bad(".fpr is " + ShortestText(wanted.fpr) +
               ", and not between 0 and 1");
  }
  if (wanted.bits_per_key != 0 &&
      !(wanted.bits_per_key > 0 && wanted.bits_per_key <= 0x1p20)) {
    return Bad(".bits_per_key is " + ShortestText(wanted.bits_per_key) +
               "; expected more than 0, and 2^20 at most");
  }
  return {};
}

bool IsTamis(const Spec& spec) { return spec.name() == kTamis; }
bool Grows(const Spec& spec) {
  return spec.Text("grow").value_or("yes") != "no";
}

// What one bit more in the fingerprints of a tamis filter halves, see above.
Result<double> RateWithoutBits(const Spec& spec, const Kind& kind,
                               const KeysAndRate& wanted) {
  if (!Grows(spec)) return 1.0;  // an entry a home
  const ParameterReader read(spec, kind.parameters);
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  TAMIS_ASSIGN_OR_RETURN(const int steps, read.Int("steps"));
  const uint64_t growth =
      std::max(wanted.up_to_keys, wanted.keys) / wanted.keys;
  if (growth == 1) return threshold;  // no step was taken yet
  const auto generations = static_cast<double>(std::bit_width(growth));
  return threshold * std::exp2(1.0 - 1.0 / steps) * (generations / 2 + 1);
}

Result<double> RateOf(const Spec& spec, const Kind& kind, uint64_t slots,
                      const KeysAndRate& wanted) {
  if (!IsTamis(spec)) {
    return FprFor(spec, slots, std::max(wanted.keys, wanted.up_to_keys));
  }
  TAMIS_ASSIGN_OR_RETURN(const int f,
                         ParameterReader(spec, kind.parameters).Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const double rate,
                         RateWithoutBits(spec, kind, wanted));
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

// Sets the width that the kind leaves open, if there is such a one.
Status SetWidth(const Kind& kind, double bits, Spec* spec) {
  const auto& [least, most] =
      std::ranges::find(kind.parameters, kind.open, &Parameter::name)
          ->whole_limits;
  if (bits > static_cast<double>(most)) {
    return Bad(spec->name() + " can't reach so low a rate: it needs " +
               std::string(kind.open) + "=" + ShortestText(bits) +
               ", more than " + std::to_string(most));
  }
  const auto width = static_cast<uint64_t>(std::max(bits, 0.0));
  spec->Set(kind.open, std::max(least, width));
  return {};
}

// The width to begin with: what the kind's own sizing says of a plain one.
Status SetFirstWidth(const Kind& kind, const KeysAndRate& wanted, Spec* spec) {
  if (IsTamis(*spec)) {
    TAMIS_ASSIGN_OR_RETURN(const double rate,
                           RateWithoutBits(*spec, kind, wanted));
    const double bits = std::ceil(std::log2(rate / wanted.fpr));
    return SetWidth(kind, bits, spec);
  }
  TAMIS_ASSIGN_OR_RETURN(const Sizing sizing,
                         SizeFor(kind.name, wanted.keys, wanted.fpr));
  return FillFrom(sizing.spec, kind, spec);
}

Result<uint64_t> SlotsOf(const Spec& spec, uint64_t keys) {
  // A tamis filter that does not grow takes a key a slot, and is fast up to
  // the load of the quotient filters.
  if (IsTamis(spec) && !Grows(spec)) return SlotsFor(Spec("rsqf"), keys);
  return SlotsFor(spec, keys);
}

Result<Sizing> SizeForRate(const Kind& kind, const KeysAndRate& wanted,
                           Spec spec) {
  const bool open = !kind.open.empty() && !spec.Has(kind.open);
  if (open) TAMIS_RETURN_IF_ERROR(SetFirstWidth(kind, wanted, &spec));
  // Other parameters of the spec, or growth, may ask for some bits more.
  constexpr int kMoreBits = 12;
  constexpr double kMostBits = 1024;
  double rate = 1;
  for (int more = 0; more <= kMoreBits; ++more) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, SlotsOf(spec, wanted.keys));
    TAMIS_ASSIGN_OR_RETURN(rate, RateOf(spec, kind, slots, wanted));
    if (rate <= wanted.fpr) return Sizing{spec, slots, rate};
    if (!open) break;
    TAMIS_ASSIGN_OR_RETURN(const double bits,
                           spec.Number(kind.open, 0, 0, kMostBits));
    spec.Set(kind.open, ShortestText(bits + 1));
  }
  return Bad(spec.ToString() + " has a rate of " + ShortestText(rate) +
             (wanted.up_to_keys > 0 ? " when it has grown" : "") +
             ", above .fpr");
}

Result<Sizing> SizeForBudget(const KeysAndRate& wanted, const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(
      Fit fit, FitToBudget(spec, {.keys = wanted.keys,
                                  .bits_per_key = wanted.bits_per_key}));
  if (fit.choice) return *std::move(fit.choice);
  const double least = std::ceil(fit.min_bits_per_key * 100) / 100;
  return Bad(spec.ToString() + " needs " + ShortestText(least) +
             " bits a key or more" +
             (fit.other_reason.empty() ? "" : ": " + fit.other_reason));
}

// A filter around another has the rate of the one inside.
Result<Sizing> SizeAround(const Spec& spec, const Kind& kind,
                          const KeysAndRate& wanted) {
  TAMIS_ASSIGN_OR_RETURN(const Spec inner, internal::InnerOf(spec, kind));
  TAMIS_ASSIGN_OR_RETURN(Sizing sizing, SizeFor(inner, wanted));
  TAMIS_ASSIGN_OR_RETURN(sizing.spec,
                         internal::Around(spec, kind, sizing.spec));
  return sizing;
}

}  // namespace

Result<Sizing> SizeFor(const Spec& spec, const KeysAndRate& wanted) {
  TAMIS_RETURN_IF_ERROR(CheckNumbers(wanted));
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  if (wanted.bits_per_key != 0) return SizeForBudget(wanted, spec);
  if (!kind->inner.empty()) return SizeAround(spec, *kind, wanted);
  if (wanted.fpr != 0) return SizeForRate(*kind, wanted, spec);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, SlotsOf(spec, wanted.keys));
  TAMIS_ASSIGN_OR_RETURN(const double rate, RateOf(spec, *kind, slots, wanted));
  return Sizing{spec, slots, rate};
}

}  // namespace tamis
