// The few statistics that the reports print.

#ifndef TAMIS_TOOLS_COMMON_STATISTICS_H_
#define TAMIS_TOOLS_COMMON_STATISTICS_H_

#include <cstdint>
#include <span>

namespace tamis::tools {

// Returns the middle value; the mean of the two middle ones if there are
// evenly many.  REQUIRES: !values.empty()
double Median(std::span<const double> values);

// Returns (max - min) / median: how far apart the runs were.  0 for one run.
// REQUIRES: !values.empty()
double Spread(std::span<const double> values);

// Returns the standard deviation of a share measured over `trials` trials of
// probability `probability`.  REQUIRES: trials > 0
double ShareDeviation(double probability, uint64_t trials);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_STATISTICS_H_
