// A batch of look-ups, begun long before they end.
//
// To begin a look-up is to compute where it will read, and to prefetch that;
// to end it is to read and compare.  A ring keeps what was computed between
// the two, so nothing is computed twice and a fixed number is always under
// way:
//
//   kAhead = 4     ring    [ 8 ][ 5 ][ 6 ][ 7 ]
//                            \-- 4 has just ended, 8 has begun in its place
//
// Tried: blocks that are begun and then ended, which leave the memory idle at
// the end of each (a fifth slower out of cache); deeper rings, which are not
// faster and use up the first-level cache.
//
// Thread safety: as the filter's const functions.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_LOOK_AHEAD_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_LOOK_AHEAD_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

#include "tamis/key_hash.h"

namespace tamis::internal {

// How many bins may be on their way from memory.
inline constexpr size_t kBinsInFlight = 32;

// Answers for each of `hashes`, with results[i] = end(begin(hashes[i])).
// REQUIRES: results.size() >= hashes.size()
template <size_t kAhead, typename Begin, typename End>
void LookAhead(std::span<const KeyHash> hashes, std::span<bool> results,
               Begin begin, End end) {
  assert(results.size() >= hashes.size());
  std::array<std::invoke_result_t<Begin, KeyHash>, kAhead> ring;
  const size_t count = hashes.size();
  const size_t lead = std::min(count, kAhead);
  const KeyHash* const in = hashes.data();
  bool* const out = results.data();
  for (size_t i = 0; i < lead; ++i) ring[i] = begin(in[i]);
  size_t next = lead;
  // Whole rounds, so that places in the ring need no arithmetic.
  for (; next + kAhead <= count; next += kAhead) {
    for (size_t place = 0; place < kAhead; ++place) {
      out[next - kAhead + place] = end(ring[place]);
      ring[place] = begin(in[next + place]);
    }
  }
  for (size_t i = next - lead; i < count; ++i) {
    out[i] = end(ring[i % kAhead]);
    if (i + lead < count) ring[i % kAhead] = begin(in[i + lead]);
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_LOOK_AHEAD_H_
