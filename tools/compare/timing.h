// How long look-ups take, once the filters have seen the stream.
//
// All filters are asked for the same sample, the end of the stream, in the
// stream's order.  Rounds go over all filters, one by one and batched, so that
// what disturbs the machine disturbs all alike; the medians of the rounds
// count.  On one core, with nothing else of this program running.

#ifndef TAMIS_TOOLS_COMPARE_TIMING_H_
#define TAMIS_TOOLS_COMPARE_TIMING_H_

#include <span>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/key_hash.h"
#include "tools/common/progress.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

struct LookupTimes {
  double one_by_one_ns = 0;
  double batched_ns = 0;
};

// Returns the hashes of the last queries, at most 2^19.
std::vector<KeyHash> TimingSample(const HashedStream& hashed);

// Returns the times of each filter, in the order given.
// Nothing after an interrupt.  REQUIRES: !sample.empty()
std::vector<LookupTimes> TimeLookups(
    const std::vector<const AnyFilter*>& filters,
    std::span<const KeyHash> sample, Progress& progress);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_TIMING_H_
