#include "workloads/zipf.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tamis::workloads {
namespace {

// Returns (e^x - 1) / x and ln(1 + x) / x, with their limit 1 at x = 0: they
// make one formula serve s = 1, where H is a logarithm, and its neighbours,
// where the plain quotient would cancel.
double Expm1Over(double x) {
  return std::abs(x) < 1e-8 ? 1 + x / 2 : std::expm1(x) / x;
}
double Log1pOver(double x) {
  return std::abs(x) < 1e-8 ? 1 - x / 2 : std::log1p(x) / x;
}

}  // namespace

double ZipfNorm(uint64_t n, double s) {
  // The first terms one by one, the rest by the Euler-Maclaurin formula.
  constexpr uint64_t kExact = 1'000;
  double sum = 0;
  for (uint64_t k = std::min(n, kExact); k > 0; --k) {
    sum += std::pow(static_cast<double>(k), -s);
  }
  if (n <= kExact) return sum;
  const double a = kExact;
  const auto b = static_cast<double>(n);
  const double log_ratio = std::log(b / a);
  const double integral =
      std::pow(a, 1 - s) * log_ratio * Expm1Over((1 - s) * log_ratio);
  const double edges = (std::pow(b, -s) - std::pow(a, -s)) / 2;
  const double slopes = s / 12 * (std::pow(a, -s - 1) - std::pow(b, -s - 1));
  return sum + integral + edges + slopes;
}

ZipfStream::ZipfStream(const Options& options)
    : options_(options), random_(options.seed) {
  assert(options.exponent >= 0 && options.exponent <= kMaxExponent);
  assert(options.universe >= 1 && options.universe <= kMaxUniverse);
  area_low_ = Area(1.5) - 1;
  area_high_ = Area(static_cast<double>(options.universe) + 0.5);
}

// H(x) = (x^(1-s) - 1) / (1 - s), or ln x where s is 1.
double ZipfStream::Area(double x) const {
  const double log_x = std::log(x);
  return log_x * Expm1Over((1 - options_.exponent) * log_x);
}

double ZipfStream::InverseArea(double u) const {
  const double t = std::max(-1.0, u * (1 - options_.exponent));
  return std::exp(u * Log1pOver(t));
}

double ZipfStream::Height(double x) const {
  return std::exp(-options_.exponent * std::log(x));
}

uint64_t ZipfStream::NextRank() {
  const auto universe = static_cast<double>(options_.universe);
  for (;;) {
    const double u = area_high_ + random_.Unit() * (area_low_ - area_high_);
    const double rank =
        std::clamp(std::floor(InverseArea(u) + 0.5), 1.0, universe);
    if (u >= Area(rank + 0.5) - Height(rank)) {
      return static_cast<uint64_t>(rank);
    }
  }
}

double ZipfStream::Probability(uint64_t rank) const {
  return Height(static_cast<double>(rank)) /
         ZipfNorm(options_.universe, options_.exponent);
}

}  // namespace tamis::workloads
