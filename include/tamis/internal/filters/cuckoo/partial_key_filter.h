// PartialKeyFilter: the cuckoo filter that needs no keys.
//
// A key has two bins of four slots.  The first is its home, the second follows
// from the first and the fingerprint alone (alternate_ranges.h), so a stored
// fingerprint can be moved without knowing its key:
//
//   home         the hash's upper word, a number in [0, 1), times the bins
//   fingerprint  the first f bits of its lower word (0 is stored as 1)
//   bins of the key: home, Ranges::Alternate(home, fingerprint)
//
// Home and fingerprint come from different words so that neither waits for the
// other.
//
// Invariants:
//   (P1) every key of the set has its fingerprint in one of its two bins, as
//        many times as it was inserted (together with the keys that share
//        fingerprint and bins).
//   (P2) size() slots are not 0.
//
// The public names are CuckooFilter and VacuumFilter (cuckoo.h, vacuum.h).
// Cost: two bins, so two lines, a look-up.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_PARTIAL_KEY_FILTER_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_PARTIAL_KEY_FILTER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/cuckoo/alternate_ranges.h"
#include "tamis/internal/filters/cuckoo/bin_filter.h"
#include "tamis/internal/filters/cuckoo/bin_reader.h"
#include "tamis/internal/filters/cuckoo/bin_table.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/internal/hash/look_ahead.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis::internal {

template <typename Ranges>
class PartialKeyFilter : public BinFilter {
 public:
  static constexpr int kSlotsPerBin = 4;

  static Result<PartialKeyFilter> Create(const KeysAndRate& wanted,
                                         const Hasher& hasher = Hasher()) {
    return CreateSized<PartialKeyFilter>(Ranges::kName, wanted, hasher);
  }
  // Parameters: f, 4 to 32 bits, 12 unless given.
  static Result<PartialKeyFilter> Create(const Spec& spec, uint64_t slots,
                                         const Hasher& hasher);
  static Result<PartialKeyFilter> FromSnapshot(const Snapshot& snapshot,
                                               const LoadOptions& load = {});
  Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const {
    const Places places = Find(hash);
    table_.Prefetch(places.home);
    table_.Prefetch(places.other);
  }
  // Erase only what you know to be in the set: there are no keys to check.
  Status Erase(KeyHash hash);

  bool MayContain(KeyHash hash) const {
    return WithBins([&](auto bins) {
      using Bins = decltype(bins);
      return Matches<Bins>(Find<Bins>(hash));
    });
  }
  // Flat, because a call for each key would pass all it finds through memory;
  // and a call itself, of the library, which may be made for more than the
  // program is.
  [[gnu::flatten, gnu::noinline]] void MayContain(
      std::span<const KeyHash> hashes, std::span<bool> results) const {
    WithBins([&](auto bins) {
      using Bins = decltype(bins);
      LookAhead<kLinesInFlight / 4>(
          hashes, results,
          [this](KeyHash hash) {
            const Places places = Find<Bins>(hash);
            table_.Prefetch<Bins>(places.home);
            table_.Prefetch<Bins>(places.other);
            return places;
          },
          [this](const Places& places) { return Matches<Bins>(places); });
    });
  }

  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  Status CheckInvariants() const;

  // For SizeFor and FprFor of sizing.h.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr);
  static Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);

  // For KickSearch.
  int OtherBins(uint64_t slot, uint64_t* bins) const {
    const uint64_t bin = slot / kSlotsPerBin;
    bins[0] = ranges_.Alternate(bin, table_.Get(slot));
    return bins[0] == bin ? 0 : 1;
  }
  void PrefetchKey(uint64_t /*slot*/) const {}  // it lies in the bin

 private:
  struct Places {
    uint64_t home;
    uint64_t other;
    uint64_t fingerprint;
  };

  PartialKeyFilter(BinTable table, const Hasher& hasher)
      : BinFilter(std::move(table), hasher), ranges_(table_.bins()) {}

  // Calls `function` with the table's layout, for the widths that are worth
  // code of their own.
  template <typename Function>
  [[gnu::always_inline]] auto WithBins(Function function) const {
    switch (table_.width()) {
      case 8:
        return function(FixedBins<8, kSlotsPerBin>());
      case 12:
        return function(FixedBins<12, kSlotsPerBin>());
      case 16:
        return function(FixedBins<16, kSlotsPerBin>());
      default:
        return function(AnyBins());
    }
  }

  template <typename Bins = AnyBins>
  Places Find(KeyHash hash) const {
    int width = table_.width();
    if constexpr (!std::is_same_v<Bins, AnyBins>) width = Bins::kWidth;
    const uint64_t home = MultiplyHigh(hash.high, table_.bins());
    const uint64_t fingerprint = BinReader::NotZero(hash.low >> (64 - width));
    return {home, ranges_.Alternate(home, fingerprint), fingerprint};
  }
  // Looks into both bins, always: a branch here would be mispredicted.
  template <typename Bins>
  bool Matches(const Places& places) const {
    return (table_.MarkEqual<Bins>(places.home, places.fingerprint) |
            table_.MarkEqual<Bins>(places.other, places.fingerprint)) != 0;
  }

  Ranges ranges_;
};

extern template class PartialKeyFilter<WholeTable>;
extern template class PartialKeyFilter<VacuumRanges>;

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_PARTIAL_KEY_FILTER_H_
