// The axes of a plot: what they cover, and which numbers stand at them.
//
// A logarithmic axis has no 0, yet the best rates are 0.  Those of y get a band
// of their own at the lower edge, so that a line goes down to it:
//
//   10^-2 |--o--------------
//   10^-3 |    \       / o      above the band, the logarithmic axis
//         |......\.../......
//       0 |.......o.o.......    the band
//          100k  200k  300k     large numbers in thousands or millions

#ifndef TAMIS_TOOLS_REPORT_PLOT_AXES_H_
#define TAMIS_TOOLS_REPORT_PLOT_AXES_H_

#include <limits>
#include <string>

#include "tools/report/findings.h"

namespace tamis::tools {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  void Add(double value);
};

// Both axes of a chart.
class PlotAxes {
 public:
  explicit PlotAxes(const Chart& chart);

  // True if the point has a place: finite, x above 0 on a log axis, y not
  // below 0 on one.
  static bool Has(const Chart& chart, const ChartPoint& point);

  // Where a y is drawn: 0 in its band if there is one, else at the lowest of
  // the points, as is what lies below 0 on a log axis.
  double PlaceOfY(double y) const;

  // True if there is a band for 0.
  bool has_zero_band() const { return zeros_ && log_y_; }
  // The height of that band, as a share of the plot's.
  static constexpr double kBandShare = 0.09;

  // Returns gnuplot's commands: ranges and tics.
  std::string Script() const;

 private:
  void Cover(const Chart& chart, const ChartPoint& point);
  std::string ScriptOfY() const;

  bool log_x_;
  bool log_y_;  // and there is a y above 0
  bool zeros_ = false;
  bool doubling_ = false;  // most x are the lowest, doubled some times
  Range x_;
  Range y_;  // on a log axis: of what is above 0
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_REPORT_PLOT_AXES_H_
