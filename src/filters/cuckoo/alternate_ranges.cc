#include "tamis/internal/filters/cuckoo/alternate_ranges.h"

#include <cmath>

namespace tamis::internal {
namespace {

constexpr double kSlotsPerBin = 4;
constexpr double kLoad = 0.95;      // what must be reached
constexpr double kFullest = 0.965;  // how full the fullest range may get
constexpr double kMayFail = 1e-6;   // probability that one gets fuller
// Shorter ranges have so few pairs of bins that sometimes nine keys share one
// pair: 6 of 1000 tables of 2^16 slots then ended below a load of 0.95 with a
// least length of 8, none with 64.
constexpr uint64_t kLeastLength = 64;

// Returns an upper bound (Chernoff's) of log P(X >= limit), X ~ Poisson(mean).
double LogTail(double mean, double limit) {
  return limit <= mean ? 0 : limit - mean - limit * std::log(limit / mean);
}

}  // namespace

VacuumRanges::VacuumRanges(uint64_t bins) : bins_(bins) {
  for (int i = 0; i < kLengths; ++i) {
    const double share = 1 - static_cast<double>(i) / kLengths;
    Range& kind = kinds_[i];
    kind.length = RangeLength(bins, share);
    kind.last_begin =
        bins < 2 * kind.length ? 0 : (bins / kind.length - 1) * kind.length;
  }
}

uint64_t VacuumRanges::RangeLength(uint64_t bins, double share) {
  uint64_t length = kLeastLength;
  for (; length < bins; length *= 2) {
    const auto slots = kSlotsPerBin * static_cast<double>(length);
    const double ranges =
        static_cast<double>(bins) / static_cast<double>(length);
    const double fails =
        std::log(ranges) + LogTail(share * kLoad * slots, kFullest * slots);
    if (fails < std::log(kMayFail)) break;
  }
  return length;
}

}  // namespace tamis::internal
