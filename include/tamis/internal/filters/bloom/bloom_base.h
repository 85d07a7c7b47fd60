// BloomBase: what all filters of the Bloom family have in common besides bits.
//
// `bits` counts bits per key, and need not be whole: a filter for n keys has
// bits * n bits in all, rounded to whole words, and is full at n keys, so that
// the rate promised holds.  bits=5.3333333 and n = 12288 make 1024 words of 64.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_BLOOM_BASE_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_BLOOM_BASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tamis/filter.h"
#include "tamis/internal/filters/bloom/word_array.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis::internal {

inline constexpr double kMaxBitsPerKey = 1024;
inline constexpr uint64_t kMaxBloomSlots = uint64_t{1} << 44;

struct BloomSizing {
  double bits_per_key = 0;
  uint64_t slots = 0;  // the number of keys it may hold

  // Reads `bits` of `spec`; kInvalidArgument if it or `slots` is out of range.
  static Result<BloomSizing> Parse(const Spec& spec, uint64_t slots,
                                   double default_bits);
  // Returns the number of units of `unit_bits` bits nearest to bits * slots,
  // at least 1.
  uint64_t Units(unsigned unit_bits) const;

  friend bool operator==(const BloomSizing&, const BloomSizing&) = default;
};

// Returns the shortest text that reads back as the same number.
std::string ShortestText(double value);

Status FullStatus(std::string_view name, uint64_t capacity);

// kCorrupt unless `ones` set bits can come from `keys` keys of k bits each:
// none without keys, some with, and at most k for each.
Status CheckOnes(std::string_view invariant, uint64_t ones, uint64_t keys,
                 int k);

// The state of every filter of the family: its words, and how many keys are
// in them.  F, a filter, offers to the functions below
//   F::Configure(spec, slots, hasher)   reads parameters, allocates nothing
//   Allocate(), LoadArrays(snapshot)    get the memory; the second fills it
class BloomBase {
 public:
  uint64_t size() const { return size_; }
  uint64_t capacity() const { return sizing_.slots; }
  const Hasher& hasher() const { return hasher_; }

 protected:
  BloomBase(BloomSizing sizing, WordArray words, const Hasher& hasher)
      : sizing_(sizing), hasher_(hasher), words_(std::move(words)) {}

  template <typename F>
  static Result<F> CreateAs(const Spec& spec, uint64_t slots,
                            const Hasher& hasher) {
    TAMIS_ASSIGN_OR_RETURN(F filter, F::Configure(spec, slots, hasher));
    TAMIS_RETURN_IF_ERROR(filter.Allocate());
    return filter;
  }
  // Lengths are compared with what the parameters ask for before anything is
  // allocated, and the invariants before anything is answered.
  template <typename F>
  static Result<F> LoadAs(const Snapshot& snapshot) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
    TAMIS_ASSIGN_OR_RETURN(
        F filter, F::Configure(snapshot.spec(), slots, snapshot.hasher()));
    TAMIS_ASSIGN_OR_RETURN(filter.size_, snapshot.Number("size", 0, slots));
    TAMIS_RETURN_IF_ERROR(filter.LoadArrays(snapshot));
    TAMIS_RETURN_IF_ERROR(filter.CheckInvariants());
    return filter;
  }

  Status Allocate() { return words_.Allocate(); }
  Status LoadArrays(const Snapshot& snapshot);
  Snapshot BaseSnapshot(const Spec& spec) const;
  FilterStats BaseStats(uint64_t size_bits, double expected_fpr) const;

  BloomSizing sizing_;
  Hasher hasher_;
  WordArray words_;
  uint64_t size_ = 0;
};

// kIncompatible, naming what differs, unless two filters have equal specs,
// capacities and hashers; kFull if one of them can't hold the keys of both.
template <typename F>
Status CheckMergeable(const F& into, const F& from) {
  const std::string context = "can't merge into " + into.spec().ToString();
  if (from.spec() != into.spec()) {
    return {StatusCode::kIncompatible,
            context + ": the other is " + from.spec().ToString()};
  }
  if (from.capacity() != into.capacity()) {
    return {StatusCode::kIncompatible,
            context + ": capacities " + std::to_string(into.capacity()) +
                " and " + std::to_string(from.capacity()) + " differ"};
  }
  if (from.hasher() != into.hasher()) {
    return {StatusCode::kIncompatible, context + ": the hashers differ"};
  }
  if (from.size() > into.capacity() - into.size()) {
    return FullStatus(into.spec().name(), into.capacity());
  }
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_BLOOM_BASE_H_
