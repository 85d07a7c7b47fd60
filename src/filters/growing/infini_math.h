// The formulas of the InfiniFilter paper, and of its baselines, as functions.
//
// F is the fingerprint length at the start, a the threshold (the load just
// before an expansion), X the number of expansions so far, N = 2^X the growth.
// Rates are for a random absent key just before expansion X + 1.
//
// The paper adds up expected matches; where rates are high that is more than
// the probability of at least one, which the functions named ...Fpr return:
// 1 - exp(-matches).
//
// Paper: Dayan, Bercea, Reviriego, Pagh: InfiniFilter (SIGMOD 2023), equations
// 2 to 10 and section 3.

#ifndef TAMIS_FILTERS_GROWING_INFINI_MATH_H_
#define TAMIS_FILTERS_GROWING_INFINI_MATH_H_

#include <cassert>
#include <cmath>
#include <cstdint>

#include "tamis/internal/filters/growing/generations.h"

namespace tamis {

struct InfiniMath {
  int first_bits;    // F
  double threshold;  // a

  // Equation 2: the share of entries that are `age` expansions old.  The
  // oldest generation is as large as the next; the paper gives it half.
  static double AgeShare(int age) { return std::ldexp(1.0, -age - 1); }
  static double ExactAgeShare(int age, int expansions) {
    assert(0 <= age && age <= expansions);
    return std::ldexp(1.0, age == expansions ? -age : -age - 1);
  }

  // Equation 3, for the basic filter, X <= F: expected matches.
  double BasicMatches(int expansions) const {
    return (expansions + 2) * std::ldexp(threshold, -first_bits - 1);
  }
  // Equation 4: bits per key of the authors' quotient filter, whose slots have
  // three bits beside counter and fingerprint.
  double PaperBitsPerKey() const { return (first_bits + 4) / threshold; }
  // Equation 5, for the chained filter, N = 2^X: expected matches.
  double ChainedMatches(double growth) const {
    return (std::log2(growth) + 2) * std::ldexp(threshold, -first_bits - 1);
  }
  double ChainedFpr(int expansions) const {
    return -std::expm1(-ChainedMatches(std::ldexp(1.0, expansions)));
  }

  // Equation 6: the fingerprint length of keys inserted in a generation of the
  // growing filter.
  int GrowingBits(int generation) const {
    return first_bits + internal::AddedBits(static_cast<uint64_t>(generation));
  }
  // Equation 7.
  double PaperGrowingBitsPerKey(double growth) const {
    return (4 + first_bits + std::ceil(2 * std::log2(std::log2(growth) + 1))) /
           threshold;
  }
  // Equation 8: the fingerprint length of generation `first` + `later`, in a
  // table that began at generation `first`, when that one is void.
  double GrowingLengthLeft(int first, int later) const {
    return GrowingBits(first + later) - (GrowingBits(first) - later);
  }
  // Equation 9: expected matches in that table; its bound, the sum of squares.
  double GrowingTableMatches(int first) const {
    double sum = 0;
    for (int i = 1; i <= GrowingBits(first) + 1; ++i) {
      sum += 1.0 / ((first + i) * static_cast<double>(first + i));
    }
    return std::ldexp(threshold, -first_bits - 1) * sum;
  }
  // Equation 10: expected matches in all tables; counts the oldest generation
  // at half its weight.
  double PaperGrowingMatches(int expansions) const {
    double sum = 0;
    for (int i = 1; i <= expansions + 1; ++i) {
      sum += 1.0 / (static_cast<double>(i) * i);
    }
    return std::ldexp(threshold, -first_bits - 1) * sum;
  }
  // What equation 10 bounds, with every generation at its weight and lengths
  // rounded up as equation 6 does.
  double GrowingMatches(int expansions) const {
    double sum = 1;
    for (int g = 1; g <= expansions; ++g) {
      sum += std::ldexp(0.5, first_bits - GrowingBits(g));
    }
    return std::ldexp(threshold, -first_bits) * sum;
  }
  double GrowingFpr(int expansions) const {
    return -std::expm1(-GrowingMatches(expansions));
  }

  // The number of tables: c = ceil((X + 1) / (F + 1)).
  int NumTables(int expansions) const {
    return (expansions + first_bits + 1) / (first_bits + 1);
  }

  // Section 3, the baselines.
  double SacrificeFpr(int expansions) const {
    return -std::expm1(-std::ldexp(threshold, expansions - first_bits));
  }
  double LinearChainFpr(double growth) const {
    return -std::expm1(-growth * std::ldexp(threshold, -first_bits));
  }
  double GeometricChainFpr(int expansions) const {
    return -std::expm1(-(expansions + 1) * std::ldexp(threshold, -first_bits));
  }
  double GrowingChainFpr(int expansions) const {
    double sum = 0;
    for (int i = 0; i <= expansions; ++i) {
      sum += std::ldexp(threshold, -GrowingBits(i));
    }
    return -std::expm1(-sum);
  }
};

}  // namespace tamis

#endif  // TAMIS_FILTERS_GROWING_INFINI_MATH_H_
