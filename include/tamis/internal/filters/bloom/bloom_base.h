// What all filters of the Bloom family have in common besides bits.
//
//   BloomBase      the state: sizes, hasher, words
//   MadeFromSpec   Create, FromSnapshot, SizeFor, FprFor     all filters
//   PlainBloom     ToSnapshot, Merge                         all but abf...
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
#include "tamis/internal/filters/shortest_text.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis::internal {

inline constexpr double kMinBitsPerKey = 0.125;
inline constexpr double kMaxBitsPerKey = 1024;
inline constexpr uint64_t kMaxBloomSlots = uint64_t{1} << 44;

struct BloomSizing {
  double bits_per_key = 0;
  uint64_t slots = 0;  // the number of keys it may hold

  // kInvalidArgument if `slots` is out of range.
  static Result<BloomSizing> Of(const std::string& kind, double bits,
                                uint64_t slots);
  // Returns the number of units of `unit_bits` bits nearest to bits * slots,
  // at least 1.
  uint64_t Units(unsigned unit_bits) const;

  friend bool operator==(const BloomSizing&, const BloomSizing&) = default;
};

Status FullStatus(std::string_view name, uint64_t capacity);

// kCorrupt unless `ones` set bits can come from `keys` keys of k bits each:
// none without keys, some with, and at most k for each.
Status CheckOnes(std::string_view invariant, uint64_t ones, uint64_t keys,
                 int k);

// The state of every filter of the family: its words, and how many keys are
// in them.
class BloomBase {
 public:
  uint64_t size() const { return size_; }
  uint64_t capacity() const { return sizing_.slots; }
  const Hasher& hasher() const { return hasher_; }

 protected:
  BloomBase(BloomSizing sizing, WordArray words, const Hasher& hasher)
      : sizing_(sizing), hasher_(hasher), words_(std::move(words)) {}

  Status Allocate() { return words_.Allocate(); }
  Status LoadArrays(const Snapshot& snapshot, const LoadOptions& load);
  Snapshot BaseSnapshot(const Spec& spec) const;
  FilterStats BaseStats(uint64_t size_bits, double expected_fpr) const;

  BloomSizing sizing_;
  Hasher hasher_;
  WordArray words_;
  uint64_t size_ = 0;
};

// Returns the sizing with the fewest bits a key, in hundredths, whose rate is
// at most `fpr`; sizing_of(spec, slots, keys) tells the rate of a spec.
// kInvalidArgument if the most bits allowed do not reach it.
Result<Sizing> SmallestSizing(std::string_view kind, uint64_t keys, double fpr,
                              Result<Sizing> (*sizing_of)(const Spec&, uint64_t,
                                                          uint64_t));

// How a filter F of the family is made.  F offers, to its friend,
//   F::Configure(spec, slots, hasher)   reads parameters, allocates nothing
//   Allocate(), LoadArrays(snapshot, load)  get the memory; the second fills it
template <typename F, typename Base = BloomBase>
class MadeFromSpec : public Base {
 public:
  static Result<F> Create(const KeysAndRate& wanted,
                          const Hasher& hasher = Hasher()) {
    return CreateSized<F>(F::kSpec, wanted, hasher);
  }
  static Result<F> Create(const Spec& spec, uint64_t slots,
                          const Hasher& hasher) {
    TAMIS_ASSIGN_OR_RETURN(F filter, F::Configure(spec, slots, hasher));
    TAMIS_RETURN_IF_ERROR(filter.Allocate());
    return filter;
  }
  // Lengths are compared with what the parameters ask for before anything is
  // allocated.
  static Result<F> FromSnapshot(const Snapshot& snapshot,
                                const LoadOptions& load = {}) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
    TAMIS_ASSIGN_OR_RETURN(
        F filter, F::Configure(snapshot.spec(), slots, snapshot.hasher()));
    TAMIS_ASSIGN_OR_RETURN(filter.size_, snapshot.Number("size", 0, slots));
    TAMIS_RETURN_IF_ERROR(filter.LoadArrays(snapshot, load));
    return CheckedIfAsked(std::move(filter), load);
  }

  // For sizing.h: the filter is described, never allocated.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr) {
    return SmallestSizing(kind, keys, fpr, SizingOf);
  }
  static Result<double> FprFor(const Spec& spec, uint64_t slots,
                               uint64_t keys) {
    TAMIS_ASSIGN_OR_RETURN(const Sizing sizing, SizingOf(spec, slots, keys));
    return sizing.fpr;
  }
  static Result<uint64_t> SizeBitsFor(const Spec& spec, uint64_t slots) {
    TAMIS_ASSIGN_OR_RETURN(const F filter,
                           F::Configure(spec, slots, Hasher(Seed{})));
    return filter.SizeBits();
  }

 protected:
  static Result<Sizing> SizingOf(const Spec& spec, uint64_t slots,
                                 uint64_t keys) {
    TAMIS_ASSIGN_OR_RETURN(F filter, F::Configure(spec, slots, Hasher(Seed{})));
    filter.size_ = keys;
    return Sizing{filter.spec(), slots, filter.ExpectedFpr()};
  }

  using Base::Base;
  explicit MadeFromSpec(Base&& base) : Base(std::move(base)) {}
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

// A filter F whose words are all its state: two of them are merged bit by bit.
template <typename F>
class PlainBloom : public MadeFromSpec<F> {
 public:
  Snapshot ToSnapshot() const {
    return this->BaseSnapshot(static_cast<const F&>(*this).spec());
  }
  // Adds the keys of a filter made with equal spec, slots and seed.
  Status Merge(const F& other) {
    TAMIS_RETURN_IF_ERROR(this->words_.CheckWritable());
    TAMIS_RETURN_IF_ERROR(CheckMergeable(static_cast<F&>(*this), other));
    const PlainBloom& base = other;
    this->words_.Unite(base.words_);
    this->size_ += base.size_;
    return {};
  }

 protected:
  using MadeFromSpec<F>::MadeFromSpec;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_BLOOM_BASE_H_
