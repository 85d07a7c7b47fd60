// The lab's side of tools/lab_door.h.

#include <array>

#include "lab/reproduce/command.h"
#include "lab/reproduce/experiment.h"
#include "tools/lab_door.h"

namespace tamis::tools {

std::span<const AddSubcommand> LabSubcommands() {
  static constexpr std::array kAll = {AddSubcommand{AddReproduce}};
  return kAll;
}

std::vector<std::string> ExperimentNames() {
  std::vector<std::string> names = {"list", "all"};
  for (const Experiment& one : AllExperiments()) names.emplace_back(one.name);
  return names;
}

}  // namespace tamis::tools
