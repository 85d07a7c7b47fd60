#include "tools/compare/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "tamis/kind.h"
#include "tools/common/shell_word.h"
#include "tools/compare/noise.h"

namespace tamis::tools {
namespace {

constexpr size_t kLastFifth = 4;     // of the stream
constexpr double kLeastRatio = 1.1;  // of two rates, to speak of a difference

using Wanted = std::function<bool(const ComparedFilter&)>;

bool IsBaseline(const Spec& spec) {
  const Result<const Kind*> kind = FindKind(spec);
  return kind.ok() && (*kind)->baseline;
}
bool Learns(const ComparedFilter& filter) { return filter.learns; }
bool NeverChanges(const ComparedFilter& filter) {
  return IsStatic(filter.spec);
}
bool Erases(const ComparedFilter& filter) { return filter.capabilities.erase; }
bool Grows(const ComparedFilter& filter) { return filter.capabilities.expand; }

std::string Percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

double Speed(const ComparedFilter& filter) {
  return filter.times ? filter.times->one_by_one_ns : 0;
}

double Wasted(const ComparedFilter& filter) {
  return filter.Mean(&StreamRun::first_time) +
         filter.Mean(&StreamRun::repeated);
}

// Returns the first, hence best, filter that has what is wanted.
const ComparedFilter* Best(const Comparison& comparison, const Wanted& wanted) {
  const auto& filters = comparison.filters;
  const auto found = std::find_if(filters.begin(), filters.end(), wanted);
  return found == filters.end() ? nullptr : &*found;
}

// Returns those that are as good as the best, within the noise of either.
std::vector<const ComparedFilter*> AsGoodAsBest(const Comparison& comparison) {
  std::vector<const ComparedFilter*> good;
  const RateSample best = WholeStream(comparison.filters.front());
  for (const ComparedFilter& one : comparison.filters) {
    if (IsAsGood(WholeStream(one), best)) good.push_back(&one);
  }
  return good;
}

// Returns the cheapest of the good ones; of those equally cheap the first, which
// makes the fewest mistakes.
const ComparedFilter& Choose(const std::vector<const ComparedFilter*>& good) {
  const auto cost = [](const ComparedFilter& one) {
    return std::tuple(Learns(one), Grows(one), one.reads_to_learn,
                      Learns(one) ? 0.0 : Speed(one));
  };
  return **std::min_element(
      good.begin(), good.end(),
      [&](const auto* a, const auto* b) { return cost(*a) < cost(*b); });
}

// Says why the best is not taken, though others are only as good.
std::string WhyNot(const ComparedFilter& best, const ComparedFilter& chosen) {
  if (Learns(best) && !Learns(chosen)) return "has to be told of each mistake";
  if (Grows(best) && !Grows(chosen)) return "is made to grow";
  if (best.reads_to_learn && !chosen.reads_to_learn) {
    return "reads the store once more for each mistake";
  }
  return "its look-ups are slower";
}

ReadsSaved SavedBy(const ComparedFilter& filter, const Comparison& measured) {
  const double wasted = Wasted(filter);
  return {.queries = static_cast<double>(measured.queries),
          .reads = static_cast<double>(measured.queries) -
                   static_cast<double>(measured.negatives) + wasted,
          .wasted = wasted};
}

// "from 5.00 to 1.00 million", "from 4,914 to 752".
std::string FromTo(double from, double to) {
  constexpr double kMillion = 1e6;
  if (from >= kMillion && to >= kMillion / 100) {
    return fmt::format("from {:.2f} to {:.2f} million", from / kMillion,
                       to / kMillion);
  }
  return fmt::format("from {} to {}", ReadableCount(from), ReadableCount(to));
}

// The best filter of the other sort, to compare with.
const ComparedFilter* Rival(const Comparison& comparison,
                            const ComparedFilter& chosen) {
  return Best(comparison, [&](const ComparedFilter& one) {
    return Learns(one) != Learns(chosen) && !NeverChanges(one);
  });
}

// What is wasted, and what the rival wastes.
std::string AboutWaste(const ComparedFilter& chosen,
                       const Recommendation& made) {
  std::string text = fmt::format(
      "{} {} wasted on absent keys ({} of the queries of them)",
      ReadableCount(made.saved.wasted), made.saved.wasted == 1 ? "is" : "are",
      Percent(chosen.MeanFpr()));
  if (!made.rival.empty()) {
    text += fmt::format("; {}, the best that {}, wastes {}", made.rival,
                        Learns(chosen) ? "never learns" : "learns",
                        ReadableCount(made.rival_wasted));
  }
  return text + '.';
}

std::string Answer(const Comparison& measured, const ComparedFilter& chosen,
                   const Recommendation& made) {
  return fmt::format(
      "Take {}{}: reads fall {}, of which {}", chosen.spec.ToString(),
      measured.interrupted ? ", of what has been run" : "",
      FromTo(made.saved.queries, made.saved.reads), AboutWaste(chosen, made));
}

std::string AboutMemory(const Comparison& measured,
                        const ComparedFilter& chosen) {
  const bool ram = measured.keys_in == KeysIn::kRam;
  std::string text =
      fmt::format("It takes {:.2f} bits a key in all, as it was assumed that ",
                  chosen.TotalBitsPerKey());
  text += ram ? "the keys are in RAM or nowhere in order: all memory of the "
                "process counts"
              : "a store sorted by hash has the keys: it answers for them, and "
                "only what lies in the process counts";
  if (chosen.slow_bits_per_key > 0) {
    text += fmt::format("; {:.2f} of them lie beside the filter",
                        chosen.slow_bits_per_key);
  }
  if (chosen.reads_to_learn) {
    text += "; each mistake costs one more read, of the keys that collide";
  }
  return text + '.';
}

// Says how the others compare, in this order of what matters.
std::string AboutOthers(const Comparison& measured,
                        const Comparison& comparison,
                        const ComparedFilter& chosen, size_t equals) {
  const ComparedFilter& best = comparison.filters.front();
  const std::string all =
      measured.filters.front().MeanFpr() < best.MeanFpr()
          ? " of those that can be added to and are not there to compare with"
          : " of all";
  if (&chosen != &best) {
    return fmt::format("{} has {}, which is the same within the noise, but {}.",
                       best.spec.ToString(), Percent(best.MeanFpr()),
                       WhyNot(best, chosen));
  }
  if (comparison.filters.size() == 1) return "No other filter was compared.";
  if (equals > 1) {
    return fmt::format(
        "Its rate is the lowest{}; within the noise {} as good, but no "
        "cheaper.",
        all,
        equals == 2 ? "another one is"
                    : fmt::format("{} others are", equals - 1));
  }
  return "Its rate is the lowest" + all +
         (best.LowestFpr() < best.HighestFpr() ? ", beyond the noise." : ".");
}

// Returns the filter with the lowest rate in the stream's last fifth.
const ComparedFilter* BestAtTheEnd(const Comparison& comparison, bool learns) {
  const ComparedFilter* best = nullptr;
  for (const ComparedFilter& one : comparison.filters) {
    if (Learns(one) != learns || NeverChanges(one)) continue;
    if (best == nullptr || FifthOfStream(one, kLastFifth).mean() <
                               FifthOfStream(*best, kLastFifth).mean()) {
      best = &one;
    }
  }
  return best;
}

// Speaks of a filter that has learnt enough at the end of the stream to be
// better than any that does not learn.
std::string OnALongerStream(const Comparison& comparison,
                            const ComparedFilter& chosen) {
  const ComparedFilter* learning = BestAtTheEnd(comparison, true);
  const ComparedFilter* fixed = BestAtTheEnd(comparison, false);
  if (learning == nullptr || fixed == nullptr) return "";
  const RateSample end = FifthOfStream(*learning, kLastFifth);
  const RateSample other = FifthOfStream(*fixed, kLastFifth);
  if (end.rates.empty() || IsAsGood(other, end)) return "";
  return fmt::format(
      "In the last fifth of the stream {} was at {}, {} at {}: on a longer "
      "stream take that.",
      learning->spec.ToString(), Percent(end.mean()), chosen.spec.ToString(),
      Percent(FifthOfStream(chosen, kLastFifth).mean()));
}

// Says what learning is worth on this stream.
std::string AboutLearning(const Comparison& comparison,
                          const ComparedFilter& chosen) {
  const ComparedFilter* fixed = Best(comparison, [](const auto& one) {
    return !Learns(one) && !NeverChanges(one);
  });
  if (fixed == nullptr || Best(comparison, Learns) == nullptr) return "";
  const double repeated = fixed->Mean(&StreamRun::repeated);
  const double all = Wasted(*fixed);
  const std::string name = fixed->spec.ToString();
  if (repeated == 0) {
    const std::string none =
        all == 0 ? fmt::format("{} made no mistake", name)
                 : fmt::format(
                       "No mistake of {}, which never learns, was "
                       "repeated",
                       name);
    return none + (Learns(chosen)
                       ? fmt::format(": {} is taken for its rate alone.",
                                     chosen.spec.ToString())
                       : ": learning has nothing to gain here.");
  }
  const std::string repeats = fmt::format(
      "{:.0f} % of the mistakes of {}, the best that never learns, are "
      "repeated",
      100 * repeated / all, name);
  if (!Learns(chosen)) {
    const std::string longer = OnALongerStream(comparison, chosen);
    return repeats +
           ", but over this stream a filter that learns was not measurably "
           "better." +
           (longer.empty() ? "" : " " + longer);
  }
  const std::string learner = chosen.spec.ToString();
  if (chosen.MeanFpr() == 0) return repeats + "; " + learner + " makes none.";
  const double ratio = fixed->MeanFpr() / chosen.MeanFpr();
  if (ratio < kLeastRatio) {
    return repeats + "; " + learner + " makes about as many in all.";
  }
  return repeats +
         fmt::format(": {} makes {:.1f} times fewer in all.", learner, ratio);
}

std::string Figures(const ComparedFilter& one) {
  return fmt::format("{}, {:.1f} bits a key in all", Percent(one.MeanFpr()),
                     one.TotalBitsPerKey());
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
                   Percent(best->run.fpr()), best->total_bits_per_key)});
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

