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
//   // Optional, may be null: sure_letters.h.
//   const SureLetters* sure_letters() const;
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
#include "tamis/internal/codes/sure_letters.h"
#include "tamis/internal/codes/zero_runs.h"

namespace tamis::internal {

inline constexpr int kCodeBits = 56;  // of a word, if nothing else is said
inline constexpr int kMinCodeBits = 8;
inline constexpr int kMaxCodeBits = 128;

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
  // What serves words of kCodeBits bits; null for others.
  const SureLetters* sure_letters() const {
    if constexpr (requires { model_.sure_letters(); }) {
      return !is_wide_ && spare_bits_ == kRangeBits<uint64_t> - kCodeBits
                 ? model_.sure_letters()
                 : nullptr;
    }
    return nullptr;
  }

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
  // The same of words of at most kCodeBits bits, for look-ups of members, which
  // wait for it: first by what is easily seen, then exactly.
  uint32_t DecodeShortAt(uint64_t code, int index) const {
    assert(!is_wide_);
    if (sure_letters() != nullptr) {
      const uint32_t letter = sure_letters()->Read(code << spare_bits_, index);
      if (letter != SureLetters::kOpen) [[likely]]
        return letter;
    }
    return DecodeExactlyAt(code, index);
  }
  // How many letters come before is what a processor can't predict: so the first
  // is always read, as if there were one.
  uint32_t DecodeExactlyAt(uint64_t code, int index) const {
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
