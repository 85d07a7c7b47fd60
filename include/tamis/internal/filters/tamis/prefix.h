// Prefix: a stretch of hashes, as an entry of any length describes it.
//
// A table of m homes reads a hash as a position, home and then string:
//
//   position     home (64 bits) | string (64 bits)
//   prefix       1 0 1 1 0 . . . . . . . . . . . .       low, and `length`
//                         |      length > 0: home and some bits of the string
//                 length < 0: not even all bits of the home
//
// Prefixes nest or are disjoint.  That is why pairing them with members can be
// done greedily (pairing.h), and why entries of every age can share a table.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_H_

#include <bit>
#include <compare>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

using Position = Uint128;

inline constexpr int kStringBits = 64;

constexpr Position MakePosition(uint64_t home, uint64_t string) {
  return (static_cast<Position>(home) << kStringBits) | string;
}
inline Position PositionOf(KeyHash hash, uint64_t homes) {
  const Placed placed = Place(hash, homes);
  return MakePosition(placed.home, placed.high);
}
constexpr uint64_t HomeOf(Position at) {
  return static_cast<uint64_t>(at >> kStringBits);
}
constexpr uint64_t StringOf(Position at) { return static_cast<uint64_t>(at); }
// Returns the first `count` bits of the string.  REQUIRES: 1 <= count <= 64
constexpr uint64_t FingerprintOf(Position at, int count) {
  return StringOf(at) >> (kStringBits - count);
}

// Returns how many bits of the string two positions share; less than 0 if their
// homes differ, 64 if they are equal.
constexpr int SharedBits(Position a, Position b) {
  const uint64_t homes = HomeOf(a) ^ HomeOf(b);
  if (homes != 0) return std::countl_zero(homes) - 64;
  return std::countl_zero(StringOf(a) ^ StringOf(b));
}

struct Prefix {
  Position low;  // the first position it covers
  int length;    // of the string's bits it fixes

  constexpr bool Covers(Position at) const {
    return ((low ^ at) >> (kStringBits - length)) == 0;
  }
  // The last position it covers.
  constexpr Position last() const {
    return low + ((Position{1} << (kStringBits - length)) - 1);
  }
  friend constexpr bool operator==(const Prefix&, const Prefix&) = default;
  // In the order of positions, what is longer later.
  friend constexpr auto operator<=>(const Prefix&, const Prefix&) = default;
};

// Returns the prefix of so many bits that covers a position.
constexpr Prefix PrefixOf(Position at, int length) {
  const int dropped = kStringBits - length;
  return {(at >> dropped) << dropped, length};
}
static_assert(PrefixOf(MakePosition(5, ~uint64_t{0}), 0).low ==
              MakePosition(5, 0));
static_assert(PrefixOf(MakePosition(5, 0), -1).last() ==
              MakePosition(5, ~uint64_t{0}));

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_H_
