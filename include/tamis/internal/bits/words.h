// Words: the few operations on 64-bit words that everything else is made of.
//
// A *line* (64 bytes) and every packed array are little-endian bit strings:
// bit i of the string is bit i % 8 of byte i / 8.  LoadWord and StoreWord are
// the only functions that know it, so the bytes mean the same on any machine.

#ifndef TAMIS_INTERNAL_BITS_WORDS_H_
#define TAMIS_INTERNAL_BITS_WORDS_H_

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__BMI2__) && !defined(TAMIS_PORTABLE)
#define TAMIS_HAS_BMI2 1
#include <immintrin.h>
#endif
#if defined(__AVX2__) && !defined(TAMIS_PORTABLE)
#define TAMIS_HAS_AVX2 1
#include <immintrin.h>
#endif

namespace tamis::internal {

__extension__ typedef unsigned __int128 Uint128;

inline constexpr int kLineBytes = 64;  // a cache line
inline constexpr int kLineBits = 8 * kLineBytes;

// Returns a word whose lowest `count` bits are set.  A count of 64 or more
// gives all ones, where a plain (1 << 64) - 1 would be undefined.
// REQUIRES: count < 256, which is what bzhi looks at
constexpr uint64_t LowBits(unsigned count) {
  assert(count < 256);
#ifdef TAMIS_HAS_BMI2
  if (!std::is_constant_evaluated()) return _bzhi_u64(~uint64_t{0}, count);
#endif
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// Returns the 8 bytes at `bytes` as a number, lowest byte first.
inline uint64_t LoadWord(const void* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

inline void StoreWord(void* bytes, uint64_t word) {
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  std::memcpy(bytes, &word, sizeof(word));
}

// Returns the upper 64 bits of a * b.
constexpr uint64_t MultiplyHigh(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<Uint128>(a) * b) >> 64);
}

// Returns the least k with 2^k >= n.  REQUIRES: n > 0
constexpr int CeilLog2(uint64_t n) {
  assert(n > 0);
  return n == 1 ? 0 : 64 - std::countl_zero(n - 1);
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_WORDS_H_
