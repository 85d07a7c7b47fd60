// FuseShape: where the three cells of a key are.
//
// A 64-bit word is made of the hash and a salt.  Its product with the number of
// cells that a key may begin in gives the first cell, by the upper half; the
// second and third lie one and two segments on, each moved within its segment
// by other bits of the word:
//
//   first    p              = floor(word * starts / 2^64)
//   second   (p +     2^s) ^ (bits 18 .. 18 + s - 1)
//   third    (p + 2 * 2^s) ^ (bits  0 .. s - 1)
//
// and word ^ word >> 32 is the fingerprint.  The sizes are those of the paper
// for three cells: segments of 2^floor(log_3.33(n) + 2.25) cells, at most 2^18;
// max(1.125, 0.875 + 0.25 * log 10^6 / log n) cells a key.

#ifndef TAMIS_INTERNAL_FILTERS_FUSE_FUSE_SHAPE_H_
#define TAMIS_INTERNAL_FILTERS_FUSE_FUSE_SHAPE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

struct FuseShape {
  int segment_bits = 0;  // log2 of its cells
  uint64_t starts = 0;   // cells that a first cell may be
  uint64_t cells = 0;    // starts and two segments more

  // The shape for so many keys.
  static FuseShape For(uint64_t keys);

  static uint64_t WordOf(KeyHash hash, uint64_t salt) {
    uint64_t word = hash.low ^ (hash.high + salt);
    word = (word ^ (word >> 33)) * 0xff51afd7ed558ccd;  // murmur3's finalizer
    word = (word ^ (word >> 33)) * 0xc4ceb9fe1a85ec53;
    return word ^ (word >> 33);
  }
  static uint64_t Fingerprint(uint64_t word) { return word ^ (word >> 32); }

  std::array<uint64_t, 3> CellsOf(uint64_t word) const {
    const uint64_t segment = uint64_t{1} << segment_bits;
    const uint64_t first = MultiplyHigh(word, starts);
    const uint64_t mask = segment - 1;
    return {first, (first + segment) ^ ((word >> 18) & mask),
            (first + 2 * segment) ^ (word & mask)};
  }
};

// Cells of one or two bytes, the low one first.
inline uint64_t LoadCell(const AlignedBuffer& cells, uint64_t at, int bytes) {
  const std::byte* const cell =
      cells.data() + at * static_cast<uint64_t>(bytes);
  const auto low = std::to_integer<uint64_t>(cell[0]);
  return bytes == 1 ? low : low | std::to_integer<uint64_t>(cell[1]) << 8;
}
inline void StoreCell(AlignedBuffer* cells, uint64_t at, int bytes,
                      uint64_t value) {
  std::byte* const cell = cells->data() + at * static_cast<uint64_t>(bytes);
  cell[0] = static_cast<std::byte>(value);
  if (bytes == 2) cell[1] = static_cast<std::byte>(value >> 8);
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_FUSE_FUSE_SHAPE_H_
