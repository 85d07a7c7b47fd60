// AnyPrefixMatches: is the fingerprint of one of a line's slots a prefix of a
// string?  And PrefixMatcher: how a look-up asks that.
//
// A run is one to three slots long, as a rule, so the slots are taken from the
// line by the word, as many as fit, spread to lanes of equal width, and judged
// at once as PrefixMatches judges one:
//
//   w = 13, four slots a word
//   word       ....... ddddddddddddd ccccccccccccc bbbbbbbbbbbbb aaaaaaaaaaaaa
//   pdep       ...ddddddddddddd ...ccccccccccccc ...bbbbbbbbbbbbb ...aaaaaaaaaaaaa
//   per lane   (value ^ query) <= (value ^ (value - 1))
//
// Free slots are 0 and may stand behind the run; value - 1 does not borrow from
// the next lane, because each lane has a spare bit that is set for it first.

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_MATCH_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_MATCH_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/growing/prefix_code.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// Returns whether an entry in one of `slots` (a bit per slot) matches.
template <typename Shape>
inline bool AnyPrefixMatchesPortable(const Shape& shape, const std::byte* line,
                                     uint64_t slots, uint64_t query) {
  bool found = false;
  for (uint64_t left = slots; left != 0; left &= left - 1) {
    found |= PrefixMatches(shape.ReadSlot(line, std::countr_zero(left)), query);
  }
  return found;
}

#ifdef TAMIS_HAS_BMI2
// The widest slots of which a word at any bit of a byte holds four.
inline constexpr int kMaxLaneBits = 14;

// Judges four slots, packed from bit 0 of `word` on; bit 15 of each lane says
// whether it matches.
inline uint64_t MatchLanes(uint64_t word, int width, uint64_t query) {
  constexpr uint64_t kEach = 0x0001000100010001;
  constexpr uint64_t kTops = kEach << 15;
  const uint64_t lanes =
      _pdep_u64(word, kEach * LowBits(static_cast<unsigned>(width)));
  const uint64_t below = (lanes | kTops) - kEach;  // value - 1; no borrow
  const uint64_t not_fingerprint = (lanes ^ below) | kTops;
  const uint64_t differs = lanes ^ (kEach * query);
  // Greater or equal, lane by lane: the top bit survives the subtraction.
  return (not_fingerprint - differs) & kTops;
}

// Inlined by force: g++ 12 calls it from the batch of a fixed width.
template <typename Shape>
[[gnu::always_inline]] inline bool AnyPrefixMatches(const Shape& shape,
                                                    const std::byte* line,
                                                    uint64_t slots,
                                                    uint64_t query) {
  if (shape.width() > kMaxLaneBits) {
    return AnyPrefixMatchesPortable(shape, line, slots, query);
  }
  // Of no slots the last is compared in vain: cheaper than a branch that is
  // wrong for every third key.
  const uint64_t last_slot = uint64_t{1} << (shape.slots() - 1);
  do {
    // Slots of a run are adjacent: the next four from the first one on.
    const int first = std::countr_zero(slots | last_slot);
    const int bit = shape.first_slot_bit() + first * shape.width();
    const int byte = std::min(bit / 8, kLineBytes - 8);
    const uint64_t word = LoadWord(line + byte) >> (bit - 8 * byte);
    const uint64_t four = slots >> first & 0xf;
    const uint64_t wanted = _pdep_u64(four, 0x8000800080008000);
    if ((MatchLanes(word, shape.width(), query) & wanted) != 0) return true;
    slots &= ~(uint64_t{0xf} << first);
  } while (slots != 0);
  return false;
}
#else
template <typename Shape>
inline bool AnyPrefixMatches(const Shape& shape, const std::byte* line,
                             uint64_t slots, uint64_t query) {
  return AnyPrefixMatchesPortable(shape, line, slots, query);
}
#endif

// A key as a table of prefixes reads it: its home, and the first F bits of its
// string, shifted left by one.
struct PrefixQuery {
  uint64_t home;
  uint64_t string;

  friend bool operator==(const PrefixQuery&, const PrefixQuery&) = default;
};

// How a look-up reads slots of prefixes: see internal/table/lookup.h.
template <typename Shape>
struct PrefixMatcher {
  using Query = PrefixQuery;

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes);
    return {placed.home, FirstBits(placed, shape.width() - 1) << 1};
  }
  bool Match(const std::byte* line, uint64_t /*line_index*/, uint64_t run,
             const Query& query) const {
    return AnyPrefixMatches(shape, line, run, query.string);
  }

  [[no_unique_address]] Shape shape;
  uint64_t homes;
};

template <typename Shape>
auto PrefixLookup(const QuotientTable& table, const Shape& shape) {
  return Lookup(table, shape, PrefixMatcher<Shape>{shape, table.homes()});
}

// Does an entry match `hash`, in a table of any width and homes a line?  For
// ByMatchingWidth.
template <int kWidth>
struct PrefixFinder {
  static bool Function(const QuotientTable& table, KeyHash hash) {
    if constexpr (kWidth == 0) {
      return PrefixLookup(table, table.shape()).MayContain(hash);
    } else {
      const SteppedShape<kWidth> shape(table.shape());
      return PrefixLookup(table, shape).MayContain(hash);
    }
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_MATCH_H_
