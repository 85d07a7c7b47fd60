// RunCoder: an arithmetic code of 64 letters in a word of 56 bits (or of 8 to
// 128), for letters that are nearly all 0.
//
// A letter is a small number (a selector, or the place of an extension in a
// list); 0 means "nothing".  An arithmetic code gives a message an interval of
// numbers whose length is the product of its letters' probabilities, and writes
// down the shortest number in it.  Taken letter by letter, 64 steps, most of
// them for zeros.  This coder takes a whole run of zeros in one step, because
// the interval of "z zeros follow" has a length known beforehand, p0^z:
//
//   [0 ............................................................ range)
//   |<-- p0^3 -->|                                          000...
//   |<------ p0^2 ------>|                                  00....
//   |            |<----->|   zeros 2, then a letter > 0     00x
//                |1|2|.. |   which letter: by the model     001, 002, ...
//
// It is the same code (the same model, hence the same length) as the one that
// goes letter by letter, but its cost is one step per letter that is not 0, and
// "is letter i a 0?" is one multiplication after the last one before i.
//
// Numbers.  Intervals are of 63-bit integers, probabilities are fractions of
// 2^63, and a code word is the multiple of 2^7 that lies in the message's
// interval:
//
//   bit  63  62 ..................................... 7   6 ... 0
//        [0 ][              code word, 56 bits          ][   0   ]
//
//   (C1) The message of zeros alone, and no other, has code word 0.
//   (C2) An interval of 2^7 or more numbers contains a multiple of 2^7: every
//        message whose letters have a sum of -log2 p of at most 55 fits.
//   (C3) Decode(Encode(message)) == message for all that fit.  Decode accepts
//        any code word; one that no message has gives some message.
//
// Words of up to 56 bits are coded so, with more spare bits where they are
// shorter.  Longer ones have intervals of 127-bit integers, by the same steps;
// of a word of 128 bits one is not used.
//
// Model is a class with
//   const ZeroRuns& zero_runs() const;
//   // The part of [0, range) that belongs to a letter > 0, given that it is.
//   // Number is uint64_t or Uint128.
//   Interval<Number> Narrow(Number range, uint32_t letter) const;
//   // The letter > 0 whose part contains `offset`, or is nearest below, with
//   // that part.
//   LetterPart<Number> Locate(Number range, Number offset) const;
//   // -log2 of the probability of a letter.
//   double Bits(uint32_t letter) const;
//
// Paper: telescoping filter, appendix C; the steps over runs are ours.

#ifndef TAMIS_INTERNAL_CODES_RUN_CODER_H_
#define TAMIS_INTERNAL_CODES_RUN_CODER_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>

#include "tamis/internal/bits/log2.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr int kGroupSlots = 64;  // letters that share a code word
inline constexpr int kCodeBits = 56;    // of a word, if nothing else is said
inline constexpr int kMinCodeBits = 8;
inline constexpr int kMaxCodeBits = 128;
inline constexpr int kFractionBits = 63;
// Numbers are below 2^63, or 2^127.
template <typename Number>
inline constexpr int kRangeBits = 8 * static_cast<int>(sizeof(Number)) - 1;
template <typename Number>
inline constexpr Number kWholeRange = Number{1} << kRangeBits<Number>;

using CodeWord = Uint128;  // of any length

// 64 letters, of which those not 0 are named by a mask; the values of the
// others are not read.
struct GroupLetters {
  uint64_t nonzero = 0;
  std::array<uint32_t, kGroupSlots> values{};

  uint32_t at(int index) const {
    return ((nonzero >> index) & 1) != 0 ? values[static_cast<size_t>(index)]
                                         : 0;
  }
  void Set(int index, uint32_t letter) {
    const uint64_t bit = uint64_t{1} << index;
    nonzero = letter == 0 ? nonzero & ~bit : nonzero | bit;
    values[static_cast<size_t>(index)] = letter;
  }
  friend bool operator==(const GroupLetters& a, const GroupLetters& b) {
    for (int i = 0; i < kGroupSlots; ++i) {
      if (a.at(i) != b.at(i)) return false;
    }
    return true;
  }
};

template <typename Number>
struct Interval {
  Number begin;
  Number size;
};

// A letter > 0, and its part of a range.
template <typename Number>
struct LetterPart {
  uint32_t letter;
  Interval<Number> part;
};

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

template <typename Model>
class RunCoder {
 public:
  // REQUIRES: kMinCodeBits <= code_bits <= kMaxCodeBits
  explicit RunCoder(const Model& model, int code_bits = kCodeBits)
      : model_(model),
        is_wide_(code_bits > kCodeBits),
        spare_bits_(std::max(RangeBits() - code_bits, 0)) {
    assert(code_bits >= kMinCodeBits && code_bits <= kMaxCodeBits);
  }

  const Model& model() const { return model_; }

  // Returns the code word, or nothing if it would need more bits.
  std::optional<CodeWord> Encode(const GroupLetters& letters) const {
    return is_wide_ ? EncodeAs<Uint128>(letters) : EncodeAs<uint64_t>(letters);
  }

  GroupLetters Decode(CodeWord code) const {
    return is_wide_ ? DecodeAs<Uint128>(code)
                    : DecodeAs(static_cast<uint64_t>(code));
  }

