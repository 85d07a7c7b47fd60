// SacrificeFilter: the quotient filter that grows by giving up bits.
//
// Every doubling moves the first bit of each fingerprint to its home, and slots
// become one bit narrower: new keys get no more bits than old ones.  So the
// false positive rate doubles with the size, and after F doublings there is
// nothing left to give.  The InfiniFilter's first baseline.
//
//   home . fingerprint
//   0110 . 1011            F = 4
//   01101 . 011            after one doubling, for old keys and new ones
//
//   guarantee   no false negative; FPR = 1 - exp(-load 2^-(F - X)) after X
//               doublings
//   cost        look-ups as the RSQF; an expansion is one ordered pass
//   space       512 / S bits a slot, for S slots of max(2, F - X) bits a line
//   when full   doubles at the threshold; kFull after F doublings
//   contraction Erase halves the homes below a quarter of the threshold, down
//               to the size at creation; bits come back for old keys too
//   multiset    a key inserted twice is there twice
//
// Paper: Dayan, Bercea, Reviriego, Pagh: InfiniFilter (SIGMOD 2023), section 3.

#ifndef TAMIS_FILTERS_GROWING_SACRIFICE_H_
#define TAMIS_FILTERS_GROWING_SACRIFICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

class SacrificeFilter {
  // How a look-up reads a slot: see internal/table/lookup.h.
  template <typename Shape>
  struct Matcher {
    struct Query {
      uint64_t home;
      uint64_t fingerprint;
    };
    Query Prepare(KeyHash hash) const {
      const internal::Placed placed = internal::Place(hash, homes);
      return {placed.home, Fingerprint(placed, bits)};
    }
    bool Match(const std::byte* line, uint64_t /*line_index*/, uint64_t run,
               const Query& query) const {
      return shape.MatchSlots(line, run, query.fingerprint) != 0;
    }
    const Shape& shape;
    uint64_t homes;
    int bits;
  };

  template <typename Function>
  auto WithLookup(Function&& function) const {
    return internal::WithShape(table_.shape(), [&](const auto& shape) {
      using Shape = std::remove_cvref_t<decltype(shape)>;
      const Matcher<Shape> matcher{shape, table_.homes(), fingerprint_bits()};
      return function(internal::Lookup(table_, shape, matcher));
    });
  }

 public:
  struct Options {
    uint64_t slots = 0;         // homes at the start
    int fingerprint_bits = 12;  // F, 2 to 56
    double threshold = 0.8;     // load at which it doubles, 0.05 to 0.98
  };
  static Result<SacrificeFilter> Create(const Options& options,
                                        const Hasher& hasher = Hasher());
  // `spec` is sacrifice:f=2..56,threshold=0.05..0.98.
  static Result<SacrificeFilter> Create(const Spec& spec, uint64_t slots,
                                        const Hasher& hasher);
  static Result<SacrificeFilter> FromSnapshot(
      const internal::Snapshot& snapshot, const LoadOptions& options = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const {
    table_.PrefetchHome(internal::Place(hash, table_.homes()).home);
  }
  bool MayContain(KeyHash hash) const {
    return WithLookup(
        [&](const auto& lookup) { return lookup.MayContain(hash); });
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Removes one occurrence.  Only for members: see ErasableFilter.
  Status Erase(KeyHash hash);
  // Doubles the homes; kFull after F doublings.
  Status Expand();
  // Halves the homes.  kFull if the keys would exceed the threshold then,
  // kUnsupported at the size of creation.
  Status Contract();

  uint64_t size() const { return table_.size(); }
  // Keys it holds before it doubles.  A tiny one may hold more than the
  // threshold allows: a doubling does not always make room for a key.
  uint64_t capacity() const { return std::max(size(), Limit(table_.homes())); }
  uint64_t SizeBits() const { return table_.SizeBits(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  int generation() const { return generation_; }
  // Bits left of each fingerprint, F - X.
  int fingerprint_bits() const { return Bits(generation_); }
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  const internal::QuotientTable& table() const { return table_; }

 private:
  SacrificeFilter(const Options& options, const Hasher& hasher,
                  internal::QuotientTable table)
      : options_(options), hasher_(hasher), table_(std::move(table)) {}

  static uint64_t Fingerprint(const internal::Placed& placed, int bits) {
    return bits == 0 ? 0 : internal::FirstBits(placed, bits);
  }
  int Bits(int generation) const {
    return options_.fingerprint_bits - generation;
  }
  // Slots are at least as wide as the table's narrowest.
  static int WidthFor(int bits) {
    return std::max(bits, internal::kMinSlotBits);
  }
  uint64_t Limit(uint64_t homes) const;
  // Exchanges the table for one of another generation, each entry passed
  // through `map`, which keeps their order.
  template <typename Map>
  Status Rebuild(int generation, const Map& map);

  Options options_;
  Hasher hasher_;
  internal::QuotientTable table_;
  int generation_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_FILTERS_GROWING_SACRIFICE_H_
