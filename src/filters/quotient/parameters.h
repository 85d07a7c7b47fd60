// What the specs of the quotient filters may have.

#ifndef TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_
#define TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/internal/filters/quotient/extension_traits.h"
#include "tamis/internal/filters/quotient/selector_traits.h"
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

inline constexpr Parameter kMembers =
    OneOf("members", "mirror|caller",
          "who knows the members: the filter, by their hashes beside it, or "
          "whoever calls Adapt");
inline constexpr double kMaxQueriesPerMember = 1e9;
inline constexpr int kMinTafCodeBits = 16;

inline constexpr Parameter kRsqfParameters[] = {
    RemainderBits(kMinSlotBits, kMaxSlotBits)};

inline constexpr Parameter kTafParameters[] = {
    RemainderBits(TafTraits::kMinWidth, TafTraits::kMaxWidth),
    kOverflow,
    Number("c", 0, {0, kMaxQueriesPerMember},
           "queries of absent keys expected per member, to tune the code for; "
           "0: the papers' code"),
    AddedLater(WholeNumber("code", kCodeBits, {kMinTafCodeBits, kMaxCodeBits},
                           "bits of the code of 64 slots, a multiple of 8: "
                           "more hold more fixes")),
    AddedLater(WholeNumber("x", 0, {0, kMaxX},
                           "the code's model: 2^-x of the slots have a fix; 0: "
                           "what suits c best")),
    AddedLater(WholeNumber("y", 0, {0, kMaxY},
                           "the code's model: 2^-y of these one more, and so "
                           "on; 0: what suits c best")),
    kMembers};

inline constexpr Parameter kExafParameters[] = {
    RemainderBits(ExafTraits::kMinWidth, ExafTraits::kMaxWidth), kOverflow,
    OneOf("insert", "plain|adapt",
          "adapt: keep the fingerprints of all members different"),
    WholeNumber("rehash", 0, {0, ~uint64_t{0}},
                "new strings for all members after each so many adapts; 0: "
                "never"),
    kMembers};

inline constexpr Parameter kUtafParameters[] = {
    RemainderBits(UtafTraits::kMinWidth, UtafTraits::kMaxWidth), kMembers};

// Those of an adaptive quotient filter, by its name.
constexpr std::span<const Parameter> QuotientParameters(std::string_view kind) {
  if (kind == "taf") return kTafParameters;
  if (kind == "exaf") return kExafParameters;
  return kUtafParameters;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_PARAMETERS_H_
