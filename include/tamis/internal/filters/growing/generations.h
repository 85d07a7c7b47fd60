// Generations: how long fingerprints are, and where an entry may live.
//
// A filter that has doubled X times is in generation X: it has m0 2^X homes,
// and a key inserted now gets Bits(X) bits of fingerprint.  Together with the
// home, that fixes X + Bits(X) bits of the key's string (counted from m0's
// binary point on): the entry's *resolution*.  Expansion and contraction move
// the border between home and fingerprint, but not the resolution:
//
//   string      s0 s1 s2 | s3 s4 s5 s6 s7 |
//   X = 3         home   |  fingerprint   |      resolution 8
//   X = 4         home      | fingerprint |      resolution 8, still
//
// An entry of resolution X is void in generation X: all its bits are home.  In
// generation X + 1 it can't be placed and moves to a table of an older
// generation, small enough that it has a whole fingerprint there again.  That
// is generation g of the same filter, with g + Bits(g) = X: the one in which
// the key was inserted.
//
//   fixed     Bits(g) = F
//   growing   Bits(g) = F + AddedBits(g)              (equation 6)

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_GENERATIONS_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_GENERATIONS_H_

#include <algorithm>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::internal {

inline constexpr int kMinGrowingBits = 3;
inline constexpr int kMaxGrowingBits = kMaxSlotBits - 1;
// Homes are below 2^56 and fingerprints below 2^56: no resolution is more.
inline constexpr int kMaxResolution = 56 + kMaxGrowingBits;

// Equation 6: the bits that fingerprints of a generation have more than those
// of the first.  ceil(2 log2(g + 1)) is ceil(log2((g + 1)^2)), in whole numbers.
// REQUIRES: generation < 2^32 - 1
constexpr int AddedBits(uint64_t generation) {
  return CeilLog2((generation + 1) * (generation + 1));
}
static_assert(AddedBits(2) == 4, "2 log2(3) = 3.17");

struct Generations {
  uint64_t first_homes;  // m0
  int first_bits;        // F
  bool growing;

  // Returns the fingerprint length of keys inserted in `generation`, at most
  // what a slot can hold.
  constexpr int Bits(int generation) const {
    if (!growing) return first_bits;
    return std::min(kMaxGrowingBits,
                    first_bits + AddedBits(static_cast<uint64_t>(generation)));
  }
  constexpr uint64_t Homes(int generation) const {
    return first_homes << generation;
  }
  constexpr int Resolution(int generation) const {
    return generation + Bits(generation);
  }
  // Returns the newest generation all of whose keys have less than
  // `generation` bits of resolution, or -1.
  constexpr int OlderThan(int generation) const {
    int older = -1;
    while (Resolution(older + 1) < generation) ++older;
    return older;
  }
};
static_assert(Generations{1, 12, false}.OlderThan(12) == -1);
static_assert(Generations{1, 12, false}.OlderThan(13) == 0);
static_assert(Generations{1, 12, true}.Bits(2) == 16);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_GENERATIONS_H_
