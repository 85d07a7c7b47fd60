// What the specs of the quotient filters may have.

#ifndef TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_
#define TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_

#include <cstdint>
#include <span>

#include "tamis/internal/filters/quotient/extension_kind.h"
#include "tamis/internal/filters/quotient/selector_kind.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/parameter.h"

namespace tamis::internal {

constexpr Parameter RemainderBits(int min, int max) {
  return WholeNumber("r", 8,
                     {static_cast<uint64_t>(min), static_cast<uint64_t>(max)},
                     "bits of a remainder: one more halves the rate");
}
inline constexpr Parameter kOverflow =
    OneOf("overflow", "refuse|evict|reset",
          "when a code has no room for a fix: leave the mistake, drop an older "
          "fix of the group, or all of them");

inline constexpr Parameter kRsqfParameters[] = {
    RemainderBits(kMinSlotBits, kMaxSlotBits)};

inline constexpr Parameter kTafParameters[] = {
    RemainderBits(TafKind::kMinWidth, TafKind::kMaxWidth), kOverflow,
    Number("c", 0, {0, 1e9},
           "queries of absent keys expected per member, to tune the code for; "
           "0: the papers' code")};

inline constexpr Parameter kExafParameters[] = {
    RemainderBits(ExafKind::kMinWidth, ExafKind::kMaxWidth), kOverflow,
    OneOf("insert", "plain|adapt",
          "adapt: keep the fingerprints of all members different"),
    WholeNumber(
        "rehash", 0, {0, ~uint64_t{0}},
        "new strings for all members after each so many adapts; 0: never")};

inline constexpr Parameter kUtafParameters[] = {
    RemainderBits(UtafKind::kMinWidth, UtafKind::kMaxWidth)};

// Those of an adaptive quotient filter.
template <typename Kind>
inline constexpr std::span<const Parameter> kParametersOf = kUtafParameters;
template <>
inline constexpr std::span<const Parameter> kParametersOf<TafKind> =
    kTafParameters;
template <>
inline constexpr std::span<const Parameter> kParametersOf<ExafKind> =
    kExafParameters;

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_
