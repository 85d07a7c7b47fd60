// ZeroRuns: how probable it is that a run of letters is all 0, as integers, and
// the other way round, how long a run an offset in a range stands for.
//
// Part of RunCoder: run_coder.h says what for.

#ifndef TAMIS_INTERNAL_CODES_ZERO_RUNS_H_
#define TAMIS_INTERNAL_CODES_ZERO_RUNS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/log2.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr int kGroupSlots = 64;  // letters that share a code word
inline constexpr int kFractionBits = 63;
// Numbers are below 2^63, or 2^127.
template <typename Number>
inline constexpr int kRangeBits = 8 * static_cast<int>(sizeof(Number)) - 1;
template <typename Number>
inline constexpr Number kWholeRange = Number{1} << kRangeBits<Number>;

// A probability as a fraction of 2^63.
constexpr uint64_t Fraction(double probability) {
  return static_cast<uint64_t>(probability * 0x1.0p63);
}
// Returns the share `fraction` of `range`, rounded down.
constexpr uint64_t Share(uint64_t range, uint64_t fraction) {
  const Uint128 product = static_cast<Uint128>(range) * fraction;
  // In words: to shift 128 bits takes a processor as long as to multiply.
  static_assert(kFractionBits == 63);
  return 2 * static_cast<uint64_t>(product >> 64) +
         (static_cast<uint64_t>(product) >> 63);
}
constexpr Uint128 Share(Uint128 range, uint64_t fraction) {
  const Uint128 high = range >> 64;
  const Uint128 low = static_cast<uint64_t>(range);
  return 2 * high * fraction + ((low * fraction) >> kFractionBits);
}

constexpr int LeadingZeros(uint64_t number) { return std::countl_zero(number); }
constexpr int LeadingZeros(Uint128 number) {
  const auto high = static_cast<uint64_t>(number >> 64);
  return high != 0 ? LeadingZeros(high)
                   : 64 + LeadingZeros(static_cast<uint64_t>(number));
}

// Returns a or b, without a branch, which a compiler may make of a ?.
constexpr uint64_t Choose(bool is_first, uint64_t a, uint64_t b) {
  return b ^ ((a ^ b) & (uint64_t{0} - uint64_t{is_first}));
}

// The probabilities of z zeros in a row, p0^z.
class ZeroRuns {
 public:
  explicit ZeroRuns(double zero_probability)
      : zeros_per_octave_(
            static_cast<uint64_t>(-kOctave / std::log2(zero_probability))) {
    double power = 1;
    runs_[0] = Fraction(power);
    for (size_t zeros = 0; zeros + 1 < runs_.size(); ++zeros) {
      runs_[zeros + 1] = Fraction(power);
      power *= zero_probability;
    }
  }
  // Returns the share of `range` that begins with so many zeros.
  uint64_t Of(uint64_t range, int zeros) const {
    return Share(range, at(zeros));
  }
  // In long words half of the probability may be for what is not 0: p0^64 is no
  // multiple of 2^-63 then, so long runs are taken in two steps.
  Uint128 Of(Uint128 range, int zeros) const {
    constexpr int kHalf = kGroupSlots / 2;
    return zeros <= kHalf ? Share(range, at(zeros))
                          : Share(Share(range, at(kHalf)), at(zeros - kHalf));
  }
  // So many zeros come before the letter whose interval contains `offset`; with
  // one more or without, the interval would end at `below` or `above`.
  template <typename Number>
  struct Run {
    int zeros;
    Number above;  // Of(range, zeros), > offset
    Number below;  // Of(range, zeros + 1), <= offset
  };
  // Their number is log(offset / range) / log(p0), rounded down.
  // REQUIRES: Of(range, max + 1) <= offset < range
  template <typename Number>
  Run<Number> Locate(Number range, Number offset, int max) const {
    const int zeros = std::clamp(GuessAtMost(range, offset), 0, max);
    Run<Number> run = {zeros, Of(range, zeros), Of(range, zeros + 1)};
    while (offset < run.below) {
      run = {run.zeros + 1, run.below, Of(range, run.zeros + 2)};
    }
    while (offset >= run.above) {
      run = {run.zeros - 1, Of(range, run.zeros - 1), run.above};
    }
    return run;
  }
  // The same of a range of 2^63, whose shares are the probabilities themselves,
  // without a branch.  Where p0 is so near 1 that the guess is not, `offset` is
  // not within [below, above); below it also where more than 64 zeros come.
  Run<uint64_t> LocateFirst(uint64_t offset) const {
    const int zeros = GuessAtMost(kWholeRange<uint64_t>, offset);
    const bool one_more = offset < at(zeros + 1);
    return {zeros + static_cast<int>(one_more),
            Choose(one_more, at(zeros + 1), at(zeros)),
            Choose(one_more, at(zeros + 2), at(zeros + 1))};
  }

 private:
  static constexpr double kOctave = 1 << kLog2FractionBits;
  static constexpr uint64_t kOneZero = uint64_t{1} << (2 * kLog2FractionBits);

  // REQUIRES: -1 <= zeros <= 65; less than none is as probable as none
  uint64_t at(int zeros) const { return runs_[static_cast<size_t>(zeros + 1)]; }
  // Returns the number of zeros or one less, if there is no rounding; at least
  // -1 and at most 63.
  int GuessAtMost(uint64_t range, uint64_t offset) const {
    const uint64_t octaves =
        uint64_t{ApproximateLog2(range | 1)} - ApproximateLog2(offset | 1);
    // Both logarithms may be off by 2^-8.
    const uint64_t one_more =
        (octaves * zeros_per_octave_ + kOneZero - 512 * zeros_per_octave_) >>
        (2 * kLog2FractionBits);
    return static_cast<int>(
               Choose(one_more < kGroupSlots, one_more, kGroupSlots)) -
           1;
  }
  // By the leading word of both.
  int GuessAtMost(Uint128 range, Uint128 offset) const {
    const int shift = std::max(0, 64 - LeadingZeros(range));
    return GuessAtMost(static_cast<uint64_t>(range >> shift),
                       static_cast<uint64_t>(offset >> shift));
  }

  uint64_t zeros_per_octave_;  // how many halve a probability, times 2^16
  std::array<uint64_t, kGroupSlots + 3> runs_{};
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_ZERO_RUNS_H_
