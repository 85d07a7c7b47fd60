// What the cuckoo filters share when they are made and sized.

#ifndef TAMIS_FILTERS_CUCKOO_PARAMETERS_H_
#define TAMIS_FILTERS_CUCKOO_PARAMETERS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tamis/internal/filters/cuckoo/bin_table.h"
#include "tamis/internal/filters/cuckoo/keyed_filter.h"
#include "tamis/parameter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

inline constexpr int kMinFingerprintBits = 4;
inline constexpr int kMaxFingerprintBits = 32;

inline constexpr Parameter kFingerprintBits =
    WholeNumber("f", 12, {kMinFingerprintBits, kMaxFingerprintBits},
                "bits of a fingerprint: one more halves the rate");

// Of the filters that find the other bin from the fingerprint.
inline constexpr Parameter kPartialKeyParameters[] = {kFingerprintBits};

constexpr Parameter TablesOf(CuckooShape fallback) {
  return WholeNumber("k", static_cast<uint64_t>(fallback.k), {2, kMaxTables},
                     "tables, and so bins of a key");
}
template <typename Traits>
constexpr Parameter BinSlotsOf() {
  return WholeNumber("b", static_cast<uint64_t>(Traits::kDefault.b),
                     {Traits::kMinB, Traits::kMaxB}, "slots of a bin");
}
// Of the filters with a bin of each key in each of k tables.
template <typename Traits>
inline constexpr Parameter kKeyedParameters[] = {
    kFingerprintBits, TablesOf(Traits::kDefault), BinSlotsOf<Traits>()};
template <>
inline constexpr Parameter kKeyedParameters<CyclicTraits>[] = {
    kFingerprintBits,
    WholeNumber("s", CyclicTraits::kDefault.s, {CyclicTraits::kDefault.s, 3},
                "bits of a selector: 2^s fingerprints of a key"),
    TablesOf(CyclicTraits::kDefault)};

// In the order of Move.
inline constexpr Parameter kMove = OneOf(
    "move", "random|paper|next",
    "how a fix moves keys: on a random shortest path, or as either paper");
template <>
inline constexpr Parameter kKeyedParameters<CuckooingTraits>[] = {
    kFingerprintBits,
    TablesOf(CuckooingTraits::kDefault),
    BinSlotsOf<CuckooingTraits>(),
    kMove,
    OneOf("fingerprints", "one|table", "of a key: one, or one for each table"),
    OneOf("rebuild", "never|auto",
          "auto: place all keys anew if a member can't be moved")};

// Returns the least number of bins with at least `slots` slots, a multiple of
// `tables`; kInvalidArgument for no slots, or too many.
Result<uint64_t> BinsFor(uint64_t slots, int tables, int slots_per_bin);

// kNotFound, for Erase.
Status NotFoundStatus(std::string_view name);

// What sizing needs to know of a filter.
struct BinShape {
  int tables;
  int k;      // bins of a key; one in each table, or two in the only one
  int b;      // slots of a bin
  int min_f;  // the fewest bits that reach a load of 0.95
};

// Returns the slots that hold `keys` keys at a load of 0.95, and a few more: in
// small tables the draw of bins may be a bad one.
uint64_t SlotsFor(uint64_t keys);

// Returns the rate of `slots` slots, rounded up to whole bins, with `keys`.
Result<double> FprOf(BinShape shape, int f, uint64_t slots, uint64_t keys);

// Returns the least f with which `keys` keys in SlotsFor(keys) slots have a
// false positive rate of at most `fpr`; kInvalidArgument if that is too many.
Result<int> FewestBits(BinShape shape, uint64_t keys, double fpr);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_CUCKOO_PARAMETERS_H_
