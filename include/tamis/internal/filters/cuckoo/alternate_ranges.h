// Where the second bin of a partial-key cuckoo filter is.
//
// A filter without keys must find the other bin of a stored fingerprint from
// what it has: the bin where it is, and the fingerprint.  Both classes here
// reflect the bin at a point that the fingerprint chooses:
//
//   other = (T(fingerprint) - bin) mod length
//
// which leads back when done twice, for any length, not only powers of two.  A
// bin whose double is T mod length would be its own other, and its keys would
// have half the slots; if the length is even, T is made odd and there is none
// (if it is odd, there is one).
//
//   WholeTable      the range is the whole table: the classic filter.
//   VacuumRanges    a range is a small stretch of it, of one of four lengths
//                   that the last two bits of the fingerprint choose: the
//                   vacuum filter of Wang, Zhou, Shi and Qian (VLDB 2019).
//
// Thread safety: immutable.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_ALTERNATE_RANGES_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_ALTERNATE_RANGES_H_

#include <cassert>
#include <cstdint>
#include <string_view>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Spreads a fingerprint over 64 bits.  A quadratic, because the filter's graph
// is made of differences of these values: a multiplication alone would make
// the differences of 2^f values only 2 * 2^f many.
constexpr uint64_t MixFingerprint(uint64_t fingerprint) {
  return (fingerprint * 0xd1342543de82ef95 + 0xaf251af3b0f025b5) * fingerprint;
}

// Returns (T - bin) mod length for T spread over [0, length), or over the odd
// numbers in it.
// REQUIRES: bin < length, odd == 1 if the length is even, else 0
inline uint64_t Reflect(uint64_t bin, uint64_t length, uint64_t odd,
                        uint64_t fingerprint) {
  assert(bin < length && odd == (~length & 1));
  const uint64_t point =
      MultiplyHigh(MixFingerprint(fingerprint), length) | odd;
  return point - bin + (point < bin ? length : 0);
}

class WholeTable {
 public:
  static constexpr std::string_view kName = "cuckoo";

  WholeTable() = default;
  explicit WholeTable(uint64_t bins) : bins_(bins), odd_(~bins & 1) {}

  uint64_t Alternate(uint64_t bin, uint64_t fingerprint) const {
    return Reflect(bin, bins_, odd_, fingerprint);
  }

 private:
  uint64_t bins_ = 1;
  uint64_t odd_ = 0;
};

// The ranges of one length L are [0, L), [L, 2L), ... ; the last one takes what
// is left over, so it has L to 2L - 1 bins and every number of bins is served:
//
//   13 bins, L = 4:    0 1 2 3 | 4 5 6 7 | 8 9 10 11 12
//
// A quarter of the keys has each length.  Keys of the longest kind can leave
// any range but their own, so a range of the i-th length only has to hold the
// share of keys whose length is that or shorter: the shorter, the more slack,
// the smaller it may be.  RangeLength picks the least power of two for which
// the fullest range has room (in docs/design/cuckoo.md).
class VacuumRanges {
 public:
  static constexpr std::string_view kName = "vacuum";
  static constexpr int kLengths = 4;

  VacuumRanges() = default;
  explicit VacuumRanges(uint64_t bins);

  uint64_t Alternate(uint64_t bin, uint64_t fingerprint) const {
    const Range& kind = kinds_[fingerprint % kLengths];
    uint64_t begin = bin & ~(kind.length - 1);
    uint64_t length = kind.length;
    if (begin >= kind.last_begin) {
      begin = kind.last_begin;
      length = bins_ - begin;
    }
    return begin +
           Reflect(bin - begin, length, ~length & 1, fingerprint / kLengths);
  }

  // Returns the length of ranges whose kinds hold `share` of all keys.
  static uint64_t RangeLength(uint64_t bins, double share);
  uint64_t length(int kind) const { return kinds_[kind].length; }

 private:
  struct Range {
    uint64_t length = 1;
    uint64_t last_begin = 0;  // where the last range of this length begins
  };

  uint64_t bins_ = 1;
  Range kinds_[kLengths];
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_ALTERNATE_RANGES_H_
