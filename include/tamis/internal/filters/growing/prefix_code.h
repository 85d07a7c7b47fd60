// PrefixCode: a fingerprint of any length up to F, in a slot of F + 1 bits.
//
// The fingerprint stands first, then a 1 that ends it, then zeros.  The zeros
// are the age counter in unary: one for each expansion since the entry came.
//
//   F = 5     age   fingerprint   slot
//             0     1 0 1 1 0     1 0 1 1 0|1
//             1     1 0 1 1       1 0 1 1|1 0
//             3     1 0           1 0|1 0 0 0
//             5     (void)        |1 0 0 0 0 0
//
// The paper puts the counter first.  Behind the fingerprint it makes numeric
// order the order of a walk through the binary tree of prefixes: everything
// that starts with 0, then the void entry, then everything that starts with 1.
// Hence doubling the homes keeps a sorted table sorted:
//
//   slot at home i     b x x x|1 0     b moves to the home, a 0 comes in
//   at home 2i + b     x x x|1 0 0     that is: drop the top bit, shift by one
//
// and halving is the reverse; a fingerprint that is too long then loses its
// last bit, which is what `sticky` rounding of the lowest bit does.
// No entry is 0, so a free slot can't be mistaken for one.

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_CODE_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_CODE_H_

#include <bit>
#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/table/table_entry.h"

namespace tamis::internal {

// Returns the slot for the first `length` of the `bits` bits in `string`.
// REQUIRES: 0 <= length <= bits, string < 2^bits
constexpr uint64_t EncodePrefix(uint64_t string, int length, int bits) {
  assert(0 <= length && length <= bits);
  const int age = bits - length;
  return (((string >> age) << 1) | 1) << age;
}
static_assert(EncodePrefix(0b10110, 5, 5) == 0b101101);
static_assert(EncodePrefix(0b10110, 2, 5) == 0b101000);
static_assert(EncodePrefix(0b10110, 0, 5) == 0b100000, "void");

// Returns the fingerprint length of a slot.  REQUIRES: value != 0
constexpr int PrefixLength(uint64_t value, int bits) {
  return bits - std::countr_zero(value);
}
static_assert(PrefixLength(0b101000, 5) == 2);

// Returns whether the entry's fingerprint is a prefix of the string; `query`
// is the string's first F bits, shifted left by one.
//
//   value         1 0|1 0 0 0
//   value - 1     1 0|0 1 1 1
//   xor           0 0|1 1 1 1     what is not fingerprint
//   query         1 0|1 1 0 .     differs from the value there only, so the
//                                 difference is not greater
// REQUIRES: value != 0
constexpr bool PrefixMatches(uint64_t value, uint64_t query) {
  return (value ^ query) <= (value ^ (value - 1));
}
static_assert(PrefixMatches(0b101000, 0b101100));
static_assert(!PrefixMatches(0b101000, 0b111100));
static_assert(PrefixMatches(0b100000, 0b011110), "void matches all");

// Returns an entry as it is in a table of 2^doublings times the homes, whose
// slots are `to_width` bits wide.
// REQUIRES: its fingerprint has that many bits, from_width <= to_width
constexpr TableEntry ExpandEntry(TableEntry entry, int doublings,
                                 int from_width, int to_width) {
  const TableEntry moved = MoveToHome(entry, doublings, from_width);
  assert(moved.value != 0 && "an entry that is void has no bit to give");
  return {moved.home, moved.value << (to_width - from_width + doublings)};
}
static_assert(ExpandEntry({5, 0b101101}, 1, 6, 6) == TableEntry{11, 0b011010});
static_assert(ExpandEntry({5, 0b101101}, 1, 6, 8) ==
              TableEntry{11, 0b01101000});

// Returns an entry as it is in a table of half the homes, whose slots are
// `to_width` bits wide.  A fingerprint that would be too long is cut.
// REQUIRES: to_width <= from_width
constexpr TableEntry ContractEntry(TableEntry entry, int from_width,
                                   int to_width) {
  const int cut_bits = from_width + 1 - to_width;
  const uint64_t cut = entry.value & LowBits(static_cast<unsigned>(cut_bits));
  const TableEntry moved = MoveToValue(entry, 1, from_width, to_width);
  return {moved.home, moved.value | (cut != 0 ? 1 : 0)};
}
static_assert(ContractEntry({11, 0b011010}, 6, 6) == TableEntry{5, 0b101101});
static_assert(ContractEntry({11, 0b011011}, 6, 6) == TableEntry{5, 0b101101},
              "the last bit of a full fingerprint goes");

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_CODE_H_
