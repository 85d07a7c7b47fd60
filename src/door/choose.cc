// The table of tamis.h, and what it leaves to sizing.h.

#include "door/choose.h"

#include <algorithm>
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

Status CanNot(const Spec& spec, std::string_view what) {
  return {StatusCode::kUnsupported,
          spec.ToString() + " can't " + std::string(what)};
}

bool Adapts(const Filter::Options& options) {
  return options.adapts || static_cast<bool>(options.source);
}

Spec TableSpec(const Filter::Options& options) {
  if (Adapts(options) || options.grows || options.threads) {
    return Spec(std::string(kTamis));
  }
  return Spec(options.deletes ? "rsqf" : "blocked");
}

// Adds what a tamis filter has to know of the wishes, where the spec is silent.
void SetWishes(const Filter::Options& options, bool given, Spec* spec) {
  if (spec->name() != kTamis) return;
  if (options.threads && !spec->Has("threads")) spec->Set("threads", "yes");
  if (!given && options.grows && !options.threads) spec->Set("shards", "split");
  if (!given && !options.grows && !options.threads) spec->Set("grow", "no");
  if (!spec->Has("members")) {
    if (options.source) spec->Set("members", "source");
    if (!options.source && !given) spec->Set("members", "caller");
  }
}

bool Expands(const Spec& spec, const Capabilities& can) {
  return can.expand && spec.Text("grow").value_or("yes") != "no";
}
// Then it can be made anew when it is full.
bool KnowsMembers(const Filter::Options& options, const Spec& spec,
                  const Capabilities& can) {
  return can.rebuild_to &&
         (options.source || spec.Text("members").value_or("") != "caller");
}

Status CheckWishes(const Filter::Options& options, const Spec& spec,
                   const Capabilities& can) {
  if (options.threads && spec.Text("threads").value_or("no") != "yes") {
    return CanNot(spec, "be changed by several threads at once");
  }
  if (options.grows && !Expands(spec, can) && !KnowsMembers(options, spec, can))
    return CanNot(spec, "grow");
  if (options.deletes && !can.erase) return CanNot(spec, "delete");
  if (Adapts(options) && !can.adapt) return CanNot(spec, "adapt");
  return {};
}

KeysAndRate Wanted(const Filter::Options& options, const Spec& spec,
                   const Kind& kind) {
  KeysAndRate wanted = {.keys = options.keys,
                        .fpr = options.fpr,
                        .bits_per_key = options.bits_per_key};
  const bool open = !kind.open.empty() && !spec.Has(kind.open);
  if (wanted.fpr == 0 && wanted.bits_per_key == 0 && open) {
    wanted.fpr = kDefaultFpr;
  }
  if (options.grows && Expands(spec, kind.capabilities)) {
    wanted.up_to_keys =
        std::min(options.keys, ~uint64_t{0} / kGrowth) * kGrowth;
  }
  return wanted;
}

// ---- A budget -------------------------------------------------------------

// The bits a key in which a filter remembers mistakes.
Result<double> KeptBits(const Filter::Options& options, const Kind& kind,
                        const Spec& spec) {
  if (spec.name() != kTamis || !Adapts(options)) return 0.0;
  return ParameterReader(spec, kind.parameters).Number("extensions");
}

// The filter counts them a slot, and the budget bought some slots more.  A
// table of extensions that has forgotten much takes up to a sixth above its
// plan.
void SetKept(double bits_per_key, uint64_t keys, Sizing* sizing) {
  constexpr double kAbovePlan = 1.2;
  const double bits = bits_per_key / kAbovePlan * static_cast<double>(keys) /
                      static_cast<double>(sizing->slots);
  sizing->spec.Set("extensions", ShortestText(std::floor(bits * 100) / 100));
}

// A budget is for the filter and for what it learns.
Result<Sizing> ChooseForBudget(const Filter::Options& options, const Kind& kind,
                               const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const double kept, KeptBits(options, kind, spec));
  KeysAndRate wanted = Wanted(options, spec, kind);
  if (options.bits_per_key > 0 && options.bits_per_key <= kept) {
    return Status(StatusCode::kInvalidArgument,
                  spec.ToString() + " keeps " + ShortestText(kept) +
                      " bits a key for mistakes alone");
  }
  wanted.bits_per_key -= kept;
  // Filters are made to be tried out; who knows the members changes no size.
  Spec tried = spec;
  if (options.source && spec.Has("members")) tried.Set("members", "caller");
  Result<Sizing> sizing = SizeFor(tried, wanted);
  if (!sizing.ok() && kept > 0) {
    return sizing.status().WithContext("with " + ShortestText(kept) +
                                       " bits a key for mistakes");
  }
  if (!sizing.ok()) return sizing;
  if (tried != spec) sizing->spec.Set("members", "source");
  if (kept > 0) SetKept(kept, options.keys, &*sizing);
  return sizing;
}

}  // namespace

Result<Sizing> Choose(const Filter::Options& options) {
  const bool given = !options.spec.empty();
  TAMIS_ASSIGN_OR_RETURN(Spec spec, given ? Spec::Parse(options.spec)
                                          : Result<Spec>(TableSpec(options)));
  SetWishes(options, given, &spec);
  TAMIS_ASSIGN_OR_RETURN(const Kind* kind, FindKind(spec));
  TAMIS_RETURN_IF_ERROR(CheckWishes(options, spec, kind->capabilities));
  if (options.bits_per_key > 0) return ChooseForBudget(options, *kind, spec);
  return SizeFor(spec, Wanted(options, spec, *kind));
}

}  // namespace tamis::internal
