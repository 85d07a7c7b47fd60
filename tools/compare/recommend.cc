#include "tools/compare/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tamis::tools {
namespace {

using Wanted = std::function<bool(const ComparedFilter&)>;

// Filters to compare with: they look good at rest, but when they grow, their
// rate doubles with the set, or a look-up asks more and more tables.
bool IsBaseline(const ComparedFilter& filter) {
  return filter.spec.name() == "sacrifice" ||
         filter.spec.name().starts_with("chain");
}

bool Learns(const ComparedFilter& filter) { return filter.capabilities.adapt; }

std::string Percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

double Speed(const ComparedFilter& filter) {
  return filter.times ? filter.times->one_by_one_ns : 0;
}

// Returns the first, hence best, filter that has what is wanted.
const ComparedFilter* Best(const Comparison& comparison, const Wanted& wanted) {
  const auto& filters = comparison.filters;
  const auto found = std::find_if(filters.begin(), filters.end(), wanted);
  return found == filters.end() ? nullptr : &*found;
}

// The mistakes under all seeds.
double Mistakes(const ComparedFilter& filter) {
  double sum = 0;
  for (const StreamRun& run : filter.runs) {
    sum += static_cast<double>(run.false_positives());
  }
  return sum;
}

bool IsAsGood(const ComparedFilter& one, const ComparedFilter& best) {
  if (one.MeanFpr() <= best.HighestFpr()) return true;
  if (one.LowestFpr() <= best.MeanFpr()) return true;
  if (one.runs.size() != best.runs.size()) return false;  // interrupted
  const double more = Mistakes(one) - Mistakes(best);
  return more <= 2 * std::sqrt(Mistakes(one) + Mistakes(best));
}

// Returns those that are as good as the best, within the noise of either.
std::vector<const ComparedFilter*> AsGoodAsBest(const Comparison& comparison) {
  std::vector<const ComparedFilter*> good;
  const ComparedFilter& best = comparison.filters.front();
  for (const ComparedFilter& one : comparison.filters) {
    if (IsAsGood(one, best)) good.push_back(&one);
  }
  return good;
}

const ComparedFilter& Choose(const std::vector<const ComparedFilter*>& good) {
  return **std::min_element(
      good.begin(), good.end(),
      [](const ComparedFilter* a, const ComparedFilter* b) {
        if (Learns(*a) != Learns(*b)) return Learns(*b);
        return Speed(*a) < Speed(*b);
      });
}

std::string Answer(const Comparison& comparison, const ComparedFilter& chosen,
                   size_t equals) {
  const ComparedFilter& best = comparison.filters.front();
  std::string text = fmt::format(
      "Take {}: {} of the absent keys pass by mistake, at {:.2f} bits a key",
      chosen.spec.ToString(), Percent(chosen.MeanFpr()), chosen.bits_per_key);
  if (&chosen == &best && equals == 1) {
    const bool has_noise =
        comparison.filters.size() > 1 && best.LowestFpr() < best.HighestFpr();
    return text + ", the lowest rate of all" +
           (has_noise ? ", beyond the noise." : ".");
  }
  if (&chosen == &best) {
    return text + fmt::format(
                      ", the lowest rate of all; within the noise "
                      "{} as good, but no cheaper.",
                      equals == 2 ? "another one is"
                                  : fmt::format("{} others are", equals - 1));
  }
  return text + fmt::format(
                    ". {} has {}, which is the same within the noise, "
                    "but {}.",
                    best.spec.ToString(), Percent(best.MeanFpr()),
                    Learns(best) && !Learns(chosen)
                        ? "has to be told of each mistake"
                        : "its look-ups are slower");
}

// Says what adapting is worth on this stream.
std::string AboutAdapting(const Comparison& comparison,
                          const ComparedFilter& chosen) {
  const ComparedFilter* fixed =
      Best(comparison, [](const auto& one) { return !Learns(one); });
  const ComparedFilter* learning =
      Best(comparison, [](const auto& one) { return Learns(one); });
  if (fixed == nullptr || learning == nullptr) return "";
  const double first = fixed->Mean(&StreamRun::first_time);
  const double repeated = fixed->Mean(&StreamRun::repeated);
  const double all = std::max(first + repeated, 1.0);
  const std::string repeats = fmt::format(
      "{:.0f} % of the mistakes of {}, the best that never learns, are "
      "repeated ones",
      100 * repeated / all, fixed->spec.ToString());
  if (!Learns(chosen)) {
    return "Adapting gives nothing here: " + repeats + ".";
  }
  if (learning->MeanFpr() == 0) return repeats + ".";
  return repeats + fmt::format(": adapting makes {:.1f} times fewer.",
                               fixed->MeanFpr() / learning->MeanFpr());
}

std::string Instead(const Comparison& comparison, const ComparedFilter& chosen,
                    const std::string& condition, const Wanted& wanted) {
  if (wanted(chosen)) return "";
  const ComparedFilter* other = Best(comparison, wanted);
  if (other == nullptr) return condition + ", none of these will do.";
  return fmt::format("{}, take {} ({}).", condition, other->spec.ToString(),
                     Percent(other->MeanFpr()));
}

}  // namespace

Recommendation Recommend(const Comparison& measured) {
  Comparison comparison = measured;
  std::erase_if(comparison.filters, IsBaseline);
  if (comparison.filters.empty()) {
    return {"", {"No filter fits this budget: give more bits a key."}};
  }
  const auto good = AsGoodAsBest(comparison);
  const ComparedFilter& chosen = Choose(good);
  Recommendation recommendation{chosen.spec.ToString(), {}};
  for (std::string sentence :
       {Answer(comparison, chosen, good.size()),
        AboutAdapting(comparison, chosen),
        Instead(comparison, chosen, "If keys must be erased",
                [](const auto& one) { return one.capabilities.erase; }),
        Instead(comparison, chosen, "If nobody knows how large the set becomes",
                [](const auto& one) { return one.capabilities.expand; }),
        Instead(comparison, chosen,
                "If there is no memory beside the filter for its keys",
                [](const auto& one) { return one.slow_bits_per_key == 0; })}) {
    if (!sentence.empty()) recommendation.words.push_back(std::move(sentence));
  }
  return recommendation;
}

}  // namespace tamis::tools