  // Returns the letter at `index` alone, without those behind it.
  uint32_t DecodeAt(CodeWord code, int index) const {
    return is_wide_ ? DecodeWideAt(code, index)
                    : DecodeShortAt(static_cast<uint64_t>(code), index);
  }
  // The same of words of at most kCodeBits bits.  Look-ups of members wait for
  // it, and how many letters come before is what a processor can't predict: so
  // the first is always read, as if there were one.
  uint32_t DecodeShortAt(uint64_t code, int index) const {
    assert(!is_wide_);
    const ZeroRuns& runs = model_.zero_runs();
    Reader<uint64_t> reader(*this, code);
    const auto run = runs.LocateFirst(reader.offset);
    const bool is_below = reader.offset < run.below;
    const bool is_wrong =
        (reader.offset >= run.above) | (is_below & (run.zeros < kGroupSlots));
    if (!is_wrong) [[likely]] {
      reader.Take(run, Choose(is_below, run.below, reader.offset));
      const uint64_t found = Choose(reader.place == index, reader.letter, 0);
      if (!reader.HasMoreUpTo(index)) return static_cast<uint32_t>(found);
    }
    return reader.ReadTo(index);
  }

  // Returns the length of the message's code in bits, as a fraction: by how
  // much its interval is smaller than all; infinite if it does not fit by far.
  double BitsUsed(const GroupLetters& letters) const {
    const double size =
        is_wide_ ? static_cast<double>(IntervalOf<Uint128>(letters).size)
                 : static_cast<double>(IntervalOf<uint64_t>(letters).size);
    return RangeBits() - std::log2(size);
  }
  // Returns the sum of -log2 p over the letters, by the model.
  double ModelBits(const GroupLetters& letters) const {
    double bits = 0;
    for (int i = 0; i < kGroupSlots; ++i) bits += model_.Bits(letters.at(i));
    return bits;
  }

 private:
  // Walks from one letter > 0 to the next.
  template <typename Number>
  struct Reader {
    Reader(const RunCoder& coder, Number code)
        : model(coder.model_), offset(code << coder.spare_bits_) {}

    // Goes to the next letter > 0 before `limit`; false if there is none.
    bool Next(int limit) {
      const ZeroRuns& runs = model.zero_runs();
      const int max = limit - next;
      const bool only_zeros = max == 0 || offset < runs.Of(range, max);
      if (only_zeros || offset >= range) return false;
      Take(runs.Locate(range, offset, max - 1), offset);
      return true;
    }
    // Goes to the letter > 0 after these zeros.  REQUIRES: run.below <= within
    void Take(const ZeroRuns::Run<Number>& run, Number within) {
      const LetterPart<Number> found = model.template Locate<Number>(
          run.above - run.below, within - run.below);
      letter = found.letter;
      offset = within - run.below - found.part.begin;
      range = found.part.size;
      place = next + run.zeros;
      next = place + 1;
    }
    // Is there a letter > 0 in [next, index]?
    bool HasMoreUpTo(int index) const {
      const auto left = static_cast<int>(
          Choose(place < index, static_cast<uint64_t>(index - place), 0));
      return (left != 0) & (offset >= model.zero_runs().Of(range, left));
    }
    // Returns the letter at `index`, which is not before `next`.
    uint32_t ReadTo(int index) {
      while (Next(index + 1)) {
        if (place == index) return letter;
      }
      return 0;
    }

    const Model& model;
    Number offset;  // of the code word in the interval so far
    Number range = kWholeRange<Number>;
    int next = 0;
    int place = -1;
    uint32_t letter = 0;
  };

  int RangeBits() const {
    return is_wide_ ? kRangeBits<Uint128> : kRangeBits<uint64_t>;
  }

  template <typename Number>
  std::optional<CodeWord> EncodeAs(const GroupLetters& letters) const {
    const Interval<Number> interval = IntervalOf<Number>(letters);
    if (interval.size == 0) return std::nullopt;
    const Number spare = (Number{1} << spare_bits_) - 1;
    const Number code = (interval.begin + spare) >> spare_bits_;
    if ((code << spare_bits_) - interval.begin >= interval.size) {
      return std::nullopt;
    }
    return code;
  }

  template <typename Number>
  GroupLetters DecodeAs(Number code) const {
    GroupLetters letters;
    if (code == 0) return letters;
    Reader<Number> reader(*this, code);
    while (reader.Next(kGroupSlots)) letters.Set(reader.place, reader.letter);
    return letters;
  }

  uint32_t DecodeWideAt(CodeWord code, int index) const {
    return code == 0 ? 0 : Reader<Uint128>(*this, code).ReadTo(index);
  }

  template <typename Number>
  Interval<Number> IntervalOf(const GroupLetters& letters) const {
    const ZeroRuns& runs = model_.zero_runs();
    Interval<Number> now{0, kWholeRange<Number>};
    int next = 0;
    for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      const Number above = runs.Of(now.size, place - next);
      const Number below = runs.Of(now.size, place - next + 1);
      const Interval<Number> part = model_.template Narrow<Number>(
          above - below, letters.values[static_cast<size_t>(place)]);
      now = {now.begin + below + part.begin, part.size};
      next = place + 1;
    }
    now.size = runs.Of(now.size, kGroupSlots - next);
    return now;
  }

  Model model_;
  bool is_wide_;
  int spare_bits_;  // of a number, behind the code word
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_RUN_CODER_H_
