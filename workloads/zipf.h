// Zipf: rank k of a universe of n has probability proportional to k^-s.
//
// Sampled by rejection-inversion, without a table, so a universe of 2^52 costs
// as much as one of ten.  The steps of the histogram k^-s are drawn over the
// curve h(x) = x^-s, whose integral H has a closed inverse:
//
//   k^-s  |#            1. draw u uniformly from (H(1.5) - 1, H(n + 0.5)]
//         |##           2. x = inverse of H at u, k = x rounded
//         |####         3. accept k if u >= H(k + 0.5) - h(k): the slice of
//         |########        the area at k that is as large as its bar
//         +--------> k
//
// Every k gets an interval of u of length exactly h(k), so accepted ranks are
// exactly Zipf.
//
// Keys are the ranks 1..n themselves, or, by default, their images under a
// bijection of the 64-bit numbers, so that popular keys are not neighbours.
//
// Paper: Hormann and Derflinger, "Rejection-inversion to generate variates from
// monotone discrete distributions", TOMACS 1996.
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_ZIPF_H_
#define TAMIS_WORKLOADS_ZIPF_H_

#include <cstdint>

#include "workloads/random.h"

namespace tamis::workloads {

// Returns the sum of k^-s for k = 1..n, which is the reciprocal of the share
// of rank 1.  Exact to 1e-10 of its value.
double ZipfNorm(uint64_t n, double s);

class ZipfStream {
 public:
  struct Options {
    uint64_t seed = 1;
    double exponent = 1;            // s
    uint64_t universe = 1'000'000;  // n
    bool scramble = true;           // keys are DistinctKey(seed, rank)
  };
  static constexpr uint64_t kMaxUniverse = uint64_t{1} << 52;
  static constexpr double kMaxExponent = 16;

  // REQUIRES: 0 <= exponent <= kMaxExponent, 1 <= universe <= kMaxUniverse
  explicit ZipfStream(const Options& options);

  // Returns the next rank, 1 the most frequent.
  uint64_t NextRank();
  // Returns the next key: KeyOf(NextRank()).
  uint64_t Next() { return KeyOf(NextRank()); }
  uint64_t KeyOf(uint64_t rank) const {
    return options_.scramble ? DistinctKey(options_.seed, rank) : rank;
  }
  // Returns the probability of `rank` by the definition.
  double Probability(uint64_t rank) const;

 private:
  double Area(double x) const;         // H
  double InverseArea(double u) const;  // its inverse
  double Height(double x) const;       // h

  Options options_;
  Random random_;
  double area_low_;
  double area_high_;
};

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_ZIPF_H_
