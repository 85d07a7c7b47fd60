#include "tools/compare/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "tamis/kind.h"
#include "tools/compare/noise.h"

namespace tamis::tools {
namespace {

constexpr size_t kLastFifth = 4;     // of the stream
constexpr double kLeastRatio = 1.1;  // of two rates, to speak of a difference

using Wanted = std::function<bool(const ComparedFilter&)>;

// Filters to compare with.  Some look good at rest, but when they grow, their
// rate doubles with the set, or a look-up asks more and more tables; caches are
// only imitated here.
bool IsCached(const ComparedFilter& filter) {
  return filter.spec.name() == "cached";
}
bool IsBaseline(const ComparedFilter& filter) {
  const Result<const Kind*> kind = FindKind(filter.spec);
  return IsCached(filter) || (kind.ok() && (*kind)->baseline);
}

bool Learns(const ComparedFilter& filter) { return filter.capabilities.adapt; }
bool Erases(const ComparedFilter& filter) { return filter.capabilities.erase; }
bool Grows(const ComparedFilter& filter) { return filter.capabilities.expand; }
bool IsAlone(const ComparedFilter& filter) {
  return filter.slow_bits_per_key == 0;
}

std::string Percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

double Speed(const ComparedFilter& filter) {
  return filter.times ? filter.times->one_by_one_ns : 0;
}

std::string SlowMemory(const ComparedFilter& filter) {
  return fmt::format("{:.1f} bits a key of slow memory beside it",
                     filter.slow_bits_per_key);
}

std::string_view UseOfSlowMemory(const ComparedFilter& filter) {
  const Result<const Kind*> kind = FindKind(filter.spec);
  return kind.ok() ? (*kind)->side_memory : Kind().side_memory;
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
    return IsAlone(one) ? std::tuple(false, Learns(one), Grows(one), Speed(one))
                        : std::tuple(true, !Learns(one), false, 0.0);
  };
  return **std::min_element(
      good.begin(), good.end(),
      [&](const auto* a, const auto* b) { return cost(*a) < cost(*b); });
}

// Says what the lowest rate is the lowest of.
std::string LowestOf(const Comparison& measured, const ComparedFilter& best) {
  if (measured.filters.size() == 1) return "; no other filter was compared";
  return std::string(", the lowest rate of all") +
         (measured.filters.front().MeanFpr() < best.MeanFpr()
              ? " but those that are only there to compare with"
              : "");
}

// Says why the best is not taken, though others are only as good.
std::string WhyNot(const ComparedFilter& best, const ComparedFilter& chosen) {
  if (Learns(best) && !Learns(chosen)) return "has to be told of each mistake";
  if (!IsAlone(best)) {
    return IsAlone(chosen) ? "needs " + SlowMemory(best) : "never learns";
  }
  if (Grows(best) && !Grows(chosen)) return "is made to grow";
  return "its look-ups are slower";
}

// `measured` are all filters, of which `best` is the best to recommend and
// `equals` are as good.
std::string Answer(const Comparison& measured, const ComparedFilter& best,
                   const ComparedFilter& chosen, size_t equals) {
  std::string text = fmt::format(
      "Take {}{}: {} of the queries of absent keys pass by mistake, at {:.2f} "
      "bits a key",
      chosen.spec.ToString(),
      measured.interrupted ? ", of what has been run" : "",
      Percent(chosen.MeanFpr()), chosen.bits_per_key);
  if (!IsAlone(chosen)) {
    text += fmt::format(" and {} ({})", SlowMemory(chosen),
                        UseOfSlowMemory(chosen));
  }
  if (&chosen != &best) {
    return text + fmt::format(
                      ". {} has {}, which is the same within the noise, "
                      "but {}.",
                      best.spec.ToString(), Percent(best.MeanFpr()),
                      WhyNot(best, chosen));
  }
  text += LowestOf(measured, best);
  if (equals > 1) {
    return text + fmt::format("; within the noise {} as good, but no cheaper.",
                              equals == 2
                                  ? "another one is"
                                  : fmt::format("{} others are", equals - 1));
  }
  const bool has_noise =
      measured.filters.size() > 1 && best.LowestFpr() < best.HighestFpr();
  return text + (has_noise ? ", beyond the noise." : ".");
}

// Speaks of the best of the caches that are `wanted`, if it has done better than
// `other` has.
std::string AboutCaches(const Comparison& measured, const ComparedFilter& other,
                        const Wanted& wanted) {
  const ComparedFilter* cached = Best(measured, wanted);
  if (cached == nullptr || IsAsGood(WholeStream(other), WholeStream(*cached))) {
    return "";
  }
  return fmt::format(
      "{} was lower still ({}): that is a cache of mistakes beside a filter, "
      "which this tool only imitates.",
      cached->spec.ToString(), Percent(cached->MeanFpr()));
}

// Returns the filter with the lowest rate in the stream's last fifth.
const ComparedFilter* BestAtTheEnd(const Comparison& comparison, bool learns) {
  const ComparedFilter* best = nullptr;
  for (const ComparedFilter& one : comparison.filters) {
    if (Learns(one) != learns) continue;
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
  const bool falls =
      end.mean() < FifthOfStream(*learning, kLastFifth - 1).mean();
  const std::string name = learning->spec.ToString();
  return fmt::format(
      "In the last fifth of the stream {} was at {}{}, {} at {}: on a longer "
      "stream take {}.",
      name, Percent(end.mean()), falls ? " and still falling" : "",
      chosen.spec.ToString(), Percent(FifthOfStream(chosen, kLastFifth).mean()),
      name);
}

// Says what adapting is worth on this stream.
std::string AboutAdapting(const Comparison& comparison,
                          const ComparedFilter& chosen) {
  const ComparedFilter* fixed =
      Best(comparison, [](const auto& one) { return !Learns(one); });
  if (fixed == nullptr || Best(comparison, Learns) == nullptr) return "";
  const double repeated = fixed->Mean(&StreamRun::repeated);
  const double all = fixed->Mean(&StreamRun::first_time) + repeated;
  const std::string name = fixed->spec.ToString();
  if (repeated == 0) {
    return fmt::format(
        "{} of {}, which never learns{}: adapting has nothing "
        "to gain here.",
        all == 0 ? "There was no mistake" : "No mistake", name,
        all == 0 ? "" : ", was repeated");
  }
  const std::string repeats = fmt::format(
      "{:.0f} % of the mistakes of {}, the best that never learns, are "
      "repeated",
      100 * repeated / all, name);
  if (!Learns(chosen)) {
    return repeats +
           ", but over this stream an adaptive filter was not measurably "
           "better.";
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

// What to take if it must have what is `wanted`; empty if the chosen one has.
std::string Instead(const Comparison& comparison, const ComparedFilter& chosen,
                    const std::string& condition, const Wanted& wanted) {
  if (wanted(chosen)) return "";
  const ComparedFilter* other = Best(comparison, wanted);
  if (other == nullptr) return condition + ", none of these will do.";
  return fmt::format("{}, take {} ({}).", condition, other->spec.ToString(),
                     Percent(other->MeanFpr()));
}

// What to take if the set grows.  Filters that do need more bits than others.
std::string IfItGrows(const Comparison& comparison,
                      const ComparedFilter& chosen) {
  std::string text = Instead(
      comparison, chosen, "If nobody knows how large the set becomes", Grows);
  if (Best(comparison, Grows) != nullptr) return text;
  for (const UnfitFilter& unfit : comparison.unfit) {
    if (unfit.wanted.name() != "infini" || !unfit.min_bits_per_key) continue;
    return text + " infini can from " + unfit.LeastBits() + " bits a key on.";
  }
  return text;
}

// What to take without memory beside it.  Some caches need none; they are told
// of, unless the best one was already.
std::string IfAlone(const Comparison& measured, const Comparison& comparison,
                    const ComparedFilter& chosen, bool caches_are_told) {
  std::string text =
      Instead(comparison, chosen,
              "If there is no memory beside the filter for its keys", IsAlone);
  const ComparedFilter* other = Best(comparison, IsAlone);
  if (text.empty() || other == nullptr || caches_are_told) return text;
  const std::string caches = AboutCaches(
      measured, *other,
      [](const ComparedFilter& one) { return IsCached(one) && IsAlone(one); });
  return caches.empty() ? text : text + " " + caches;
}

// The command that makes the same filter from a file of the same keys.
std::string HowToBuild(const ComparedFilter& chosen) {
  return fmt::format(
      "Build it: tamis build KEYS -o FILTER.tamis --filter {} --slots {}",
      chosen.spec.ToString(), chosen.slots);
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
  return std::ranges::all_of(measured.filters, IsBaseline)
             ? "No recommendation: all of these are only there to compare with."
             : "";
}

}  // namespace

Recommendation Recommend(const Comparison& measured) {
  if (std::string why = WhyNone(measured); !why.empty()) {
    return {"", {std::move(why)}};
  }
  Comparison comparison = measured;
  std::erase_if(comparison.filters, IsBaseline);
  const auto good = AsGoodAsBest(comparison);
  const ComparedFilter& chosen = Choose(good);
  const std::string caches = AboutCaches(measured, chosen, IsCached);
  Recommendation recommendation{chosen.spec.ToString(), {}};
  for (std::string sentence :
       {Answer(measured, comparison.filters.front(), chosen, good.size()),
        caches, AboutAdapting(comparison, chosen),
        Learns(chosen) ? "" : OnALongerStream(comparison, chosen),
        Instead(comparison, chosen, "If keys must be erased", Erases),
        IfItGrows(comparison, chosen),
        IfAlone(measured, comparison, chosen, !caches.empty()),
        HowToBuild(chosen)}) {
    if (!sentence.empty()) recommendation.words.push_back(std::move(sentence));
  }
  return recommendation;
}

}  // namespace tamis::tools
