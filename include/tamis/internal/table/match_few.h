// MatchLineOfFew: the slots of a line that hold one of a few values.

#ifndef TAMIS_INTERNAL_TABLE_MATCH_FEW_H_
#define TAMIS_INTERNAL_TABLE_MATCH_FEW_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/packed_match.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::internal {

// Returns the slots of the line, used or not, whose bits are one of `values`.
template <int kWidth, size_t kValues>
inline uint64_t MatchLineOfFew(
    const LineShape<kWidth>& shape, const std::byte* line,
    const std::array<uint64_t, kValues>&
        values) requires(LineShape<kWidth>::kFastMatch) {
  if constexpr (kWidth != 8 && kWidth != 16) {
    return MatchPackedAny<kWidth, SlotsPerLine(kWidth)>(line, values);
  } else {
    uint64_t slots = 0;
    for (const uint64_t value : values) slots |= shape.MatchLine(line, value);
    return slots;
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_MATCH_FEW_H_
