// Lanes: a word read as a row of equally wide fields, all compared at once.
//
//   width 10, five lanes a word
//   word     ....... eeeeeeeeee dddddddddd cccccccccc bbbbbbbbbb aaaaaaaaaa
//   ones     ....... .........1 .........1 .........1 .........1 .........1
//   ones * v         vvvvvvvvvv vvvvvvvvvv vvvvvvvvvv vvvvvvvvvv vvvvvvvvvv
//
// A lane equals v where the exclusive or is 0.  Adding 01...1 to a lane without
// its top bit carries into that bit unless the lane was 0, and no further.

#ifndef TAMIS_INTERNAL_BITS_LANES_H_
#define TAMIS_INTERNAL_BITS_LANES_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Returns the lowest bit of as many lanes as there are in a word of which up to
// 7 bits were shifted out.  REQUIRES: 2 <= width <= 57
constexpr uint64_t LaneOnes(int width) {
  assert(width >= 2 && width <= 57);
  const int lanes = 57 / width;
  return LowBits(static_cast<unsigned>(lanes * width)) /
         LowBits(static_cast<unsigned>(width));
}

// Returns the lowest bit of every lane that equals `value`.
// REQUIRES: ones = LaneOnes(width), value < 2^width
constexpr uint64_t EqualLanes(uint64_t word, uint64_t ones, int width,
                              uint64_t value) {
  const uint64_t tops = ones << (width - 1);
  const uint64_t below_tops = tops - ones;
  const uint64_t differs = word ^ (ones * value);
  const uint64_t differs_below = (differs & below_tops) + below_tops;
  return (~(differs | differs_below) & tops) >> (width - 1);
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_LANES_H_
