// MemberIndex: what one operation may know of the members of a filter.
//
//   mirror   who sits in each slot, written down: always known
//   source   asked for the members of a home; it may fail, and it may lack some
//            that are on their way into it or out of the filter
//   list     members that the caller brings, or that the operation knows by
//            itself (the key that is being erased); with a source, besides it
//   nothing  nobody is known, and only what needs no member can be done
//
// Whoever needs members asks for them before anything moves.  A source that
// fails, or that is not sorted, is an error then, and nothing has changed.
//
// A value of two pointers and a view, made for each operation.

#ifndef TAMIS_INTERNAL_KEYS_MEMBER_INDEX_H_
#define TAMIS_INTERNAL_KEYS_MEMBER_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tamis/internal/keys/pairing.h"
#include "tamis/internal/keys/slot_mirror.h"
#include "tamis/internal/table/side_data.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"

namespace tamis::internal {

// The slots of one home, and where its members lie.
struct RunOfSlots {
  SlotRange slots;
  HashRange hashes;
  std::vector<uint64_t> contents;
};

class MemberIndex {
 public:
  MemberIndex() = default;  // nobody is known
  explicit MemberIndex(const SlotMirror& mirror) : mirror_(&mirror) {}
  explicit MemberIndex(KeySourceRef source) : source_(source) {}
  // REQUIRES: `list` is ascending, and outlives the index
  explicit MemberIndex(std::span<const KeyHash> list) : list_(list) {}
  // The same, with more members known besides.
  MemberIndex With(std::span<const KeyHash> list) const {
    MemberIndex both = *this;
    both.list_ = list;
    return both;
  }

  const SlotMirror* mirror() const { return mirror_; }
  bool has_source() const { return static_cast<bool>(source_); }

  // Returns the members in `range` that are known, ascending; no more than
  // `most` + 1 of the source.  kCorrupt if the source is not sorted.
  // REQUIRES: there is no mirror
  Result<std::vector<KeyHash>> MembersIn(HashRange range, uint64_t most) const;
  // Returns whose each slot of a run is.  An error of the source, kCorrupt or
  // (of a list) kInvalidArgument if it names somebody who has no slot.
  Result<Owners> OwnersOf(const RunOfSlots& run,
                          const SlotMatcher& matcher) const;

 private:
  const SlotMirror* mirror_ = nullptr;
  KeySourceRef source_;
  std::span<const KeyHash> list_;
};

// Visits the members of a source in a range; kCorrupt, without further visits,
// if they are not ascending or lie elsewhere.
Status VisitSorted(KeySourceRef source, HashRange range, HashVisitor visit);

// Hands all members of a source over in order, some thousands at a time and
// equal ones together, while the source is not being read.
Status VisitInChunks(
    KeySourceRef source,
    const std::function<Status(std::span<const KeyHash>)>& visit);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_KEYS_MEMBER_INDEX_H_
