// Series of a chart that are equal in all points: drawn each by itself, the
// last would hide the others.

#ifndef TAMIS_TOOLS_REPORT_EQUAL_SERIES_H_
#define TAMIS_TOOLS_REPORT_EQUAL_SERIES_H_

#include <string>
#include <vector>

#include "tools/report/findings.h"

namespace tamis::tools {

// Adds the series, or, if one with the same points is there, adds its name to
// that one's: "taf:r=8 and taf:r=8,overflow=evict".  Returns which one it is.
size_t AddOrMerge(ChartSeries series, std::vector<ChartSeries>& all);

// Returns the chart with one series for all that are equal.
Chart WithEqualSeriesMerged(Chart chart);

// Returns a name for a legend, which has room for `width` characters: if it is
// longer, it is broken where names were joined, into two lines at most; of what
// does not fit there the number is given: "a and b", "and c and 3 more".
std::vector<std::string> LegendLines(const std::string& name, size_t width);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_EQUAL_SERIES_H_