// The command that makes the same filter from a file of the same keys.
std::string HowToBuild(const ComparedFilter& chosen) {
  return fmt::format("tamis build KEYS -o FILTER.tamis --filter {} --slots {}",
                     ShellWord(chosen.spec.ToString()), chosen.slots);
}

// Says why nothing is recommended; empty if something can be.
std::string WhyNone(const Comparison& measured) {
  if (measured.not_run > 0) {
    const size_t run = measured.filters.size();
    return fmt::format("No recommendation: interrupted after {} of {} filters.",
                       run, run + measured.not_run);
  }
  if (measured.filters.empty()) {
    return "No filter fits this budget: give more bits a key.";
  }
  return std::ranges::all_of(
             measured.filters,
             [](const auto& one) { return IsBaseline(one.spec); })
             ? "No recommendation: all of these are only there to compare with."
             : "";
}

// Those that may be the answer: static ones only if there are no others.
Comparison WithoutBaselines(const Comparison& measured) {
  Comparison comparison = measured;
  std::erase_if(comparison.filters,
                [](const auto& one) { return IsBaseline(one.spec); });
  if (!std::ranges::all_of(comparison.filters, NeverChanges)) {
    std::erase_if(comparison.filters, NeverChanges);
  }
  return comparison;
}

}  // namespace

