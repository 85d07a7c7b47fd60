// RunCoder: an arithmetic code of 64 letters in 56 bits, for letters that are
// nearly all 0.
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
// Model is a class with
//   const ZeroRuns& zero_runs() const;
//   // The part of [0, range) that belongs to a letter > 0, given that it is.
//   Interval Narrow(uint64_t range, uint32_t letter) const;
//   // The letter > 0 whose part contains `offset`, or is nearest below, with
//   // that part.
//   LetterPart Locate(uint64_t range, uint64_t offset) const;
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

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

inline constexpr int kGroupSlots = 64;  // letters that share a code word
inline constexpr int kCodeBits = 56;
inline constexpr int kRangeBits = 63;
inline constexpr int kSpareBits = kRangeBits - kCodeBits;

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

struct Interval {
  uint64_t begin;
  uint64_t size;
};

// A letter > 0, and its part of a range.
struct LetterPart {
  uint32_t letter;
  Interval part;
};

// A probability as a fraction of 2^63.
constexpr uint64_t Fraction(double probability) {
  return static_cast<uint64_t>(probability * 0x1.0p63);
}
// Returns the share `fraction` of `range`, rounded down.
constexpr uint64_t Share(uint64_t range, uint64_t fraction) {
  return static_cast<uint64_t>((static_cast<Uint128>(range) * fraction) >>
                               kRangeBits);
}

// at(z) is the probability of z zeros in a row.
class ZeroRuns {
 public:
  explicit ZeroRuns(double zero_probability)
      : zeros_per_unit_(
            static_cast<float>(-0x1.0p-23 / std::log2(zero_probability))) {
    double power = 1;
    for (uint64_t& run : runs_) {
      run = Fraction(power);
      power *= zero_probability;
    }
  }
  uint64_t at(int zeros) const { return runs_[static_cast<size_t>(zeros)]; }
  // So many zeros come before the letter whose interval contains `offset`; with
  // one more or without, the interval would end at `below` or `above`.
  struct Run {
    int zeros;
    uint64_t above;  // Share(range, at(zeros)), > offset
    uint64_t below;  // Share(range, at(zeros + 1)), <= offset
  };
  // Their number is near log(offset / range) / log(p0).  The bits of a float,
  // read as an integer, are its logarithm but for 0.09, in units of 2^-23; half
  // a zero less than that is the answer or one too few, as a rule, and which of
  // the two is found without a branch.
  // REQUIRES: Share(range, at(max + 1)) <= offset < range
  Run Locate(uint64_t range, uint64_t offset, int max) const {
    const float guess =
        static_cast<float>(FloatBits(range) - FloatBits(offset)) *
            zeros_per_unit_ -
        0.5F;
    int zeros =
        static_cast<int>(std::clamp(guess, 0.0F, static_cast<float>(max)));
    const uint64_t first = Share(range, at(zeros));
    const uint64_t second = Share(range, at(zeros + 1));
    const uint64_t third = Share(range, at(zeros + 2));
    const bool one_more = offset < second;
    Run run = {zeros + (one_more ? 1 : 0), one_more ? second : first,
               one_more ? third : second};
    while (offset < run.below)
      [[unlikely]] run = {run.zeros + 1, run.below,
                          Share(range, at(run.zeros + 2))};
    while (offset >= run.above)
      [[unlikely]] run = {run.zeros - 1, Share(range, at(run.zeros - 1)),
                          run.above};
    return run;
  }

 private:
  // Of half the number, which a signed conversion takes: one instruction.
  static int32_t FloatBits(uint64_t number) {
    return std::bit_cast<int32_t>(
        static_cast<float>(static_cast<int64_t>(number / 2)));
  }

  float zeros_per_unit_;
  std::array<uint64_t, kGroupSlots + 2> runs_{};
};

template <typename Model>
class RunCoder {
 public:
  explicit RunCoder(const Model& model) : model_(model) {}

  const Model& model() const { return model_; }

  // Returns the code word, or nothing if it would need more than 56 bits.
  std::optional<uint64_t> Encode(const GroupLetters& letters) const {
    const Interval interval = IntervalOf(letters);
    if (interval.size == 0) return std::nullopt;
    const uint64_t code = (interval.begin + LowBits(kSpareBits)) >> kSpareBits;
    if ((code << kSpareBits) - interval.begin >= interval.size) {
      return std::nullopt;
    }
    return code;
  }

  GroupLetters Decode(uint64_t code) const {
    GroupLetters letters;
    if (code == 0) return letters;
    Reader reader(*this, code);
    while (reader.Next(kGroupSlots)) letters.Set(reader.place, reader.letter);
    return letters;
  }

  // Returns the letter at `index` alone, without those behind it.
  uint32_t DecodeAt(uint64_t code, int index) const {
    if (code == 0) return 0;
    Reader reader(*this, code);
    while (reader.Next(index + 1)) {
      if (reader.place == index) return reader.letter;
    }
    return 0;
  }

  // Returns how many numbers the message's interval has: its length in bits
  // is 63 - log2 of it.  0 if it does not fit by far.
  uint64_t IntervalSize(const GroupLetters& letters) const {
    return IntervalOf(letters).size;
  }
  // Returns the sum of -log2 p over the letters, by the model.
  double ModelBits(const GroupLetters& letters) const {
    double bits = 0;
    for (int i = 0; i < kGroupSlots; ++i) bits += model_.Bits(letters.at(i));
    return bits;
  }

 private:
  // Walks from one letter > 0 to the next.
  struct Reader {
    Reader(const RunCoder& coder, uint64_t code)
        : model(coder.model_), offset(code << kSpareBits) {}

    // Goes to the next letter > 0 before `limit`; false if there is none.
    bool Next(int limit) {
      const ZeroRuns& runs = model.zero_runs();
      const int max = limit - next;
      const bool only_zeros = max == 0 || offset < Share(range, runs.at(max));
      if (only_zeros || offset >= range) return false;
      const ZeroRuns::Run run = runs.Locate(range, offset, max - 1);
      const auto found =
          model.Locate(run.above - run.below, offset - run.below);
      letter = found.letter;
      offset -= run.below + found.part.begin;
      range = found.part.size;
      place = next + run.zeros;
      next = place + 1;
      return true;
    }

    const Model& model;
    uint64_t offset;  // of the code word in the interval so far
    uint64_t range = uint64_t{1} << kRangeBits;
    int next = 0;
    int place = 0;
    uint32_t letter = 0;
  };

  Interval IntervalOf(const GroupLetters& letters) const {
    const ZeroRuns& runs = model_.zero_runs();
    Interval now{0, uint64_t{1} << kRangeBits};
    int next = 0;
    for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      const uint64_t above = Share(now.size, runs.at(place - next));
      const uint64_t below = Share(now.size, runs.at(place - next + 1));
      const Interval part = model_.Narrow(
          above - below, letters.values[static_cast<size_t>(place)]);
      now = {now.begin + below + part.begin, part.size};
      next = place + 1;
    }
    now.size = Share(now.size, runs.at(kGroupSlots - next));
    return now;
  }

  Model model_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_RUN_CODER_H_
