// The few statistics that the reports print.

#ifndef TAMIS_TOOLS_COMMON_STATISTICS_H_
#define TAMIS_TOOLS_COMMON_STATISTICS_H_

#include <span>

namespace tamis::tools {

// Returns the middle value; the mean of the two middle ones if there are
// evenly many.  REQUIRES: !values.empty()
double Median(std::span<const double> values);

// Returns (max - min) / median: how far apart the runs were.  0 for one run.
// REQUIRES: !values.empty()
double Spread(std::span<const double> values);

// REQUIRES: !values.empty()
double Mean(std::span<const double> values);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_STATISTICS_H_