std::string ReadableCount(double count) {
  constexpr double kMillion = 1e6;
  if (count >= kMillion) return fmt::format("{:.2f} million", count / kMillion);
  std::string digits = fmt::format("{:.0f}", count);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string Condition::Sentence() const {
  if (filter.empty()) {
    return fmt::format("If {}, none of these will do{}.", when,
                       why.empty() ? "" : " (" + why + ")");
  }
  return fmt::format("If {}, take {} ({}).", when, filter, why);
}

std::string Recommendation::Headline() const {
  if (filter.empty()) return words.front();
  return fmt::format("Take {}: reads fall {}", filter,
                     FromTo(saved.queries, saved.reads));
}

std::vector<std::string> Recommendation::Sentences() const {
  std::vector<std::string> all = words;
  for (const Condition& one : conditions) all.push_back(one.Sentence());
  if (!build.empty()) all.push_back("Build it: " + build);
  return all;
}

Recommendation Recommend(const Comparison& measured) {
  Recommendation made;
  if (std::string why = WhyNone(measured); !why.empty()) {
    made.words = {std::move(why)};
    return made;
  }
  const Comparison comparison = WithoutBaselines(measured);
  const auto good = AsGoodAsBest(comparison);
  const ComparedFilter& chosen = Choose(good);
  made.filter = chosen.spec.ToString();
  made.saved = SavedBy(chosen, measured);
  if (const ComparedFilter* rival = Rival(comparison, chosen)) {
    made.rival = rival->spec.ToString();
    made.rival_wasted = Wasted(*rival);
  }
  made.lead = "Of these reads " + AboutWaste(chosen, made);
  for (std::string sentence :
       {Answer(measured, chosen, made), AboutMemory(measured, chosen),
        AboutOthers(measured, comparison, chosen, good.size()),
        AboutLearning(comparison, chosen)}) {
    if (!sentence.empty()) made.words.push_back(std::move(sentence));
  }
  AddIfStatic(measured, chosen, made.conditions);
  AddCondition(comparison, chosen, "keys must be erased", Erases,
               made.conditions);
  AddIfItGrows(measured, made.conditions);
  AddIfAttacked(comparison, made.conditions);
  AddIfElsewhere(comparison, chosen, made.conditions);
  made.build = HowToBuild(chosen);
  return made;
}

}  // namespace tamis::tools
