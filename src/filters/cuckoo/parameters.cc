#include "filters/cuckoo/parameters.h"

#include <algorithm>
#include <cmath>

#include "filters/cuckoo/cuckoo_math.h"

namespace tamis::internal {

Result<uint64_t> BinsFor(uint64_t slots, int tables, int slots_per_bin) {
  if (slots == 0 || slots > BinTable::kMaxSlots / 2) {
    return Status(StatusCode::kInvalidArgument,
                  "a cuckoo table of " + std::to_string(slots) +
                      " slots; expected 1 to 2^47");
  }
  const auto step = static_cast<uint64_t>(tables * slots_per_bin);
  const uint64_t steps = (slots + step - 1) / step;
  return steps * static_cast<uint64_t>(tables);
}

Status NotFoundStatus(std::string_view name) {
  return {StatusCode::kNotFound,
          std::string(name) + " does not hold the key to erase"};
}

uint64_t SlotsFor(uint64_t keys) {
  constexpr double kLoad = 0.95;
  constexpr uint64_t kMore = 32;
  const uint64_t possible = std::min(keys, BinTable::kMaxSlots);
  const double slots = std::ceil(static_cast<double>(possible) / kLoad);
  return static_cast<uint64_t>(slots) + kMore;
}

Result<double> FprOf(BinShape shape, int f, uint64_t slots, uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bins,
                         BinsFor(slots, shape.tables, shape.b));
  const auto capacity = bins * static_cast<unsigned>(shape.b);
  const double load = static_cast<double>(keys) / static_cast<double>(capacity);
  return CuckooFpr(load, f, shape.k, shape.b);
}

Result<int> FewestBits(BinShape shape, uint64_t keys, double fpr) {
  for (int f = shape.min_f; f <= kMaxFingerprintBits; ++f) {
    TAMIS_ASSIGN_OR_RETURN(const double rate,
                           FprOf(shape, f, SlotsFor(keys), keys));
    if (rate <= fpr) return f;
  }
  return Status(StatusCode::kInvalidArgument,
                "a cuckoo filter can't reach so low a rate: it needs more "
                "than " +
                    std::to_string(kMaxFingerprintBits) +
                    " bits a fingerprint");
}

}  // namespace tamis::internal
