// A comparison as text for a terminal: the answer first, then the best filter of
// each family.
//
// The columns that decide are here; resets, rebuilds, reads and the lowest and
// highest rates are in CSV, JSON and the report.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/compare/sweep.h"

namespace tamis::tools {

struct TextStyle {
  size_t columns = 100;
  bool colour = false;
  bool all_rows = false;  // not only the best of each family
};

// Prints the recommendation, the filters with the winner marked, the rates along
// the stream and notes.  `source` describes the keys and queries.
void PrintComparison(const Comparison& comparison,
                     const Recommendation& recommendation,
                     const std::string& source, const TextStyle& style,
                     std::ostream& out);

// Prints how many bits to take, and what each size gives.
void PrintSweep(const std::vector<SweepPoint>& points, size_t chosen,
                const TextStyle& style, std::ostream& out);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_
