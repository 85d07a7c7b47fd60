// ExtensionModel: the extensions of exAF as letters, and how probable they are.
//
// An extension is a string of bits whose length matters ("0" is not "00").  Its
// letter is its place in the list by length, then value:
//
//   letter     0    1    2    3    4    5    6    7     8    ...
//   extension  ''   0    1    00   01   10   11   000   001
//
// so that letter + 1, in binary, is a 1 followed by the extension.
//
// The shortest prefix that tells two random strings apart has length l with
// probability 2^-l, and its bits are uniform, so given that an extension is not
// empty its letter has probability 2^-l * 2^-l.  P(empty) = 0.9 makes room for
// about seven extensions per 56-bit word, which is the number at which word
// and model agree: 7 of 64 slots.
//
// Paper: telescoping filter, appendix C.4.

#ifndef TAMIS_INTERNAL_CODES_EXTENSION_MODEL_H_
#define TAMIS_INTERNAL_CODES_EXTENSION_MODEL_H_

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "tamis/internal/codes/run_coder.h"

namespace tamis::internal {

inline constexpr int kMaxExtensionBits = 20;  // longer ones never fit a word

struct Extension {
  int length;
  uint64_t bits;  // the first of them the top one

  static constexpr Extension OfLetter(uint32_t letter) {
    const int length = static_cast<int>(std::bit_width(letter + 1)) - 1;
    return {length, letter + 1 - (uint32_t{1} << length)};
  }
  constexpr uint32_t letter() const {
    return (uint32_t{1} << length) - 1 + static_cast<uint32_t>(bits);
  }
  friend bool operator==(const Extension&, const Extension&) = default;
};
static_assert(Extension::OfLetter(4) == Extension{2, 1}, "4 stands for 01");
static_assert(Extension{3, 0}.letter() == 7, "000 is the first of length 3");

class ExtensionModel {
 public:
  static constexpr double kEmpty = 0.9;

  const ZeroRuns& zero_runs() const { return zero_runs_; }
  // Lengths below l have the share 1 - 2^-(l-1); each of the 2^l extensions of
  // length l has 2^-2l.
  template <typename Number>
  Interval<Number> Narrow(Number range, uint32_t letter) const {
    const Extension extension = Extension::OfLetter(letter);
    assert(extension.length >= 1 && extension.length <= kMaxExtensionBits);
    const Number each = range >> (2 * extension.length);
    return {range - (range >> (extension.length - 1)) + extension.bits * each,
            each};
  }
  template <typename Number>
  LetterPart<Number> Locate(Number range, Number offset) const {
    const uint32_t letter = Find(range, offset);
    return {letter, Narrow(range, letter)};
  }
  double Bits(uint32_t letter) const {
    const Extension extension = Extension::OfLetter(letter);
    if (extension.length == 0) return -std::log2(kEmpty);
    return 2 * extension.length - std::log2(1 - kEmpty);
  }

 private:
  // The length is the least l with range / 2^l < range - offset: the number of
  // halvings that the leading zeros of both say, or one more.
  template <typename Number>
  static uint32_t Find(Number range, Number offset) {
    const Number left = range - offset;
    const int halvings = LeadingZeros(left) - LeadingZeros(range);
    constexpr int kMostHalvings = 8 * static_cast<int>(sizeof(Number)) - 1;
    const int more = range >> (halvings & kMostHalvings) >= left ? 1 : 0;
    const int length = std::clamp(halvings + more, 1, kMaxExtensionBits);
    const Number each = range >> (2 * length);
    if (each == 0) [[unlikely]]
      return Extension{length, 0}.letter();
    const Number inside = offset - (range - (range >> (length - 1)));
    const Number last = (Number{1} << length) - 1;
    const auto bits = static_cast<uint64_t>(std::min(inside / each, last));
    return Extension{length, bits}.letter();
  }

  ZeroRuns zero_runs_{kEmpty};
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_EXTENSION_MODEL_H_
