// A comparison as text for a terminal, 100 columns wide.
//
// The columns that decide are here; resets, rebuilds, slow accesses and the
// lowest and highest rates are in CSV, JSON and the report.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_

#include <ostream>
#include <string>

#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"

namespace tamis::tools {

// Prints the filters, the rates along the stream, notes and the recommendation.
// `source` describes the keys and queries.
void PrintComparison(const Comparison& comparison,
                     const Recommendation& recommendation,
                     const std::string& source, std::ostream& out);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_TEXT_H_
