// WithArray, WithNumber: a snapshot that says something else in one place.

#ifndef TAMIS_TESTS_MODEL_FORGED_H_
#define TAMIS_TESTS_MODEL_FORGED_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/internal/filters/snapshot.h"

namespace tamis::testing {

// Returns `good` with other bytes in one array.  They are referred to, not
// copied: change them, and the snapshot changes.
inline internal::Snapshot WithArray(const internal::Snapshot& good,
                                    std::string_view name,
                                    std::span<const std::byte> bytes) {
  internal::Snapshot forged(good.spec(), good.hasher());
  for (const auto& number : good.numbers()) {
    forged.AddNumber(number.name, number.value);
  }
  for (const auto& array : good.arrays()) {
    forged.AddArray(array.name, array.name == name ? bytes : array.bytes);
  }
  return forged;
}

// The same with another number.
inline internal::Snapshot WithNumber(const internal::Snapshot& good,
                                     std::string_view name, uint64_t value) {
  internal::Snapshot forged(good.spec(), good.hasher());
  for (const auto& number : good.numbers()) {
    forged.AddNumber(number.name, number.name == name ? value : number.value);
  }
  for (const auto& array : good.arrays()) {
    forged.AddArray(array.name, array.bytes);
  }
  return forged;
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_FORGED_H_
