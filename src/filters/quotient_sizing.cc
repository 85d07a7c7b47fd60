#include "tamis/internal/filters/quotient_sizing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "filters/quotient/parameters.h"

namespace tamis::internal {

double QuotientFpr(double load, int remainder_bits) {
  return -std::expm1(-std::ldexp(load, -remainder_bits));
}

Result<Sizing> SizeQuotientFilter(std::string_view kind, uint64_t keys,
                                  double fpr, WidthRange widths) {
  assert(fpr > 0 && fpr < 1);
  const double wanted = std::max(static_cast<double>(keys), 1.0);
  const auto slots = static_cast<uint64_t>(std::ceil(wanted / kSizingLoad));
  const double load = wanted / static_cast<double>(slots);
  const double bits = std::ceil(std::log2(load / -std::log1p(-fpr)));
  if (bits > widths.most) {
    return Status(StatusCode::kInvalidArgument,
                  std::string(kind) +
                      " can't reach so low a rate: it needs r=" +
                      std::to_string(static_cast<int>(bits)) + ", more than " +
                      std::to_string(widths.most));
  }
  const int r = std::max(static_cast<int>(bits), widths.least);
  return Sizing{Spec(std::string(kind)).Set("r", static_cast<uint64_t>(r)),
                slots, QuotientFpr(load, r)};
}

Result<double> QuotientFprFor(const Spec& spec, uint64_t slots, uint64_t keys,
                              WidthRange widths) {
  assert(slots > 0);
  const Parameter declared[] = {RemainderBits(widths.least, widths.most)};
  TAMIS_ASSIGN_OR_RETURN(const int r, ParameterReader(spec, declared).Int("r"));
  const double load = static_cast<double>(keys) / static_cast<double>(slots);
  return QuotientFpr(load, r);
}

}  // namespace tamis::internal
