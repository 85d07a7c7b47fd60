// The mathematics of the Bloom family: false positive rates as functions.
//
// Each formula is one named function, used by the filters to report what rate
// to expect and by the tests to judge what was measured.  The numbers (2) to
// (10) are those of the ABF paper:
//
//   (2)       BloomFpr          a large array of bits; MeanBloomFpr, any array
//   (3)       WordFprs          one small word, exactly
//   (8)       BinomialPmf       how many keys fall on one word
//   (4)-(7)   AdaptiveWordFpr   one word of an adaptive filter, S sets
//   (9)-(10)  AdaptiveFpr       the whole adaptive filter
//
// Formula (3) as printed is an alternating double sum whose terms exceed its
// value by many orders of magnitude.  It is the same as the mean of (X/w)^k,
// where X is the number of bits that are set after k n throws at w bits, and
// the distribution of X follows throw by throw:
//
//   P(X = i after t + 1)  =  P(X = i) i/w  +  P(X = i-1) (w-i+1)/w
//
// Every term is positive, so nothing cancels, for any w and n.
//
// Thread safety: pure functions.
// Paper: Reviriego et al., Adaptive One Memory Access Bloom Filters.

#ifndef TAMIS_FILTERS_BLOOM_BLOOM_MATH_H_
#define TAMIS_FILTERS_BLOOM_BLOOM_MATH_H_

#include <cstdint>
#include <span>
#include <vector>

namespace tamis {

// (2): the rate of a classic Bloom filter of `bits` bits holding `keys` keys,
// k of whose bits each are set.  REQUIRES: bits > 0
double BloomFpr(double bits, double keys, int k);

// The same for filters of any size.  (2) is the k-th power of the mean share of
// set bits; but the share varies from filter to filter, and the mean of its
// k-th power is more: 2 % for 100 keys at 30 bits a key, 24 % for 10 keys.
// Exact to 0.5 % from 5 keys on, to 3 % from 2.  REQUIRES: bits >= 1
double MeanBloomFpr(double bits, double keys, int k);

// Returns the k that makes (2) least at `bits_per_key`, at least 1.
int BestBloomK(double bits_per_key);

// (3): the exact rate of one word of `word_bits` bits holding n keys, for all
// n in [0, max_keys].  Takes time word_bits * k * max_keys.
// REQUIRES: word_bits > 0, k > 0
std::vector<double> WordFprs(int word_bits, int k, int max_keys);

// The chances of the values first, first + 1, ...; those left out sum to less
// than 1e-12.
struct Pmf {
  uint64_t first = 0;
  std::vector<double> chances;

  uint64_t limit() const { return first + chances.size(); }
};

// (8), (9): successes in `tries` tries that succeed with chance `chance`.
// Computed outward from the most likely value, so it is accurate for any
// number of tries.  REQUIRES: 0 <= chance <= 1
Pmf BinomialPmf(uint64_t tries, double chance);

// The rate of a filter of words (Bloom-1, Bloom-j): each key sets k_of_word[i]
// bits in the i-th of its words, all of which are tested.  Words hold
// `word_bits` usable bits.  The words of a key are taken as independent.
// With `sets` > 1, the chance of being positive in that many independent sets
// of positions at once, all holding the same keys: what an adaptive filter
// neither fixes nor proves to be absent.
// REQUIRES: words > 0, word_bits > 0, all of k_of_word > 0, sets > 0
double WordBloomFpr(uint64_t words, int word_bits, uint64_t keys,
                    std::span<const int> k_of_word, int sets = 1);

// Returns the k <= max_k that makes the rate of a Bloom-1 filter least, for
// keys_per_word keys in a word on average.
int BestWordK(int word_bits, double keys_per_word, int max_k);

// (4)-(7), for any number of sets: the rate that one word of an adaptive
// filter shows when `negatives` absent keys are asked for equally often,
// `repeats` times each, and a random one of them is positive with chance
// `word_fpr` in each set.
//
// The word walks through its sets, one step for each `decimation` false
// positives.  With Z_i positive keys in set i it stays there for a / Z_i
// look-ups on average:
//
//   some Z_i = 0   it stops at the first of them, after i - 1 steps:
//                  rate d (i - 1) / (a t), the first case of the paper
//   all Z_i > 0    it goes round for ever: rate S / (a/Z_1 + ... + a/Z_S)
//
// The mean of the second over all Z is an S-fold sum.  With 1/y written as
// the integral of exp(-u y) it falls apart into one integral over u:
//   mean = S/a  *  integral of g(u)^S,  g(u) = sum over z of P(Z=z) e^(-u/z)
// REQUIRES: sets >= 1, repeats >= 1, decimation >= 1
double AdaptiveWordFpr(double word_fpr, uint64_t negatives, double repeats,
                       int sets, double decimation = 1);

struct AdaptiveModel {
  uint64_t words = 0;      // M
  int word_bits = 0;       // usable bits of a word: w - s
  uint64_t keys = 0;       // N
  uint64_t negatives = 0;  // A, distinct
  double repeats = 1;      // t, look-ups of each
  int k = 1;
  int sets = 2;  // S
  double decimation = 1;
};

// (10): the mean of AdaptiveWordFpr over the words, weighted by the share of
// the look-ups that each of them gets.
// REQUIRES: words, word_bits, negatives > 0
double AdaptiveFpr(const AdaptiveModel& model);

}  // namespace tamis

#endif  // TAMIS_FILTERS_BLOOM_BLOOM_MATH_H_
