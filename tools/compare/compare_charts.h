// A comparison as charts.

#ifndef TAMIS_TOOLS_COMPARE_COMPARE_CHARTS_H_
#define TAMIS_TOOLS_COMPARE_COMPARE_CHARTS_H_

#include <string>

#include "tools/compare/compare.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// The best filter of each family, by the reads that it wastes.
BarChart FamilyBars(const Comparison& comparison, const std::string& winner);

// The winner, the best of other families, and the best that never learns if it
// is not among them.  Filters whose rates are the same all along have one line.
// No lines if none of these made 20 mistakes: they would show luck.
// REQUIRES: !comparison.filters.empty()
Chart StreamChart(const Comparison& comparison, const std::string& winner);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_COMPARE_CHARTS_H_
