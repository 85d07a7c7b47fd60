// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "tools/reproduce/experiment.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  // {name, source, title, function}, in the order of the papers.
  static constexpr std::array<Experiment, 0> kAll = {};
  return kAll;
}

}  // namespace tamis::tools
