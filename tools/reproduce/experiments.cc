// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "tools/reproduce/adaptive_quotient.h"
#include "tools/reproduce/experiment.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  // {name, source, title, function}, in the order of the papers.
  static constexpr std::array kAll = {
      Experiment{"taf-selectors",
                 "telescoping filter, Lemma 2, Corollary 3, Theorem 4",
                 "how selectors are distributed", RunTafSelectors},
      Experiment{"taf-adversary", "adaptive quotient filter thesis, 6.2.3",
                 "an adversary that repeats false positives", RunTafAdversary},
      Experiment{"taf-policies", "adaptive quotient filter thesis, 7.2",
                 "what to forget when a code is full", RunTafPolicies},
  };
  return kAll;
}

}  // namespace tamis::tools
