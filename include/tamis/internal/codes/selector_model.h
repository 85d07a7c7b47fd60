// SelectorModel: how probable each selector is, for the arithmetic code.
//
// A selector counts how often a member's remainder was changed.  After c
// unique queries per member it is near a Poisson variable of mean c * 2^-r
// (telescoping filter, Lemma 2 and Corollary 3), so 0 is frequent, 1 less so,
// and the rest hardly matters.  Two ways to approximate that:
//
//   tuned   the table of the paper's appendix C.2, P(0) = 0.78: made for the
//           distribution at which 64 selectors just fill 56 bits, which is the
//           same for every r, because c grows with 2^r.
//   (x, y)  appendix C.3: P(0) = 1 - 2^-x, and P(i) falls by 2^-y a step.
//           For workloads whose c is known, and for words of other lengths;
//           ChooseXy finds the best pair.
//
// Selectors are 0 to 7.

#ifndef TAMIS_INTERNAL_CODES_SELECTOR_MODEL_H_
#define TAMIS_INTERNAL_CODES_SELECTOR_MODEL_H_

#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include "tamis/internal/codes/run_coder.h"
#include "tamis/internal/codes/sure_letters.h"

namespace tamis::internal {

inline constexpr int kNumSelectors = 8;
inline constexpr uint32_t kMaxSelector = kNumSelectors - 1;

using SelectorProbabilities = std::array<double, kNumSelectors>;

class SelectorModel {
 public:
  // Approximates `probabilities`, which need not add up to 1.
  // REQUIRES: 0 < each
  explicit SelectorModel(const SelectorProbabilities& probabilities);
  static SelectorModel Tuned();
  static SelectorModel Xy(int x, int y);

  const ZeroRuns& zero_runs() const { return zero_runs_; }
  // For look-ups; null but for the tuned model, whose tables all filters share.
  const SureLetters* sure_letters() const { return sure_letters_; }
  template <typename Number>
  Interval<Number> Narrow(Number range, uint32_t selector) const {
    assert(selector >= 1 && selector <= kMaxSelector);
    const Number begin = Share(range, starts_[selector - 1]);
    return {begin, Share(range, starts_[selector]) - begin};
  }
  template <typename Number>
  LetterPart<Number> Locate(Number range, Number offset) const {
    uint32_t selector = 1;
    Number begin = 0;
    Number limit = Share(range, starts_[1]);
    while (selector < kMaxSelector && offset >= limit) {
      begin = std::exchange(limit, Share(range, starts_[++selector]));
    }
    return {selector, {begin, limit - begin}};
  }
  double Bits(uint32_t selector) const { return bits_[selector]; }

 private:
  SelectorProbabilities bits_;
  ZeroRuns zero_runs_;
  const SureLetters* sure_letters_ = nullptr;
  // Selector s > 0 has the share [starts_[s - 1], starts_[s]) of those > 0.
  std::array<uint64_t, kNumSelectors> starts_;
};

// Returns the distribution that `Xy` stands for.
SelectorProbabilities XyProbabilities(int x, int y);

// Returns how selectors are distributed after `c` unique queries per member at
// remainders of r bits: a Poisson number of first collisions of mean c 2^-r,
// each followed by another with probability 2^-r.  The last entry is the rest.
SelectorProbabilities ExpectedSelectors(double c, int remainder_bits);

// Returns the upper bound of Corollary 3 on P(selector == k).
// REQUIRES: k >= 1
double Corollary3Bound(int k, double c, int remainder_bits);

// Entropy in bits per selector, and the cost of coding selectors distributed
// as `truth` with a code made for `model`.
double Entropy(const SelectorProbabilities& truth);
double CrossEntropy(const SelectorProbabilities& truth,
                    const SelectorProbabilities& model);

// The pair with the least cross entropy for c unique queries per member, among
// those with which 64 zeros do not fill a word.  What is not 0 in `given` is
// taken as it is.
struct Xy {
  int x;
  int y;
};
inline constexpr int kMaxX = 24;
inline constexpr int kMaxY = 7;
Xy ChooseXy(int remainder_bits, double c, int code_bits = kCodeBits,
            Xy given = {0, 0});

// Returns the c at which 64 selectors of remainders of r bits have an entropy
// of `code_bits`: as many as a code word holds on average.
double FullCodeQueries(int remainder_bits, int code_bits = kCodeBits);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_CODES_SELECTOR_MODEL_H_
