// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "tools/reproduce/cuckoo_experiments.h"
#include "tools/reproduce/experiment.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  // {name, source, title, function}, in the order of the papers.
  static constexpr auto kAll = std::to_array<Experiment>({
      {"acf-support", "ACF paper, Theorem 1",
       "one query repeated n times, Cuckooing", RunCuckooSupport},
      {"acf-small-sets", "ACF paper, section 3",
       "small query sets that Cyclic and Swapping can't fix",
       RunCuckooSmallSets},
      {"acf-figure-1", "ACF paper, Figures 1 to 4",
       "six filters on a skewed trace, A/S = 1 to 100", RunCuckooTrace},
      {"acf-zipf", "ACF paper, section 4, at 12.63 bits a key",
       "Zipf(1.0) queries, A/S = 10", RunCuckooZipf},
      {"acf-theorem-9", "ACF paper, Theorems 9 and 10",
       "the adversary that repeats one query", RunCuckooRepeated},
      {"acf-theorem-12", "ACF paper, Theorem 12",
       "the adversary with mutually unfixable sets", RunCuckooUnfixable},
  });
  return kAll;
}

}  // namespace tamis::tools
