// The line shapes that look-ups use: one for each width at which all slots of a
// line are compared at once, because look-ups gain most from that.
//
//   a batch         WithMatchingShape, once for all its keys
//   a single key    ByMatchingWidth, an array of functions

#ifndef TAMIS_INTERNAL_TABLE_MATCHING_SHAPE_H_
#define TAMIS_INTERNAL_TABLE_MATCHING_SHAPE_H_

#include <array>
#include <utility>

#include "tamis/internal/bits/packed_match.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::internal {

// WithShape, with a shape for each width from 4 on at which a line is compared
// at once.
template <typename Function>
inline decltype(auto) WithMatchingShape(const LineShape<0>& any,
                                        Function&& function) {
#ifdef TAMIS_HAS_AVX2
  switch (any.fixed_width()) {
    case 4:
      return CallOutOfLine(function, LineShape<4>(4));
    case 5:
      return CallOutOfLine(function, LineShape<5>(5));
    case 6:
      return CallOutOfLine(function, LineShape<6>(6));
    case 7:
      return CallOutOfLine(function, LineShape<7>(7));
    case 9:
      return CallOutOfLine(function, LineShape<9>(9));
    case 10:
      return CallOutOfLine(function, LineShape<10>(10));
    case 11:
      return CallOutOfLine(function, LineShape<11>(11));
    case 12:
      return CallOutOfLine(function, LineShape<12>(12));
    case 13:
      return CallOutOfLine(function, LineShape<13>(13));
    case 14:
      return CallOutOfLine(function, LineShape<14>(14));
    case 15:
      return CallOutOfLine(function, LineShape<15>(15));
  }
#endif
  return WithShape(any, function);
}

// For single look-ups: an array of functions, one for each fixed_width() w, which
// is Make<W>::Function, W the width of its matching shape (0: any).  A call by
// this array is a jump, its arguments stay in their registers; WithMatchingShape
// has them in memory, for its lambda, and a frame of its own.
constexpr int MatchingWidth(int width) {
  return width >= 4 && (IsPacked(width) || width == 16) ? width : 0;
}
template <template <int> typename Make>
constexpr auto ByMatchingWidth() {
  return []<int... kWidths>(std::integer_sequence<int, kWidths...> /*all*/) {
    return std::array{&Make<MatchingWidth(kWidths)>::Function...};
  }
  (std::make_integer_sequence<int, kMaxSlotBits + 1>());
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_MATCHING_SHAPE_H_
