// Charts of a few lines with their names beside them, drawn here.
//
//   1 -|  ----___
//      |         ---___  rsqf:r=9          names at the ends of their lines,
// .01 -|  \___             taf:r=8         moved apart where they would touch
//      +------------------
//
// gnuplot draws charts with a legend (plot_script.h); where a handful of lines
// is all there is, a name at the line itself is read faster.

#ifndef TAMIS_TOOLS_REPORT_LINE_CHART_H_
#define TAMIS_TOOLS_REPORT_LINE_CHART_H_

#include <string>

#include "tools/report/findings.h"

namespace tamis::tools {

// Returns the chart as an <svg class="plot">; empty if it has no point that its
// axes can show.  REQUIRES: chart.labelled, chart.log_y
std::string DrawLineChart(const Chart& chart);

// The style of its classes, for light and dark pages.
extern const char* const kLineChartStyle;

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_LINE_CHART_H_
