// Drawing: charts become SVG files by one run of gnuplot.

#ifndef TAMIS_TOOLS_REPORT_DRAW_CHARTS_H_
#define TAMIS_TOOLS_REPORT_DRAW_CHARTS_H_

#include <span>
#include <string>
#include <vector>

#include "tamis/result.h"
#include "tools/report/findings.h"

namespace tamis::tools {

// Draws each chart and returns its <svg> element, with ids that no other
// element of the page has: they begin with the chart's number.  The element is
// empty for a chart without points.  Needs files of its own for a moment, in
// the folder `dir`.  kNotFound if there is no gnuplot, kIo if it fails.
Result<std::vector<std::string>> DrawCharts(
    std::span<const Chart* const> charts, const std::string& dir);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_DRAW_CHARTS_H_
