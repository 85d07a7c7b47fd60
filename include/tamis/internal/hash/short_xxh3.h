// ShortXxh3: XXH3-128 of inputs of 4 to 16 bytes, inline, under one seed.
//
// Most keys are integers or short names.  A call into a hash library stores
// them in memory, passes their length, and tells the length back to a branch;
// in a register, with what depends on the seed computed once, the hash of an
// integer is three multiplications:
//
//   x  = key ^ flip                         flip: of the secret and the seed
//   p  = x * (P1 + 4 * length)              128 bits: low, high
//   high += 2 * low;  low ^= high >> 3      the halves meet
//   low, high                               each mixed by shift, multiply, shift
//
// and of 9 to 16 bytes, read as two words that may overlap, five.
//
// The values are those of XXH3_128bits_withSeed, which files rely on:
// tests/hash compares them with libxxhash at every length and many seeds.
//
// Algorithm: Collet, XXH3 (https://github.com/Cyan4973/xxHash), the 128-bit
// variant.  The constants below are words of its default secret, combined.

#ifndef TAMIS_INTERNAL_HASH_SHORT_XXH3_H_
#define TAMIS_INTERNAL_HASH_SHORT_XXH3_H_

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

class ShortXxh3 {
 public:
  static constexpr size_t kMinBytes = 4;
  static constexpr size_t kMaxBytes = 16;
  // Says whether an input of `size` bytes is one for this class.
  static bool Takes(size_t size) { return size - kMinBytes <= 12; }

  explicit constexpr ShortXxh3(uint64_t seed)
      : flip_(kSecret8 + (seed ^ (ReversedLow(seed) << 32))),
        flip_low_(kSecret16Low - seed),
        flip_high_(kSecret16High + seed) {}

  // The hash of the 8 little-endian bytes of `key`.
  KeyHash Hash(uint64_t key) const { return HashOne(key, 8); }

  // The hash of the 16 little-endian bytes of `first` and `second`.
  KeyHash Hash(uint64_t first, uint64_t second) const {
    return HashTwo(first, second, 16);
  }

  // REQUIRES: Takes(size)
  KeyHash Hash(const void* bytes, size_t size) const {
    assert(Takes(size));
    const char* begin = static_cast<const char*>(bytes);
    if (size <= 8) {
      const uint64_t last = LoadHalf(begin + size - 4);
      return HashOne(LoadHalf(begin) | last << 32, size);
    }
    return HashTwo(LoadWord(begin), LoadWord(begin + size - 8), size);
  }

  friend bool operator==(const ShortXxh3&, const ShortXxh3&) = default;

 private:
  static constexpr uint64_t kPrime1 = 0x9e3779b185ebca87;
  static constexpr uint64_t kPrime2 = 0xc2b2ae3d27d4eb4f;
  static constexpr uint64_t kPrimeOfHalf = 0x85ebca77;
  static constexpr uint64_t kSecret8 = 0xc4f023344dc994ac;
  static constexpr uint64_t kSecret16Low = 0x59973f0033362349;
  static constexpr uint64_t kSecret16High = 0xc202797692d63d58;

  static constexpr uint64_t ReversedLow(uint64_t word) {
    return __builtin_bswap32(static_cast<uint32_t>(word));
  }
  static uint64_t LoadHalf(const char* bytes) {
    uint32_t half;
    std::memcpy(&half, bytes, sizeof(half));
    if constexpr (std::endian::native == std::endian::big) {
      half = __builtin_bswap32(half);
    }
    return half;
  }
  static uint64_t Mix(uint64_t word) {
    word ^= word >> 37;
    word *= 0x165667919e3779f9;
    return word ^ word >> 32;
  }

  KeyHash HashOne(uint64_t word, size_t size) const {
    const Uint128 product =
        static_cast<Uint128>(word ^ flip_) * (kPrime1 + 4 * size);
    auto low = static_cast<uint64_t>(product);
    const uint64_t high = static_cast<uint64_t>(product >> 64) + 2 * low;
    low ^= high >> 3;
    low ^= low >> 35;
    low *= 0x9fb21c651e98df25;
    return {Mix(high), low ^ low >> 28};
  }

  KeyHash HashTwo(uint64_t first, uint64_t last, size_t size) const {
    const Uint128 product =
        static_cast<Uint128>(first ^ last ^ flip_low_) * kPrime1;
    const uint64_t keyed = last ^ flip_high_;
    const uint64_t upper = static_cast<uint64_t>(product >> 64) + keyed +
                           (keyed & 0xffffffff) * (kPrimeOfHalf - 1);
    const uint64_t lower =
        (static_cast<uint64_t>(product) + (uint64_t{size - 1} << 54)) ^
        __builtin_bswap64(upper);
    const Uint128 mixed = static_cast<Uint128>(lower) * kPrime2;
    return {Mix(static_cast<uint64_t>(mixed >> 64) + upper * kPrime2),
            Mix(static_cast<uint64_t>(mixed))};
  }

  uint64_t flip_;      // of inputs of 4 to 8 bytes
  uint64_t flip_low_;  // of inputs of 9 to 16 bytes
  uint64_t flip_high_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_HASH_SHORT_XXH3_H_
