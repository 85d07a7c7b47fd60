// ShardView: all that a look-up of an absent key needs to know of a shard, in
// half a cache line.
//
// A filter of 2^25 keys has some 1500 shards.  The objects of them are larger
// than the second-level cache; their views are not, so a look-up still misses
// once, at its line:
//
//   directory   first bits of the hash -> view
//   view        lines, homes: 2^home_bits, H of them a line; depth
//   hash        depth | home_bits    | string
//               shard | home         | what the line holds a prefix of
//
// `void_cells` has two bits for each void: those of the first and of the second
// 6 bits of its hashes (of a shorter one, all that they can be).  A key that may
// be a void's finds both set.  There are two or three voids a shard: one key in
// a hundred looks at them in vain.
//
// Thread safety: that of a plain struct.

#ifndef TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_VIEW_H_
#define TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_VIEW_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/growing/prefix_match.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

struct ShardView {
  const std::byte* lines = nullptr;
  uint64_t home_reciprocal = 0;  // 2^64 / H, rounded up
  uint64_t void_cells = 0;
  uint32_t shard = 0;  // its number
  uint8_t homes_per_line = 0;
  uint8_t home_bits = 0;
  uint8_t depth = 0;
  bool extended = false;  // does it have extensions?

  // Where a key's run is looked for.
  struct Spot {
    uint64_t line;
    int index;        // of the home in its line
    uint64_t string;  // what is behind the home
  };
  Spot Locate(KeyHash hash) const {
    const KeyHash local = ShiftHash(hash, depth);
    const uint64_t home = FirstHashBits(local, home_bits);
    const uint64_t line = MultiplyHigh(home, home_reciprocal);
    return {line, static_cast<int>(home - line * homes_per_line),
            ShiftHash(local, home_bits).high};
  }
  bool MayBeVoid(KeyHash hash) const {
    const uint64_t local = ShiftHash(hash, depth).high;
    return (void_cells >> (local >> 58) & void_cells >> (local >> 52 & 63) &
            1) != 0;
  }
  friend bool operator==(const ShardView&, const ShardView&) = default;
};
static_assert(sizeof(ShardView) == 32, "two views a cache line");

// What the lines of a run say of a key.
enum class RunMatch { kNone, kSome, kUnknown };

// Looks in the line of the key's home only.  kUnknown: the run goes on.
// REQUIRES: query is the first F bits of the string, and a 0
template <typename Shape>
inline RunMatch MatchInLine(const Shape& shape, const std::byte* line,
                            int index, uint64_t query) {
  const LineHeader header = shape.ReadHeader(line);
  const LineRanks ranks = Rank(header, index);
  const uint64_t end = RunEnd(ranks);
  const uint64_t is_occupied = (header.occupied >> index) & 1;
  const uint64_t is_here = is_occupied & static_cast<uint64_t>(end != 0);
  const uint64_t slots = SlotsUpTo(ranks, end) & (uint64_t{0} - is_here);
  if (AnyPrefixMatches(shape, line, slots, query)) return RunMatch::kSome;
  return is_here == is_occupied ? RunMatch::kNone : RunMatch::kUnknown;
}

// The same for a run that goes on, with the line behind.  kUnknown: it reaches
// even further.
template <typename Shape>
inline RunMatch MatchInTwoLines(const Shape& shape, const std::byte* line,
                                const std::byte* next, int index,
                                uint64_t query) {
  const TwoLineRun run = FindTwoLineRun(shape, shape.ReadHeader(line), index,
                                        shape.ReadHeader(next));
  if (!run.complete) return RunMatch::kUnknown;
  return AnyPrefixMatches(shape, line, run.slots, query) ||
                 AnyPrefixMatches(shape, next, run.next_slots, query)
             ? RunMatch::kSome
             : RunMatch::kNone;
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_VIEW_H_
