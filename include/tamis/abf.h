// AdaptiveBloomFilter: Bloom filters that unlearn their false positives.
//
//   word of w = 64 bits, S = 4 sets
//      bit   63 62 | 61 ........................... 0
//            set 2 | ..1.....1......1...1.........1..     w - s bits of filter
//
//   beside the filter, the same word made with each of the sets of positions:
//            set 0   .1....1...        every key is in all of them, so any
//            set 1   ...1.......1      one may take the word's place without
//            set 2   ..1.....1..       losing a member
//            set 3   1......1..1
//
// A look-up reads the word, takes the set that the selector names, and tests
// the key's positions in that set: one line, as in a Bloom-1 filter.  When a
// key turns out to be a false positive, Adapt puts in a set in which it is
// none.  That may bring back an earlier false positive of the same word, so
// what counts is which of them are asked for often: skewed streams gain most.
//
// Three forms, all at equal memory (selectors are inside the words):
//   abf       one word a key                      one line a look-up
//   abfj      j words a key, k/j bits in each     up to j lines
//   abfbits   k words a key, one bit in each      up to k lines; the adaptive
//             form of the classic filter, blocks of w bits with a selector
// Adapting a key of several words changes them one by one until it is gone.
//
// Adapt takes a *proven* false positive.  The filter holds no keys, so it can
// not tell a member: asked to adapt to one, it does no harm (members are in
// all sets), answers kNotFixed, and never kIsMember.  ProvesAbsent finds most
// false positives without any table: a key missing in one copy is no member.
//
// Against an adversary it does not stand: a key that is positive in all S sets
// can't be fixed, and asking random keys again and again finds one, after some
// 400 keys with S = 2 and 24,000 with 4 (8 bits a key; `tamis reproduce
// bloom-adversary`).
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance WordBloomFpr(w - s bits); for repeated ones see AdaptiveFpr.
// Cost: look-up as Bloom-1 and one multiplication; Insert writes S words
// beside the filter's, Adapt reads up to S - 1 of them.
// Full: Insert returns kFull at capacity() keys and changes nothing.
//
// Invariants (CheckInvariants):
//   (A1) A word has the bits of its selected set's copy.
//   (A2) In each set, at most size * k bits are set, none only if size is 0.
//   (A3) Counting: in each set the counters sum to size * k, unless one is
//        saturated.
//   (A4) A word is empty in all sets or in none; a set of it with a saturated
//        counter, which stays when its keys have gone, is not compared.
//
// Specs: abf:bits=8,k=4,w=64,sets=4       sets = 2, 4 or 8 (default 4)
//        abfj:...,j=2    abfbits:...      abf-counting:... (adds Erase)
//   check=1       change the set only where that removes the false positive,
//                 and try all sets (default); 0: take the next set unseen, as
//                 in the paper's own runs
//   decimation=1  adapt once in d false positives
//   detect=1      the share of positives that AdaptIfProven looks at
//   copies=all    others: keep only the sets not in use (not with counting)
// Thread safety: const functions may run concurrently with one another.
// Paper: Reviriego et al., Adaptive One Memory Access Bloom Filters;
// abfj, abfbits and copies=others are its section VI.

#ifndef TAMIS_ABF_H_
#define TAMIS_ABF_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/internal/filters/bloom/set_copies.h"
#include "tamis/internal/filters/bloom/word_keys.h"
#include "tamis/key_hash.h"

namespace tamis {

class AdaptiveBloomFilter : public internal::MadeFromSpec<AdaptiveBloomFilter> {
 public:
  static constexpr std::string_view kSpec = "abf";  // the shortest

  static constexpr bool kKnowsMembers = false;  // see KnowsMembers, filter.h

  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const {
    return keys_.AllOf(hash, [&](const internal::Placed& placed, int k) {
      return words_.TestSelected(placed.home, placed, k);
    });
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const { keys_.Prefetch(words_, hash); }

  // Removes a false positive.  kReset: the word had left its first set before,
  // so what was fixed then may be back.  kNotFixed: no set helps, or this was
  // one of the d - 1 calls in d that decimation passes over; without the check
  // the set may have changed all the same.
  Result<AdaptOutcome> Adapt(KeyHash hash);

  // Returns whether the copies beside the filter prove that a key is absent:
  // any absent key, but for a share of WordBloomFpr(.., S) that is positive in
  // all sets.  With the check, Adapt fixes exactly what this proves.
  bool ProvesAbsent(KeyHash hash) const;
  // For callers without a table of the members: takes a positive answer and,
  // for `detect` of the calls, adapts if the copies prove it wrong.
  Result<AdaptOutcome> AdaptIfProven(KeyHash hash);

  uint64_t SizeBits() const { return 8 * words_.size_bytes(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  Status CheckInvariants() const;

 protected:
  friend MadeFromSpec;

  struct Options {
    bool check = true;
    uint64_t decimation = 1;
    double detect = 1;
  };

  AdaptiveBloomFilter(internal::BloomSizing sizing, internal::WordShape shape,
                      internal::WordKeys keys, internal::SetCopies copies,
                      Options options, const Hasher& hasher)
      : MadeFromSpec(sizing, internal::WordArray(keys.words, shape), hasher),
        keys_(keys),
        copies_(std::move(copies)),
        options_(options) {}
  static Result<AdaptiveBloomFilter> Configure(const Spec& spec, uint64_t slots,
                                               const Hasher& hasher);
  Status Allocate();
  Status LoadArrays(const internal::Snapshot& snapshot,
                    const LoadOptions& load);

  // Calls visit(placed, at, k) for each word of a key and each set of it,
  // the selected one last, until it returns true; returns whether it did.
  template <typename Visit>
  bool AnySet(KeyHash hash, Visit visit) const;

  // Whether a counter of that set is stuck, so that its bit may outlive the
  // keys.
  bool IsSaturated(const internal::SetOfWord& at) const;
  void Switch(uint64_t word, unsigned to);
  AdaptOutcome AdaptChecked(KeyHash hash);
  AdaptOutcome AdaptUnchecked(KeyHash hash);
  Status CheckWord(uint64_t word) const;
  Status CheckSet(unsigned set) const;

  internal::WordKeys keys_;
  internal::SetCopies copies_;
  Options options_;
  uint64_t false_positives_ = 0;  // that Adapt was told of
  uint64_t positives_ = 0;        // that AdaptIfProven was told of
  uint64_t adapts_ = 0;           // that changed a set
  uint64_t copies_read_ = 0;      // words of them, by adapts; not saved
};

// An ABF that keeps counters beside the filter, S times w - s of 4 bits for a
// word, and can therefore erase.  Look-ups are the same.
class CountingAdaptiveBloomFilter
    : public internal::MadeFromSpec<CountingAdaptiveBloomFilter,
                                    AdaptiveBloomFilter> {
 public:
  static constexpr std::string_view kSpec = "abf-counting";  // the shortest

  // Removes one occurrence of a member.  kNotFound, and nothing changed, if
  // some set proves that it is none.
  Status Erase(KeyHash hash);

 private:
  friend MadeFromSpec;

  explicit CountingAdaptiveBloomFilter(AdaptiveBloomFilter filter)
      : MadeFromSpec(std::move(filter)) {}
  static Result<CountingAdaptiveBloomFilter> Configure(const Spec& spec,
                                                       uint64_t slots,
                                                       const Hasher& hasher);
};

}  // namespace tamis

#endif  // TAMIS_ABF_H_
