// RemainderMatcher: a look-up for the first bits of a key's string, as they are.
//
// That is all there is to an RSQF, and to an adaptive filter that has not had to
// adapt yet.

#ifndef TAMIS_INTERNAL_TABLE_REMAINDER_MATCHER_H_
#define TAMIS_INTERNAL_TABLE_REMAINDER_MATCHER_H_

#include <cstddef>
#include <cstdint>

#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// A matcher of Lookup: see lookup.h.
template <typename Shape>
struct RemainderMatcher {
  struct Query {
    uint64_t home;
    uint64_t remainder;
  };
  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes);
    return {placed.home, FirstBits(placed, shape.width())};
  }
  uint64_t Screen(const std::byte* line, const Query& query) const
      requires(Shape::kFastMatch) {
    return shape.MatchLine(line, query.remainder);
  }
  bool Match(const std::byte* line, uint64_t /*line_index*/, uint64_t slots,
             const Query& query) const {
    if constexpr (Shape::kFastMatch) return slots != 0;  // Screen is exact
    return shape.MatchSlots(line, slots, query.remainder) != 0;
  }
  [[no_unique_address]] Shape shape;
  uint64_t homes;
};

template <typename Shape>
auto RemainderLookup(const QuotientTable& table, const Shape& shape) {
  return Lookup(table, shape, RemainderMatcher<Shape>{shape, table.homes()});
}

// Is the remainder of `hash` in its run, in a table of any width?  For
// ByMatchingWidth.
template <int kWidth>
struct RemainderFinder {
  static bool Function(const QuotientTable& table, KeyHash hash) {
    if constexpr (kWidth == 0) {
      return RemainderLookup(table, table.shape()).MayContain(hash);
    } else {
      const LineShape<kWidth> shape(kWidth);
      return RemainderLookup(table, shape).MayContain(hash);
    }
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_REMAINDER_MATCHER_H_
