// ShapeNumbers: how many slots and homes a line has, and what follows from that.
//
//   w     2..5   6    7    8    9    10   12   13   16   20   24   32   56
//   S     64     63   56   50   45   42   36   33   28   22   19   14   8
//   bits  8      8.1  9.1  10.2 11.4 12.2 14.2 15.5 18.3 23.3 26.9 36.6 64
//
// S = min(64, floor(504 / (w + 2))): rank and select stay in one word, and
// occupied, run_end, slots and the 8 bits of spill fit the line.

#ifndef TAMIS_INTERNAL_TABLE_SHAPE_NUMBERS_H_
#define TAMIS_INTERNAL_TABLE_SHAPE_NUMBERS_H_

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/lanes.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr int kMinSlotBits = 2;
inline constexpr int kMaxSlotBits = 56;
inline constexpr int kMaxBitsOfFour = 57 / 4;  // four slots in one load
inline constexpr int kMaxSpill = 255;  // and the mark of a spill that is more

constexpr int SlotsPerLine(int width) {
  return std::min(64, (kLineBits - 8) / (width + 2));
}
static_assert(SlotsPerLine(8) == 50, "10.24 bits a slot at w = 8");
static_assert(kMaxSpill >= 64, "a saturated spill must read as a full line");

// 2^64 / slots, rounded up.  REQUIRES: slots >= 2
constexpr uint64_t Reciprocal(int slots) {
  return ~uint64_t{0} / static_cast<uint64_t>(slots) + 1;
}

// The numbers of a shape: known when compiling, so that there is nothing to
// carry, or (width 0) chosen at run time.
template <int kWidth>
class ShapeNumbers {
 public:
  constexpr ShapeNumbers([[maybe_unused]] int width,
                         [[maybe_unused]] int homes) {
    assert(width == kWidth && homes == Slots());
  }
  static constexpr int WidthBits() { return kWidth; }
  static constexpr int Slots() { return SlotsPerLine(kWidth); }
  static constexpr int Homes() { return Slots(); }
  static constexpr uint64_t SlotReciprocal() { return Reciprocal(Slots()); }
  static constexpr uint64_t HomeReciprocal() { return SlotReciprocal(); }
  static constexpr uint64_t SlotOnes() { return LaneOnes(kWidth); }
};
template <>
class ShapeNumbers<0> {
 public:
  constexpr ShapeNumbers(int width, int homes)
      : width_(width),
        slots_(SlotsPerLine(width)),
        homes_(homes),
        slot_reciprocal_(Reciprocal(slots_)),
        home_reciprocal_(Reciprocal(homes)),
        ones_(LaneOnes(width)) {
    assert(2 <= homes && homes <= slots_);
  }
  constexpr int WidthBits() const { return width_; }
  constexpr int Slots() const { return slots_; }
  constexpr int Homes() const { return homes_; }
  constexpr uint64_t SlotReciprocal() const { return slot_reciprocal_; }
  constexpr uint64_t HomeReciprocal() const { return home_reciprocal_; }
  constexpr uint64_t SlotOnes() const { return ones_; }

 private:
  int width_;
  int slots_;
  int homes_;
  uint64_t slot_reciprocal_;
  uint64_t home_reciprocal_;
  uint64_t ones_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_SHAPE_NUMBERS_H_
