// What the adaptive quotient filters can be asked to do.

#ifndef TAMIS_ADAPTIVE_OPTIONS_H_
#define TAMIS_ADAPTIVE_OPTIONS_H_

#include <cstdint>

#include "tamis/key_source.h"

namespace tamis {

// What to forget when the code of a group of 64 slots has no room for one fix
// more.  Where entries have to move, for an insert or an erase, kRefuse does as
// kEvict.
enum class OverflowPolicy {
  kRefuse,  // nothing: leave the new false positive unfixed, and say so
  kEvict,   // the cheapest other fixes of the group, until it fits
  kReset,   // all other fixes of the group (the papers' rebuild)
};

// Who knows the members (key_source.h), if there is no source.
enum class MembersFrom {
  kMirror,  // the filter itself
  kCaller,  // whoever calls Adapt, and Erase where that is needed
};

struct AdaptiveOptions {
  uint64_t slots = 0;      // homes; also the number of keys it can hold
  int remainder_bits = 8;  // r
  OverflowPolicy overflow = OverflowPolicy::kRefuse;
  // If set, the filter keeps no mirror and asks this source instead.
  KeySourceRef source = {};
  MembersFrom members = MembersFrom::kMirror;
  // TAF: the unique absent queries per member that the code is made for;
  // 0: as many as it can hold.  At most 1e9.
  double queries_per_member = 0;
  // TAF: bits of the code of 64 selectors, a multiple of 8 from 16 to 128, and
  // the (x, y) of its model (the paper's appendix C.3): P(0) = 1 - 2^-x, P(i)
  // falls by 2^-y a step; x to 24, y to 7.  0: what suits the queries best.
  int code_bits = 56;
  int code_x = 0;
  int code_y = 0;
  // exAF, the broom filter's traits.  Adapt on insert: no two members have
  // equal fingerprints.  Rehash: after so many adapts give all members new
  // strings, and their extensions back; 0: never.
  bool adapt_on_insert = false;
  uint64_t rehash_after = 0;
};

}  // namespace tamis

#endif  // TAMIS_ADAPTIVE_OPTIONS_H_
