// TableEntry: what a slot of a quotient table says, and the border inside it.
//
// An entry is the beginning of a key's hash * m: home, then value.  Doubling or
// halving m moves the border between the two, and nothing else:
//
//   home . value            width = 4
//   0110 . 1011             MoveToHome, 1 bit    01101 . 011      width 3
//   0110 . 1011             MoveToValue, 1 bit   011 . 01011      width 5
//
// Every filter that grows, shrinks or merges tables of different sizes does it
// by these two; none changes the order of entries.
//
// Thread safety: pure functions.

#ifndef TAMIS_INTERNAL_TABLE_TABLE_ENTRY_H_
#define TAMIS_INTERNAL_TABLE_TABLE_ENTRY_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

struct TableEntry {
  uint64_t home;
  uint64_t value;

  friend constexpr auto operator<=>(const TableEntry&,
                                    const TableEntry&) = default;
};

// Moves the first `count` bits of a value of `width` bits to the home; the
// value has width - count bits then.
// REQUIRES: 0 <= count <= width <= 63
constexpr TableEntry MoveToHome(const TableEntry& entry, int count, int width) {
  assert(0 <= count && count <= width);
  const int left = width - count;
  return {(entry.home << count) | (entry.value >> left),
          entry.value & LowBits(static_cast<unsigned>(left))};
}
static_assert(MoveToHome({0b0110, 0b1011}, 1, 4) == TableEntry{0b01101, 0b011});

// Moves the last `count` bits of the home to the front of a value of `width`
// bits, whose first `kept` bits stay.
// REQUIRES: 0 <= kept <= width + count, count <= 63, width <= 64
constexpr TableEntry MoveToValue(const TableEntry& entry, int count, int width,
                                 int kept) {
  assert(0 <= kept && kept <= width + count);
  const uint64_t moved = entry.home & LowBits(static_cast<unsigned>(count));
  const Uint128 string = (static_cast<Uint128>(moved) << width) | entry.value;
  return {entry.home >> count,
          static_cast<uint64_t>(string >> (width + count - kept))};
}
static_assert(MoveToValue({0b01101, 0b011}, 1, 3, 4) ==
              TableEntry{0b0110, 0b1011});
static_assert(MoveToValue({0b01101, 0b011}, 2, 3, 3) ==
                  TableEntry{0b011, 0b010},
              "the last two bits go");

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_TABLE_ENTRY_H_
