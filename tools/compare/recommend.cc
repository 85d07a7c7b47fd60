#include "tools/compare/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "tools/common/readable.h"
#include "tools/common/shell_word.h"
#include "tools/compare/candidates.h"
#include "tools/compare/noise.h"

namespace tamis::tools {
namespace {

constexpr size_t kLastFifth = 4;     // of the stream
constexpr double kLeastRatio = 1.1;  // of two rates, to speak of a difference

double Speed(const ComparedFilter& filter) {
  return filter.times ? filter.times->one_by_one_ns : 0;
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
  const double wasted = WastedReads(filter);
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
      ReadablePercent(chosen.MeanFpr()));
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
                       best.spec.ToString(), ReadablePercent(best.MeanFpr()),
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
      learning->spec.ToString(), ReadablePercent(end.mean()),
      chosen.spec.ToString(),
      ReadablePercent(FifthOfStream(chosen, kLastFifth).mean()));
}

// Says what learning is worth on this stream.
std::string AboutLearning(const Comparison& comparison,
                          const ComparedFilter& chosen) {
  const ComparedFilter* fixed = Best(comparison, [](const auto& one) {
    return !Learns(one) && !NeverChanges(one);
  });
  if (fixed == nullptr || Best(comparison, Learns) == nullptr) return "";
  const double repeated = fixed->Mean(&StreamRun::repeated);
  const double all = WastedReads(*fixed);
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

// The command that makes the same filter from a file of the same keys.
std::string HowToBuild(const Comparison& measured,
                       const ComparedFilter& chosen) {
  return fmt::format(
      "tamis build KEYS -o FILTER.tamis --filter {} --bits-per-key {}",
      ShellWord(chosen.spec.ToString()), measured.budget.bits_per_key);
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

}  // namespace

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
    made.rival_wasted = WastedReads(*rival);
  }
  made.lead = "Of these reads " + AboutWaste(chosen, made);
  for (std::string sentence :
       {Answer(measured, chosen, made), AboutMemory(measured, chosen),
        AboutOthers(measured, comparison, chosen, good.size()),
        AboutLearning(comparison, chosen)}) {
    if (!sentence.empty()) made.words.push_back(std::move(sentence));
  }
  made.conditions = ConditionsFor(measured, comparison, chosen);
  made.build = HowToBuild(measured, chosen);
  return made;
}

}  // namespace tamis::tools
