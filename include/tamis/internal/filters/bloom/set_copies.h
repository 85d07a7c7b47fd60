// SetCopies: the words of an adaptive filter, made with every set of positions.
//
// The filter itself holds each word in one set, the one its selector names.
// The others wait here, beside the filter, in memory that look-ups don't read:
//
//   filter      word 0: set 2       word 1: set 0      ...
//   kAll        0: [0][1][2][3]     1: [0][1][2][3]    a copy in every set
//   kOthers     0: [1][0][3]        1: [1][2][3]       only sets not in use
//   kCounters   as kAll, but a 4-bit counter for each bit, so keys can go
//
// In kOthers, cell i - 1 holds set i, but for the selected one, whose cell
// holds set 0 instead: changing the set moves at most two cells.
//
// Invariant: every key of the filter is in the copies of all sets; hence any
// of them may replace the word, and no member is lost.  A key that is missing
// in one copy is certainly not a member.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_SET_COPIES_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_SET_COPIES_H_

#include <cstdint>
#include <span>

#include "tamis/internal/filters/bloom/counters.h"
#include "tamis/internal/filters/bloom/draws.h"
#include "tamis/internal/filters/bloom/word_array.h"
#include "tamis/status.h"

namespace tamis::internal {

enum class CopyKind { kAll, kOthers, kCounters };

// One set's version of one word, while the filter's word has `selected`.
struct SetOfWord {
  uint64_t word;
  unsigned set;
  unsigned selected;
};

class SetCopies {
 public:
  // Describes the copies of `words` empty words; has no memory yet.
  // `shape` is that of the filter's words, selector included.
  SetCopies(CopyKind kind, uint64_t words, unsigned sets, WordShape shape);
  Status Allocate();
  // REQUIRES: bytes.size() == size_bytes()
  Status Load(const OuterBytes& bytes);

  CopyKind kind() const { return kind_; }
  unsigned sets() const { return sets_; }
  uint64_t size_bytes() const;
  std::span<const std::byte> bytes() const;

  // Whether a copy of that set is kept here, and not only in the filter.
  bool Holds(const SetOfWord& at) const {
    return kind_ != CopyKind::kOthers || at.set != at.selected;
  }
  // REQUIRES of the next four: Holds(at)
  void Insert(const SetOfWord& at, const Placed& placed, int count);
  bool Test(const SetOfWord& at, const Placed& placed, int count) const;
  WordBits Load(const SetOfWord& at) const;
  // Whether every position has been raised as often as the key draws it; if
  // not, the key is certainly not a member.  REQUIRES: kCounters
  bool HoldsAll(const SetOfWord& at, const Placed& placed, int count) const;
  // Takes one key away.  REQUIRES: kCounters, and HoldsAll(at, placed, count)
  void Erase(const SetOfWord& at, const Placed& placed, int count);

  // Tells that `word`, which held `bits` in set `from`, is about to hold set
  // `to`.  Only kOthers has anything to move.
  void Exchange(uint64_t word, unsigned from, unsigned to,
                const WordBits& bits);

  // Returns the sum of the counters of one set's version of a word, or
  // nothing (-1) if one of them is saturated.  REQUIRES: kCounters
  int64_t CounterSum(const SetOfWord& at) const;

 private:
  uint64_t Cell(const SetOfWord& at) const;
  uint64_t FirstCounter(const SetOfWord& at) const;

  CopyKind kind_;
  unsigned sets_;
  WordShape shape_;
  WordArray cells_;    // kAll, kOthers
  Counters counters_;  // kCounters
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_SET_COPIES_H_
