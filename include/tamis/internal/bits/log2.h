// ApproximateLog2: a logarithm by a small table, where the next digits are not
// needed: to guess, with something exact behind it that judges the guess.
//
//   number   0 0 0 1 m m m m m m m m ? ? ? ...     m: 8 bits, the table's index
//            \___/ leading zeros: the integer part

#ifndef TAMIS_INTERNAL_BITS_LOG2_H_
#define TAMIS_INTERNAL_BITS_LOG2_H_

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace tamis::internal {

inline constexpr int kLog2FractionBits = 16;

// Returns the fraction of log2 of 1 + (index + 1/2) / 256, by squaring: each
// time the square reaches 2 the next bit is a 1.
constexpr uint16_t Log2OfMantissa(unsigned index) {
  uint64_t number = (uint64_t{2 * index + 1} << 22) + (uint64_t{1} << 31);
  unsigned fraction = 0;
  for (int bit = 0; bit < kLog2FractionBits; ++bit) {
    number = number * number >> 31;
    const bool is_two = number >> 32 != 0;
    fraction = 2 * fraction + (is_two ? 1 : 0);
    if (is_two) number /= 2;
  }
  return static_cast<uint16_t>(fraction);
}
inline constexpr auto kLog2OfMantissa = [] {
  std::array<uint16_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) table[i] = Log2OfMantissa(i);
  return table;
}();

// Returns log2 of `number` times 2^16, with an error of at most 2^-8 in the
// logarithm; never less for a greater number.
// REQUIRES: number > 0
constexpr uint32_t ApproximateLog2(uint64_t number) {
  assert(number > 0);
  const auto zeros = static_cast<unsigned>(std::countl_zero(number));
  const uint64_t mantissa = number << zeros << 1 >> 56;
  return ((63 - zeros) << kLog2FractionBits) +
         kLog2OfMantissa[static_cast<size_t>(mantissa)];
}
static_assert(ApproximateLog2(1) < 1 << 8);
static_assert(ApproximateLog2(~uint64_t{0}) >> kLog2FractionBits == 63);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_LOG2_H_
