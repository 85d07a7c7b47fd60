// The adaptive cuckoo filters: Cyclic, Swapping and Cuckooing.
//
// Each is a cuckoo filter of k tables with the hash of every key beside it (16
// bytes a slot, not needed by look-ups).  Adapt(x), told that x was a false
// positive, changes every member that collides with x:
//
//   CyclicFilter     cyclic:f=11,s=1   k = 4, b = 1.  A slot has s = 1..3 bits
//                                      that select one of 2^s fingerprints;
//                                      Adapt counts them up.  f + s bits a slot
//   SwappingFilter   swapping:f=12     k = 2, b = 4.  The fingerprint depends
//                                      on the place in the bin; Adapt swaps two
//                                      places of the bin
//   CuckooingFilter  cuckooing:f=12    k = 4, b = 1.  Adapt moves the member to
//                                      its bin in another table.  Costs no bit
//
// k may be given as 2 to 4 for all, b as 1 to 8 for Cuckooing and 2 to 8 for
// Swapping.  Cuckooing has three parameters more:
//
//   move=random        the default: a shortest path to a free slot, from a
//                      random one of the member's other bins
//   move=paper, next   the walks of the ACF and of the telescoping paper.  They
//                      move 13 to 60 entries where the path moves 4 or 5, each
//                      of which may undo another fix
//   fingerprints=table the fingerprint depends on the table too (one otherwise)
//   rebuild=auto       a member that can't be moved has all keys placed anew
//                      under other hashes, as in the papers (never otherwise):
//                      linear, and look-ups hash once more from then on
//
//   Result<CuckooingFilter> made =
//       CuckooingFilter::Create({.keys = 1'000'000, .fpr = 0.001});
//   if (!made.ok()) return made.status();
//   CuckooingFilter& filter = *made;
//   const KeyHash x = filter.hasher().Hash("absent");
//   if (filter.MayContain(x) && !database.Has("absent"))
//     return filter.Adapt(x).status();
//
// Adapt returns kIsMember for a member, kNothingToFix if x is no false
// positive, kFixed, kReset (rebuild=auto: all keys were placed anew, and earlier
// fixes forgotten), or kNotFixed if x still is one: by chance (once more may
// help), or because a member can't be moved (Cuckooing: its way is a loop, or
// the walk took 1000 moves); that member is then exactly where it was.
//
// None of the three stands up to an adversary who learns from answers
// (lab/adversaries/cuckoo_adversary.h shows how): Cyclic and Swapping are beaten by
// one key that agrees with a member in all its fingerprints, Cuckooing by k
// keys, one for each home of a member: wherever the member is, one of them
// collides, whatever the move.  (Played for k = 2: the adversary wins.)
//
// Rebuild(seed) places all keys anew under other hashes, from the mirror: for
// a filter that is full too early, or in which a loop keeps a false positive.
// stats().details counts moves, adapts and rebuilds.
//
// Space, full filters, Erase (kNotFound for a key that is not a member):
// as KeyedCuckooFilter in cuckoo.h.
//
// Papers: Mitzenmacher, Pontarelli and Reviriego, Adaptive Cuckoo Filters;
// Kopelowitz, McCauley and Porat, Support Optimality and Adaptive Cuckoo
// Filters.

#ifndef TAMIS_ADAPTIVE_CUCKOO_H_
#define TAMIS_ADAPTIVE_CUCKOO_H_

#include "tamis/filter.h"
#include "tamis/internal/filters/cuckoo/keyed_filter.h"

namespace tamis {

using CyclicFilter = internal::KeyedFilter<internal::CyclicTraits>;
using SwappingFilter = internal::KeyedFilter<internal::SwappingTraits>;
using CuckooingFilter = internal::KeyedFilter<internal::CuckooingTraits>;

static_assert(AdaptiveFilter<CyclicFilter> && ErasableFilter<CyclicFilter>);
static_assert(AdaptsWithMembers<CyclicFilter>);
static_assert(AdaptiveFilter<SwappingFilter>);
static_assert(!AdaptsWithMembers<CuckooingFilter>);
static_assert(AdaptiveFilter<CuckooingFilter>);

}  // namespace tamis

#endif  // TAMIS_ADAPTIVE_CUCKOO_H_
