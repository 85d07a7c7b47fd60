// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "tools/reproduce/experiment.h"
#include "tools/reproduce/infini_figures.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  // {name, source, title, function}, in the order of the papers.
  static constexpr auto kAll = std::to_array<Experiment>({
      {"infini-figure-1", "InfiniFilter paper, Figure 1",
       "What chaining and fingerprint sacrifice cost as data grows",
       RunInfiniFigure1},
      {"infini-tables-2-3", "InfiniFilter paper, Tables 2 and 3",
       "How the cost of every way to grow scales", RunInfiniTables},
      {"infini-figure-13", "InfiniFilter paper, Figure 13",
       "InfiniFilter against chaining and sacrifice, F = 12 and 4",
       RunInfiniFigure13},
      {"infini-figure-14", "InfiniFilter paper, Figure 14",
       "Rejuvenation by queries for existing keys", RunInfiniFigure14},
      {"infini-figure-15", "InfiniFilter paper, Figure 15",
       "Fingerprints that grow with the data", RunInfiniFigure15},
      {"infini-figure-16", "InfiniFilter paper, Figure 16",
       "Growing against filters allocated in advance", RunInfiniFigure16},
      {"infini-speed", "ours",
       "The costs of growth against a quotient filter of fixed size",
       RunInfiniSpeed},
  });
  return kAll;
}

}  // namespace tamis::tools
