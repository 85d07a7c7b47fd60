// The list of experiments: the one place to add a line for a new one.

#include <array>

#include "tools/reproduce/bloom_experiments.h"
#include "tools/reproduce/experiment.h"

namespace tamis::tools {

std::span<const Experiment> AllExperiments() {
  // {name, source, title, function}, in the order of the papers.
  static constexpr auto kAll = std::to_array<Experiment>({
      {"bloom-figure-4", "ABF paper, Figure 4",
       "Equal frequencies, N = 8 M, against equation (10)", RunBloomFigure4},
      {"bloom-figure-5", "ABF paper, Figure 5",
       "Equal frequencies, N = 12 M, against equation (10)", RunBloomFigure5},
      {"bloom-figure-7", "ABF paper, Figure 7",
       "Rate over k on flow traces, N = 8 M", RunBloomFigure7},
      {"bloom-figure-8", "ABF paper, Figure 8",
       "Rate over k on flow traces, N = 12 M", RunBloomFigure8},
      {"bloom-figure-9", "ABF paper, Figure 9",
       "Rate over k on flow traces, N = 16 M", RunBloomFigure9},
      {"bloom-figure-10", "ABF paper, Figure 10",
       "Adapting once in 5 false positives", RunBloomFigure10},
      {"bloom-table-2", "ABF paper, Table II",
       "Reductions over Bloom-1 on flow traces", RunBloomTable2},
      {"bloom-check", "ABF paper, section V", "What checking the new set adds",
       RunBloomCheck},
      {"bloom-forms", "ABF paper, section VI",
       "Adaptive Bloom-j and bit array at equal memory", RunBloomForms},
  });
  return kAll;
}

}  // namespace tamis::tools
