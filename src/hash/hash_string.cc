#include "tamis/internal/hash/hash_string.h"

#include <algorithm>

namespace tamis::internal {

uint64_t HashString::BitsBeyondFraction(uint64_t begin, int count) const {
  uint64_t bits = 0;
  while (count > 0) {
    // The piece that holds bit `begin`, and where in it that bit stands.
    const bool in_fraction = begin < fresh_;
    const uint64_t past = begin - fresh_;
    const KeyHash piece = in_fraction ? KeyHash{placed_.high, placed_.low}
                                      : Extend(hash_, past / 128);
    const int from = static_cast<int>(in_fraction ? begin : past % 128);
    const int limit = in_fraction ? static_cast<int>(fresh_) : 128;
    const int take = std::min(count, limit - from);
    bits = (take == 64 ? 0 : bits << take) | Window(piece, from, take);
    begin += static_cast<unsigned>(take);
    count -= take;
  }
  return bits;
}

}  // namespace tamis::internal
