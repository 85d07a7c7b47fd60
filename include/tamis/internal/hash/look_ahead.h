// LookAhead: a batch of look-ups, begun long before they end.  The one pipeline
// of all filters.
//
// To begin a look-up is to compute where it will read, and to prefetch that;
// to end it is to read and compare.  A ring keeps what was computed between
// the two, so nothing is computed twice and a fixed number is always under
// way:
//
//   kAhead = 4     ring    [ 8 ][ 5 ][ 6 ][ 7 ]
//                            \-- 4 has just ended, 8 has begun in its place
//
// Look-ups that end in one turn of the ring are a *round*.  A filter whose
// look-ups may need memory that is known only when they end (a run that goes on
// in the next line) prefetches that, and finishes them after a later round.
//
// How many should be under way: 64 where a look-up reads one line, fewer where
// it reads more, so that they stay in the first-level cache.  Tried: blocks that
// are begun and then ended, which leave the memory idle at the end of each (a
// fifth slower out of cache); deeper rings, which are not faster.
//
// Thread safety: as the filter's const functions.

#ifndef TAMIS_INTERNAL_HASH_LOOK_AHEAD_H_
#define TAMIS_INTERNAL_HASH_LOOK_AHEAD_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

#include "tamis/key_hash.h"

namespace tamis::internal {

// How many lines may be on their way from memory.
inline constexpr size_t kLinesInFlight = 64;

// Calls end(i, begin(i)) for i = 0, 1, ..., count - 1, where up to kAhead later
// ones have begun before; and after_round() after every kAhead, and the last.
template <size_t kAhead, typename Begin, typename End, typename AfterRound>
[[gnu::always_inline]] inline void LookAheadInRounds(size_t count, Begin begin,
                                                     End end,
                                                     AfterRound after_round) {
  std::array<std::invoke_result_t<Begin, size_t>, kAhead> ring;
  for (size_t i = 0; i < std::min(count, kAhead); ++i) ring[i] = begin(i);
  size_t first = 0;
  // Whole rounds, so that places in the ring need no arithmetic.
  for (; count - first >= 2 * kAhead; first += kAhead) {
    for (size_t place = 0; place < kAhead; ++place) {
      end(first + place, ring[place]);
      ring[place] = begin(first + kAhead + place);
    }
    after_round();
  }
  for (; first < count; first += kAhead) {
    for (size_t i = first; i < std::min(first + kAhead, count); ++i) {
      end(i, ring[i - first]);
      if (count - i > kAhead) ring[i - first] = begin(i + kAhead);
    }
    after_round();
  }
}

// Answers for each of `hashes`, with results[i] = end(begin(hashes[i])).
// REQUIRES: results.size() >= hashes.size()
template <size_t kAhead, typename Begin, typename End>
[[gnu::always_inline]] inline void LookAhead(std::span<const KeyHash> hashes,
                                             std::span<bool> results,
                                             Begin begin, End end) {
  assert(results.size() >= hashes.size());
  const KeyHash* const in = hashes.data();
  bool* const out = results.data();
  LookAheadInRounds<kAhead>(
      hashes.size(), [&](size_t i) { return begin(in[i]); },
      [&](size_t i, const auto& begun) { out[i] = end(begun); }, [] {});
}

// The same for a filter whose Prefetch(hash) asks for the memory that
// MayContain(hash) will read.
// Flattened: left to itself, gcc calls a large MayContain from here, and the
// batch of an adaptive Bloom filter takes 7.9 ns a key in cache, not 6.7.
template <typename F>
[[gnu::flatten]] inline void PrefetchAhead(const F& filter,
                                           std::span<const KeyHash> hashes,
                                           std::span<bool> results) {
  LookAhead<kLinesInFlight>(
      hashes, results,
      [&](KeyHash hash) {
        filter.Prefetch(hash);
        return hash;
      },
      [&](KeyHash hash) { return filter.MayContain(hash); });
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_HASH_LOOK_AHEAD_H_
