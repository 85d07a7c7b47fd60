// ShardPlace: which hashes a shard is for.
//
// A shard stands for all hashes that begin with its prefix, and reads what is
// behind it as a hash of its own:
//
//   hash     1 0 1 | 1 1 0 0 1 ...
//   prefix   1 0 1 |                    depth 3
//   local            1 1 0 0 1 ... 0 0 0
//
// Thread safety: that of a plain struct.

#ifndef TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_PLACE_H_
#define TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_PLACE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"

namespace tamis::internal {

// More would leave too few bits of a hash for what is in the shard.
inline constexpr int kMaxShardDepth = 40;

// Returns the first `bits` bits of a hash as a number.
// REQUIRES: 0 <= bits < 64
constexpr uint64_t FirstHashBits(KeyHash hash, int bits) {
  return (hash.high >> 1) >> (63 - bits);
}
// Returns hash << bits.  REQUIRES: 0 <= bits < 64
constexpr KeyHash ShiftHash(KeyHash hash, int bits) {
  return {hash.high << bits | (hash.low >> 1) >> (63 - bits), hash.low << bits};
}

struct ShardPlace {
  uint64_t prefix = 0;  // `depth` bits at the top, then zeros
  int depth = 0;

  static constexpr ShardPlace Of(uint64_t index, int depth) {
    return {depth == 0 ? 0 : index << (64 - depth), depth};
  }
  // Returns the place whose range() that is; kCorrupt if there is none.
  static Result<ShardPlace> ForRange(const HashRange& range) {
    const int depth = std::countl_zero(range.low.high ^ range.high.high);
    const ShardPlace place{range.low.high, depth};
    if (depth > kMaxShardDepth || place.range() != range ||
        Of(place.index(), depth) != place) {
      return Status(StatusCode::kCorrupt, "these hashes are not a shard's");
    }
    return place;
  }
  constexpr uint64_t index() const { return FirstHashBits({prefix, 0}, depth); }
  constexpr ShardPlace Half(bool upper) const {
    return Of(2 * index() + (upper ? 1 : 0), depth + 1);
  }
  // REQUIRES of both: depth > 0
  constexpr ShardPlace Parent() const { return Of(index() / 2, depth - 1); }
  constexpr ShardPlace Sibling() const { return Of(index() ^ 1, depth); }

  constexpr bool Contains(KeyHash hash) const {
    return FirstHashBits(hash, depth) == index();
  }
  constexpr bool Contains(const ShardPlace& other) const {
    return other.depth >= depth && Contains(KeyHash{other.prefix, 0});
  }
  constexpr KeyHash ToLocal(KeyHash hash) const {
    return ShiftHash(hash, depth);
  }
  // Returns the hash that reads as `local`.
  constexpr KeyHash FromLocal(KeyHash local) const {
    if (depth == 0) return local;
    return {prefix | local.high >> depth,
            local.low >> depth | local.high << (64 - depth)};
  }
  constexpr HashRange range() const {
    const uint64_t rest = depth == 0 ? ~uint64_t{0} : ~uint64_t{0} >> depth;
    return {{prefix, 0}, {prefix | rest, ~uint64_t{0}}};
  }
  // Returns the hashes that read as those of a range.
  constexpr HashRange FromLocal(const HashRange& local) const {
    return {FromLocal(local.low), FromLocal(local.high)};
  }
  friend constexpr bool operator==(const ShardPlace&,
                                   const ShardPlace&) = default;
};
static_assert(ShardPlace::Of(5, 3).ToLocal({0xbfffffffffffffff, 7}).high ==
              0xffffffffffffffff - 7);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_SHARDED_SHARD_PLACE_H_
