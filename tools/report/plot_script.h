// Charts as gnuplot scripts, with one look for all plots.
//
// Series differ in colour, in marker and in dashes, so that a plot can be read
// by people who see no colours and from paper.  The colours keep apart for the
// common kinds of colour blindness; each has a twin for dark backgrounds, which
// the style sheet below puts in its place:
//
//   gnuplot writes   <path stroke='rgb(  0, 114, 178)' .../>
//   the style says   @media dark: .plot [stroke='rgb(  0, 114, 178)'] {...}
//
// so a viewer that knows no style sheets shows the plot for light backgrounds.

#ifndef TAMIS_TOOLS_REPORT_PLOT_SCRIPT_H_
#define TAMIS_TOOLS_REPORT_PLOT_SCRIPT_H_

#include <string>

#include "tools/report/findings.h"

namespace tamis::tools {

// True if a point of the chart can be drawn; see plot_axes.h.
bool CanDraw(const Chart& chart);

// True if the chart has zeros on a logarithmic axis: they are drawn in a grey
// band at its lower edge, which a caption should say.
bool ShowsZeros(const Chart& chart);

// Returns the commands that draw the chart into the file `path`, as SVG.
// Series that are equal in all points share a line.
// REQUIRES: CanDraw(chart)
std::string PlotScript(const Chart& chart, const std::string& path);

// Returns the CSS that gives every svg.plot its colours on dark backgrounds.
std::string PlotStyle();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_PLOT_SCRIPT_H_
