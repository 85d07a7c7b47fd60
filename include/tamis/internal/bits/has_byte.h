// HasByte: is one of the 8 bytes of a word the given one?
//
// A TAF query has 8 possible remainders, one per selector.  At r = 8 they are
// the bytes of one word, so that a slot is compared with all of them at once.

#ifndef TAMIS_INTERNAL_BITS_HAS_BYTE_H_
#define TAMIS_INTERNAL_BITS_HAS_BYTE_H_

#include <cstdint>

namespace tamis::internal {

//   word ^ byte everywhere   7f 00 12     a byte that is equal becomes 0
//   - 01 everywhere          7d ff 11     the lowest 0 borrows: its top bit is
//   & ~ that & 80            .. 80 ..     set, and was clear before
// A byte above the lowest 0 may be marked by a borrow, never one below, so the
// result is 0 exactly if there is none.
constexpr bool HasByte(uint64_t word, uint8_t byte) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kTops = 0x8080808080808080;
  const uint64_t differs = word ^ (byte * kOnes);
  return ((differs - kOnes) & ~differs & kTops) != 0;
}
static_assert(HasByte(0x0102030405060708, 1) && HasByte(0xff00ff, 0xff));
static_assert(!HasByte(0x0102030405060708, 0) && !HasByte(0, 0x80));

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_HAS_BYTE_H_
