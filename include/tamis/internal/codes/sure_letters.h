// SureLetters: the letter at a place of a code word, by short steps, where it is
// certainly 0 or 1.
//
// Look-ups of members wait for this question, and its answer is nearly always 0.
// RunCoder's steps are exact, and a processor can't predict how many it takes.
// Here the offset in a range is kept as a fraction u of it, in units of 2^-63,
// and not exactly, so that a step over z zeros and a letter 1 is one
// multiplication:
//
//   0         P(z+1)              P(z)          1     u before the step
//   |...........|------1------|-2-|.............|     P(z): z zeros or more
//               0             1                       u behind it
//
//   u' = (u - P(z+1)) a        1 / a: letter 1's part of [P(z+1), P(z))
//
// z is guessed from the leading bits of u.  Where these leave it open, or the
// letter is not 1, u does not lie in the part that was guessed: a step need not
// ask beforehand, and two are made without a branch, whether there are letters
// or not.
//
// Why it is certain.  Let q be offset / R as the exact coder has them, W the
// product of the a's so far, each rounded up to a power of two, k the number of
// steps.  1 / R is at most W units, but for less than 1 %.
//
//   The coder rounds R P(z+1) down, so its next offset is R (q - P(z+1)) or up to
//   1 more; its next range R' is R / a, or up to 1 more, or up to 2 less.  So q'
//   is at most W' less than (q - P(z+1)) a, and at most 3 W' more.
//   u' is rounded down, by less than W' + 2.
//
//   (S1)  q - 4.5 k W  <=  u  <=  q + k W, where k W is a little above that.
//   (S2)  If v = u - (k + 1) W, P(z+1) <= v and v + kSlack <= P(z+1) + 1 / a, there
//         are z zeros and a 1, however z was found.
//   (S3)  If u + kSlack < P(n), the next n letters are 0.
//
// (The coder's part may be 3 / R shorter, so that (S2) needs (5.5 k + 4.1) W <=
// kSlack, and (S3) (4.5 k + 1.1) W.)  So W must stay small: CanServe says so of the
// steps of IsZero, and Read looks at it.
//
// Thread safety: immutable.

#ifndef TAMIS_INTERNAL_CODES_SURE_LETTERS_H_
#define TAMIS_INTERNAL_CODES_SURE_LETTERS_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/codes/zero_runs.h"

namespace tamis::internal {

class SureLetters {
 public:
  static constexpr uint32_t kOpen = ~uint32_t{0};

  // `first_share`: how much of the letters > 0 is for 1, as a fraction of 2^63.
  // REQUIRES: CanServe(runs, first_share)
  SureLetters(const ZeroRuns& runs, uint64_t first_share);
  static bool CanServe(const ZeroRuns& runs, uint64_t first_share);

  // Is the letter at `index` of the code with this offset 0, easily seen, and
  // with at most kSteps letters > 0 before it?  No branch.
  // REQUIRES: offset < 2^63, 0 <= index < kGroupSlots
  bool IsZero(uint64_t offset, int index) const {
    // Answers are in top bits: of a difference, whether it is below 0.
    uint32_t left = kMaxSkip + static_cast<uint32_t>(index) + 1;
    uint64_t u = offset;
    uint64_t factor = 1;
    uint64_t is_zero = u - runs_[left];
    uint64_t is_open = 0;
    for (unsigned k = 0; k < kSteps; ++k) {
      const Step& step = StepAt(u);
      const uint64_t part = u - step.begin;
      const uint64_t above = k == 0 ? part : part - (k + 1) * factor;
      is_open |= above | (step.size - above);
      u = Behind(step, part);
      factor <<= step.shift;
      left -= step.letters;
      is_zero |= (u - runs_[left]) & ~is_open;
    }
    return is_zero >> 63 != 0;
  }
  // Returns the letter, if it is 0 or 1 and easily seen to be; else kOpen.
  // REQUIRES: as above
  uint32_t Read(uint64_t offset, int index) const;

 private:
  static constexpr int kSteps = 2;     // of IsZero
  static constexpr int kMaxSteps = 8;  // of Read
  static constexpr uint64_t kSlack = uint64_t{1} << 34;
  static constexpr uint64_t kMaxFactor = uint64_t{1} << 28;  // of W in Read
  static constexpr uint32_t kMaxSkip = kSteps * kGroupSlots;
  static constexpr int kCellBits = 7;  // of u, behind its first 1

  struct Step {
    uint64_t begin;       // P(z+1)
    uint64_t size;        // 1 / a - kSlack
    uint64_t multiplier;  // a 2^(64 - shift), rounded down
    uint32_t shift;       // a <= 2^shift
    uint32_t letters;     // z + 1
  };

  const Step& StepAt(uint64_t u) const {
    const auto zeros = static_cast<unsigned>(std::countl_zero(u));
    const uint64_t leading = u << (zeros & 63) >> (63 - kCellBits);
    return steps_[zeros_[(size_t{zeros} << kCellBits) + leading]];
  }
  static uint64_t Behind(const Step& step, uint64_t part) {
    return MultiplyHigh(part << step.shift, step.multiplier);
  }

  // The guess, by the number of leading 0s and what is behind them, a 1 first.
  std::array<uint8_t, (64 + 1) << kCellBits> zeros_{};
  std::array<Step, kGroupSlots> steps_;
  // P(n) - kSlack at kMaxSkip + n; for n <= 0 what no u is below.
  std::array<uint64_t, kMaxSkip + kGroupSlots + 1> runs_{};
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_SURE_LETTERS_H_
