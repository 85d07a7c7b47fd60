#include "filters/cuckoo/cuckoo_math.h"

#include <cassert>
#include <cmath>

namespace tamis {
namespace {

// Returns P(X >= least) for X ~ Poisson(mean).
double PoissonAtLeast(double mean, int least) {
  double term = std::exp(-mean);
  double below = 0;
  for (int i = 0; i < least; ++i) {
    below += term;
    term *= mean / (i + 1);
  }
  return 1 - below;
}

}  // namespace

double CuckooMatchProbability(int f) {
  return std::ldexp(std::ldexp(1.0, f) + 2, -2 * f);
}

double CuckooExpectedOccupancy(uint64_t n, uint64_t bins_per_table) {
  return static_cast<double>(n) / static_cast<double>(bins_per_table);
}

double CuckooFpr(double load, int f, int k, int b) {
  return -std::expm1(k * b * std::log1p(-load * CuckooMatchProbability(f)));
}

double CuckooLoadThreshold(int k, int b) {
  assert(k >= 2 && b >= 1 && k + b > 3);
  // With x the solution of  k b = x Q(x, b) / Q(x, b + 1),  where Q(x, b) is
  // P(Poisson(x) >= b), the threshold is x / (k Q(x, b)^(k-1)) keys a bin.
  // The right side grows with x, from b + 1.
  double low = 1e-9, high = 10.0 * k * b;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    const double right = x * PoissonAtLeast(x, b) / PoissonAtLeast(x, b + 1);
    (right < k * b ? low : high) = x;
  }
  return low / (k * std::pow(PoissonAtLeast(low, b), k - 1)) / b;
}

double SupportOptimalBound(double eps, uint64_t distinct, uint64_t n) {
  const double q = static_cast<double>(distinct);
  return eps * q + eps * eps * q +
         std::pow(std::log2(static_cast<double>(n)), 4);
}

double UnfixableSearchSize(int f, int alternatives) {
  return std::ldexp(1.0, f * alternatives);
}

double MutuallyUnfixableSearchSize(int f, int k, uint64_t n,
                                   uint64_t bins_per_table) {
  return (1 + 1.0 / k) * static_cast<double>(bins_per_table) *
         std::ldexp(1.0, f) / std::pow(static_cast<double>(n), 1.0 / k);
}

}  // namespace tamis
