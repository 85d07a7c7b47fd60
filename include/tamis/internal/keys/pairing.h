// Pairing: which slot is whose, when nobody has written it down.
//
// Without a mirror a filter knows the slots of a home, and some or all of its
// members, but not the pairs.  A slot may match several members (equal
// remainders) and a member several slots.  Pairing them greedily can strand one:
//
//            y1   y2                          y1   y2
//   slot 0   x    x      greedy: 0-y1, then   .    x     perfect: 0-y2, 1-y1
//   slot 1   x    .      slot 1 has nobody    x    .
//
// and a member without a slot is a false negative after the next change.  Where
// every member is known, any perfect matching will do: changing slot s to suit
// its partner leaves every other pair as it was.
//
// Where some are not known (they are in the filter, and not yet in the source),
// slots are left over, and not even that is enough: of y1's two slots above the
// other may be that of y2, whom nobody named.  So a slot is *certain* only if it
// has a partner in every matching of the known members.  If one of them, y, may
// sit in a slot s that was left over instead of in t, then t may be free:
//
//   s left over  --y matches s, sits in t-->  t uncertain  --> and so on
//
// What is not reached from a slot left over is certain; only such a slot may be
// changed.  (Changing it can't take anything from an unknown member: in every
// true assignment it belongs to the known ones, who can exchange theirs.)
// Contents that nest, prefixes, are taken longest first and are all certain:
// whoever sits in the longer one also matches the shorter one that is left.
//
// Slots of equal content are one with a count, and so are equal members: the
// cost is that of the different ones, however often a key was inserted.

#ifndef TAMIS_INTERNAL_KEYS_PAIRING_H_
#define TAMIS_INTERNAL_KEYS_PAIRING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamis/key_hash.h"

namespace tamis::internal {

// What a filter tells of the contents of its slots.
class SlotMatcher {
 public:
  virtual ~SlotMatcher() = default;
  virtual bool Matches(uint64_t content, KeyHash member) const = 0;
  // Are contents prefixes, the longer ones greater?
  virtual bool Nests() const = 0;
};

// The member of each slot; nobody where it is not certain.
using Owners = std::vector<std::optional<KeyHash>>;

// Returns nothing if some member can have no slot: it is a stranger.
// REQUIRES: `members` is ascending
std::optional<Owners> PairSlots(std::span<const uint64_t> contents,
                                std::span<const KeyHash> members,
                                const SlotMatcher& matcher);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_KEYS_PAIRING_H_
