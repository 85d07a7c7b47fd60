// Noise: whether one filter's rate is lower than another's, or only by chance.
//
// Two rates are the same, within the noise, if
//   - there are as many mistakes of both, within two standard deviations of such
//     counts: 2 and 7 are no difference; or
//   - the one is at most half again as high, the ranges of their seeds overlap,
//     and the mean of their differences, seed by seed, is 0 at 95 % confidence
//     (Student's t).
// Where mistakes repeat they come in heaps, and the first rule alone would see
// differences everywhere.  But the rates of filters with large heaps vary so much
// that without its limits the second rule would find hundreds of times as many
// mistakes the same, just because one seed was lucky.

#ifndef TAMIS_TOOLS_COMPARE_NOISE_H_
#define TAMIS_TOOLS_COMPARE_NOISE_H_

#include <cstddef>
#include <vector>

#include "tools/compare/compare.h"

namespace tamis::tools {

// The rates of one filter under all seeds, over a part of the stream.
struct RateSample {
  std::vector<double> rates;  // one per seed, in their order
  double mistakes = 0;        // under all seeds

  double mean() const;  // 0 without seeds
};

RateSample WholeStream(const ComparedFilter& filter);

// The same of one fifth of the stream, 0 to 4.  No seeds if the stream is too
// short to have fifths.  REQUIRES: fifth < 5
RateSample FifthOfStream(const ComparedFilter& filter, size_t fifth);

// Says whether `one` is as low as `best`, which is lower, within the noise.
bool IsAsGood(const RateSample& one, const RateSample& best);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_NOISE_H_
