#include "tools/compare/conditions.h"

#include <fmt/format.h>

#include <tuple>

#include "tools/common/readable.h"
#include "tools/compare/candidates.h"
#include "tools/compare/noise.h"

namespace tamis::tools {
namespace {

std::string Figures(const ComparedFilter& one) {
  return fmt::format("{}, {:.1f} bits a key in all",
                     ReadablePercent(one.MeanFpr()), one.TotalBitsPerKey());
}

using Conditions = std::vector<Condition>;

// What to take if it must have what is `wanted`; nothing if the chosen one has.
void AddCondition(const Comparison& comparison, const ComparedFilter& chosen,
                  const std::string& when, const Wanted& wanted,
                  Conditions& conditions) {
  if (wanted(chosen)) return;
  const ComparedFilter* other = Best(comparison, wanted);
  conditions.push_back(
      other == nullptr
          ? Condition{when, "", ""}
          : Condition{when, other->spec.ToString(), Figures(*other)});
}

void AddIfStatic(const Comparison& measured, const ComparedFilter& chosen,
                 Conditions& conditions) {
  const ComparedFilter* best =
      Best(measured, [](const auto& one) { return !IsBaseline(one.spec); });
  if (best == nullptr || !NeverChanges(*best)) return;
  if (IsAsGood(WholeStream(chosen), WholeStream(*best))) return;
  conditions.push_back({"the set never changes", best->spec.ToString(),
                        Figures(*best) + ", made in one go"});
}

// Of those that have grown within the budget the lowest rate; if none has, the
// smallest.
void AddIfItGrows(const Comparison& measured, Conditions& conditions) {
  const auto cost = [&](const GrownFilter& one) {
    const double most = measured.budget.bits_per_key * (1 + kBudgetSlack);
    const bool fits = one.total_bits_per_key <= most;
    return std::tuple(!fits, fits ? one.run.fpr() : one.total_bits_per_key);
  };
  const GrownFilter* best = nullptr;
  for (const GrownFilter& one : measured.grown) {
    if (IsBaseline(one.spec)) continue;
    if (best == nullptr || cost(one) < cost(*best)) best = &one;
  }
  const std::string when = "nobody knows how large the set becomes";
  if (best == nullptr) {
    conditions.push_back({when, "", ""});
    return;
  }
  conditions.push_back(
      {when, best->spec.ToString(),
       fmt::format("grown from {} to {} keys it makes {} at {:.1f} bits a key "
                   "in all",
                   ReadableCount(static_cast<double>(best->from_keys)),
                   ReadableCount(static_cast<double>(measured.budget.keys)),
                   ReadablePercent(best->run.fpr()),
                   best->total_bits_per_key)});
}

// The one that an attacker gets the least out of, after as many tries; none if
// even that one passes most keys again.
void AddIfAttacked(const Comparison& comparison, Conditions& conditions) {
  constexpr double kMostStill = 0.5;
  const ComparedFilter* fixed =
      Best(comparison, [](const auto& one) { return !Learns(one); });
  const double most = fixed == nullptr ? 1 : fixed->MeanFpr();
  const ComparedFilter* best = nullptr;
  for (const ComparedFilter& one : comparison.filters) {
    if (!Learns(one) || !one.attack || one.attack->passed == 0) continue;
    if (one.attack->ShareStill() > kMostStill) continue;
    const double still = static_cast<double>(one.attack->still) /
                         static_cast<double>(one.attack->tried);
    if (still > most) continue;  // worse than one that never learns
    if (best == nullptr || one.attack->still < best->attack->still) {
      best = &one;
    }
  }
  const std::string when = "somebody chooses the queries";
  if (best == nullptr) {
    conditions.push_back(
        {when, "",
         comparison.keys_in == KeysIn::kRam
             ? "those that hold out take their members from a store: --keys-in "
               "store"
             : ""});
    return;
  }
  conditions.push_back(
      {when, best->spec.ToString(),
       fmt::format("of {} keys that an attacker got past it, {} still pass "
                   "when asked again; build it with --hash siphash",
                   ReadableCount(static_cast<double>(best->attack->passed)),
                   ReadableCount(static_cast<double>(best->attack->still)))});
}

void AddIfElsewhere(const Comparison& comparison, const ComparedFilter& chosen,
                    Conditions& conditions) {
  if (comparison.keys_in == KeysIn::kRam) return;
  AddCondition(
      comparison, chosen, "the keys are only in RAM",
      [](const ComparedFilter& one) { return !one.reads_to_learn; },
      conditions);
}

}  // namespace

std::string Condition::Sentence() const {
  if (filter.empty()) {
    return fmt::format("If {}, none of these will do{}.", when,
                       why.empty() ? "" : " (" + why + ")");
  }
  return fmt::format("If {}, take {} ({}).", when, filter, why);
}

std::vector<Condition> ConditionsFor(const Comparison& measured,
                                     const Comparison& candidates,
                                     const ComparedFilter& chosen) {
  Conditions conditions;
  AddIfStatic(measured, chosen, conditions);
  AddCondition(candidates, chosen, "keys must be erased", Erases, conditions);
  AddIfItGrows(measured, conditions);
  AddIfAttacked(candidates, conditions);
  AddIfElsewhere(candidates, chosen, conditions);
  return conditions;
}

}  // namespace tamis::tools
