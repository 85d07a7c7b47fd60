// Recommend: which filter to take, in words, and why.
//
// Rules, in this order:
//   1. The lowest mean false positive rate is best; others are as good if they
//      are as low within the noise (noise.h).
//   2. Of those, one without memory beside it is preferred.  If all need some,
//      one that learns is, and the lowest rate: the memory is there to learn.
//   3. Of what is left, one that need not be told of mistakes: if such a filter
//      is as good, adapting gives nothing on this stream.
//   4. Of what is left, one that does not grow, then the fastest look-up, one by
//      one; the lowest rate, if no times were taken.
// Then what to take if keys must be erased, if the set grows, or if there is no
// place for memory beside the filter, each unless the first answer will do; and
// the command that builds what was chosen.
//
// Filters that are there to be compared with (sacrifice, the chains, cached)
// are never recommended.  Nothing is if an interrupt left out some filters.

#ifndef TAMIS_TOOLS_COMPARE_RECOMMEND_H_
#define TAMIS_TOOLS_COMPARE_RECOMMEND_H_

#include <string>
#include <vector>

#include "tools/compare/compare.h"

namespace tamis::tools {

struct Recommendation {
  std::string filter;              // its spec; empty if none took part
  std::vector<std::string> words;  // sentences, the answer first
};

Recommendation Recommend(const Comparison& measured);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_RECOMMEND_H_
