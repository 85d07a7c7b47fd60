// MemberMirror: the hashes of all members, in order, in memory.
//
// It is a key source (key_source.h) that the filter keeps itself: exact and
// simple, at 18 to 24 bytes a member.  Hashes are spread evenly, so each has a
// place where it is looked for: hash * places, as in the table.  If others are
// there it stands behind those that are smaller:
//
//   places   | h | h | . | h | h | h | . | h | . | . | h |     ascending
//   home       0   1       3   3   4       7           10
//
// One that is mapped is the sorted list of a file: no homes, no free places.
//
// Invariants (CheckInvariants tests all of them):
//   (M1) Hashes ascend from place to place; a free place is 0, 0.
//   (M2) A hash stands at its home or behind it, and no place between is free.
//   (M3) size() counts them; those that are 0, 0 are counted apart.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tamis/internal/bits/plain_vector.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class MemberMirror {
 public:
  MemberMirror() = default;
  // Of a list that is sorted, or else answers anything.
  static MemberMirror OfSorted(PlainVector<KeyHash> hashes);

  uint64_t size() const { return size_; }
  // Makes room for so many more members; nothing changes if there is none.
  Status Reserve(uint64_t more);
  // REQUIRES: Reserve made room for it
  void Add(KeyHash hash);
  bool Contains(KeyHash hash) const;
  // REQUIRES: Contains(hash)
  void Remove(KeyHash hash);

  // Calls visit(hash) for all members in [low, high], ascending.
  template <typename Visit>
  void ForEach(KeyHash low, KeyHash high, Visit&& visit) const {
    if (low == kNone) {
      for (uint64_t i = 0; i < num_zeros_; ++i) visit(kNone);
    }
    for (uint64_t i = Lower(low); i < limit_; ++i) {
      if (places_[i] == kNone) continue;
      if (high < places_[i]) return;
      visit(places_[i]);
    }
  }
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    ForEach(kNone, {~uint64_t{0}, ~uint64_t{0}}, visit);
  }
  std::vector<KeyHash> All() const {
    return Range(kNone, {~uint64_t{0}, ~uint64_t{0}});
  }
  std::vector<KeyHash> Range(KeyHash low, KeyHash high) const {
    std::vector<KeyHash> found;
    ForEach(low, high, [&](KeyHash hash) { found.push_back(hash); });
    return found;
  }

  // All of them, where they are a sorted list already; else none.
  std::span<const KeyHash> AsList() const {
    return homes_ == 0 ? places_.span() : std::span<const KeyHash>();
  }

  Result<MemberMirror> Copy() const;
  uint64_t SizeBits() const { return places_.SizeBits(); }
  Status CheckInvariants() const;

 private:
  static constexpr KeyHash kNone = {0, 0};

  uint64_t HomeOf(KeyHash hash) const { return Place(hash, homes_).home; }
  // The first place from its home on that is free or holds no less.
  uint64_t Lower(KeyHash hash) const;
  // Moves all to so many homes, with room for `more` behind the last.
  Status Rebuild(uint64_t homes, uint64_t more);

  PlainVector<KeyHash> places_;  // homes_, and a tail
  uint64_t homes_ = 0;           // 0: a sorted list
  uint64_t limit_ = 0;           // behind the last place in use
  uint64_t size_ = 0;
  uint64_t num_zeros_ = 0;  // members that look like a free place
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_
