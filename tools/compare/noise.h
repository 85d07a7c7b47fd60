// Noise: whether one filter's rate is lower than another's, or only by chance.
//
// Two rates are the same, within the noise, if the mean of either lies in the
// range of the other's seeds, or if their mistakes are as many within two
// standard deviations of such counts.  (Repeated mistakes come together, so
// that is the least noise there can be.)

#ifndef TAMIS_TOOLS_COMPARE_NOISE_H_
#define TAMIS_TOOLS_COMPARE_NOISE_H_

#include <cstddef>

#include "tools/compare/compare.h"

namespace tamis::tools {

// The rates of one filter under all seeds, over a part of the stream.
struct RateSample {
  double mean = 0;
  double lowest = 1;
  double highest = 0;
  double mistakes = 0;  // under all seeds
  size_t seeds = 0;
};

RateSample WholeStream(const ComparedFilter& filter);

// The same of one fifth of the stream, 0 to 4.  No seeds if the stream is too
// short to have fifths.  REQUIRES: fifth < 5
RateSample FifthOfStream(const ComparedFilter& filter, size_t fifth);

// Says whether `one` is as low as `best`, which is lower, within the noise.
bool IsAsGood(const RateSample& one, const RateSample& best);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_NOISE_H_
