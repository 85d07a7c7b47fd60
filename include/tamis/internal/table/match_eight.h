// MatchSlotsOfEight: the slots of a line that hold one of eight values.

#ifndef TAMIS_INTERNAL_TABLE_MATCH_EIGHT_H_
#define TAMIS_INTERNAL_TABLE_MATCH_EIGHT_H_

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/eight_lanes.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::internal {

// Returns the slots in `among` whose entry is one of `values`.
// REQUIRES: shape.width() <= kMaxBitsOfFour
template <typename Shape>
uint64_t MatchSlotsOfEight(const Shape& shape, const std::byte* line,
                           uint64_t among, const EightLanes& values) {
  const int width = shape.width();
  assert(width <= kMaxBitsOfFour);
  uint64_t found = 0;
  uint64_t left = among;
  do {
    // Four slots up to the last one; of no slots, some in vain.
    const int last = 63 - std::countl_zero(left | 1);
    const uint64_t word = shape.LoadSlotsUpTo(line, last) >> (64 - 4 * width);
    const uint64_t wanted = left << (63 - last) >> 60;
    const uint64_t equal = values.AnyEqual(SpreadFour(word, width)) &
                           (SpreadFour(wanted, 1) * 0xffff);
    if (equal != 0) [[unlikely]] {
      found |= NonzeroQuarters(equal) << 60 >> (63 - last);
    }
    left &= ~(uint64_t{15} << 60 >> (63 - last));
  } while (left != 0);
  return found;
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_MATCH_EIGHT_H_
