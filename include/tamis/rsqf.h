// Rsqf: the rank-and-select quotient filter, the plain filter on the table.
//
// Each key is stored as r bits of its string (its fingerprint, the remainder)
// in the run of its home.  Runs are kept sorted, so a set of keys has exactly
// one representation: the same keys under the same seed give the same bytes,
// whether they were inserted one by one, in any order, or loaded in bulk.
//
//   guarantee   no false negative; FPR = 1 - exp(-load * 2^-r)
//   cost        a look-up reads one cache line, rarely two; an insert at load
//               a walks about 1 / (2 (1-a)^2) slots
//   space       512 / S bits a slot, S = min(64, floor(504 / (r + 2)))
//   when full   size() == capacity(): Insert returns kFull, nothing changes
//   multiset    a key inserted twice is there twice; Count says how often
//
// Paper: Pandey, Bender, Johnson, Patro: A general-purpose counting filter
// (SIGMOD 2017); as the base of the telescoping filter, section 2.

#ifndef TAMIS_RSQF_H_
#define TAMIS_RSQF_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tamis/filter_stats.h"
#include "tamis/hasher.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/internal/table/remainder_matcher.h"
#include "tamis/key_hash.h"
#include "tamis/keys_and_rate.h"
#include "tamis/result.h"

namespace tamis {

namespace internal {
class Snapshot;
}
struct LoadOptions;
struct Sizing;
class Spec;

class Rsqf {
  bool MayContainOfAnyWidth(KeyHash hash) const;

 public:
  struct Options {
    uint64_t slots = 0;      // homes; also the number of keys it can hold
    int remainder_bits = 8;  // r, 2 to 56
  };
  static Result<Rsqf> Create(const Options& options,
                             const Hasher& hasher = Hasher());
  static Result<Rsqf> Create(const KeysAndRate& wanted,
                             const Hasher& hasher = Hasher());
  // `spec` is rsqf:r=2..56 (default 8).
  static Result<Rsqf> Create(const Spec& spec, uint64_t slots,
                             const Hasher& hasher);
  // For sizing.h.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr);
  static Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);
  static Result<Rsqf> FromSnapshot(const internal::Snapshot& snapshot,
                                   const LoadOptions& options);
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const;
  bool MayContain(KeyHash hash) const {
    if (table_.width() == 8) [[likely]] {
      return internal::RemainderLookup(table_, internal::LineShape<8>(8))
          .MayContain(hash);
    }
    return MayContainOfAnyWidth(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Removes one occurrence.  Only for members: see ErasableFilter.
  Status Erase(KeyHash hash);
  // Returns how many stored fingerprints equal that of `hash`: at least as
  // often as it was inserted.
  uint64_t Count(KeyHash hash) const;
  // Inserts all of `hashes`, in any order, at once: sorts, then appends.
  Status BulkLoad(std::span<const KeyHash> hashes);
  // Adds all keys of `other`.  Needs equal hasher and r, and slots equal or a
  // power of two apart: kIncompatible says what differs.  The result has the
  // fewer slots of the two, because bits that were never stored can't be made
  // up; kFull if the keys of both do not fit.
  Status Merge(const Rsqf& other);
  // Calls function(home, remainder) for every stored key, in order.
  template <typename Function>
  void ForEach(Function&& function) const {
    table_.ForEach([&](uint64_t home, uint64_t /*slot*/, uint64_t value) {
      function(home, value);
    });
  }

  uint64_t size() const { return table_.size(); }
  uint64_t capacity() const { return table_.homes(); }
  uint64_t SizeBits() const { return table_.SizeBits(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  // Those of the table, and that runs are sorted, which Erase relies on.
  Status CheckInvariants() const;
  const internal::QuotientTable& table() const { return table_; }

 private:
  // Returns the slots that hold the remainder of `hash`, and its home.
  internal::SlotRange FindEqual(KeyHash hash, uint64_t* home) const;

  Rsqf(internal::QuotientTable table, const Hasher& hasher)
      : table_(std::move(table)), hasher_(hasher) {}

  internal::QuotientTable table_;
  Hasher hasher_;
};

}  // namespace tamis

#endif  // TAMIS_RSQF_H_
