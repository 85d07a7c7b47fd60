// The formulas of filters on the quotient table, for sizing them.
//
// A random absent key meets Poisson(load) stored remainders in the run of its
// home, and each equals its own with probability 2^-r:
//
//   FPR = 1 - exp(-load * 2^-r)        r = log2(load / -ln(1 - FPR)), up

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_SIZING_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_SIZING_H_

#include <cstdint>
#include <string_view>

#include "tamis/internal/table/line_shape.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis::internal {

// The load that filters are sized for: inserts are still fast there.
inline constexpr double kSizingLoad = 0.95;

// Returns the false positive rate at `load` keys per slot.
double QuotientFpr(double load, int remainder_bits);

// The r that a kind of filter takes; the table's, unless it takes fewer.
struct WidthRange {
  int least = kMinSlotBits;
  int most = kMaxSlotBits;
};

// Returns a spec of this kind with r, and the slots, for `keys` keys.
// REQUIRES: 0 < fpr < 1
Result<Sizing> SizeQuotientFilter(std::string_view kind, uint64_t keys,
                                  double fpr, WidthRange widths = {});

// Returns the rate of a spec with r (8 if it gives none).
// REQUIRES: slots > 0
Result<double> QuotientFprFor(const Spec& spec, uint64_t slots, uint64_t keys,
                              WidthRange widths = {});

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_SIZING_H_
