// PerfectMatching: which slot is whose, when nobody has written it down.
//
// With an ordered source, a filter knows the slots of a home and its members,
// but not the pairs.  A slot may match several members (equal remainders) and
// a member several slots.  Pairing them greedily can strand one:
//
//            y1   y2                          y1   y2
//   slot 0   x    x      greedy: 0-y1, then   .    x     perfect: 0-y2, 1-y1
//   slot 1   x    .      slot 1 has nobody    x    .
//
// and a member without a slot is a false negative after the next change.  Any
// perfect matching will do: changing slot s to suit its partner leaves every
// other pair as it was.
//
// Cost: augmenting paths, O(n^2) for the few entries of a home.

#ifndef TAMIS_INTERNAL_KEYS_PERFECT_MATCHING_H_
#define TAMIS_INTERNAL_KEYS_PERFECT_MATCHING_H_

#include <cstddef>
#include <vector>

namespace tamis::internal {

// Pairs slots 0 .. count - 1 with members 0 .. count - 1 where
// matches(slot, member) holds.  Returns the member of each slot, or nothing if
// there is no perfect matching.
template <typename Matches>
std::vector<size_t> PerfectMatching(size_t count, const Matches& matches) {
  constexpr size_t kNobody = static_cast<size_t>(-1);
  std::vector<size_t> slot_of(count, kNobody);
  std::vector<bool> seen;
  // Finds a member for `slot`, moving others on if need be.
  const auto place = [&](const auto& self, size_t slot) -> bool {
    for (size_t member = 0; member < count; ++member) {
      if (seen[member] || !matches(slot, member)) continue;
      seen[member] = true;
      if (slot_of[member] == kNobody || self(self, slot_of[member])) {
        slot_of[member] = slot;
        return true;
      }
    }
    return false;
  };
  for (size_t slot = 0; slot < count; ++slot) {
    seen.assign(count, false);
    if (!place(place, slot)) return {};
  }
  std::vector<size_t> member_of(count);
  for (size_t member = 0; member < count; ++member) {
    member_of[slot_of[member]] = member;
  }
  return member_of;
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_KEYS_PERFECT_MATCHING_H_
