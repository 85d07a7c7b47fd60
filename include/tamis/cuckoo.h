// The cuckoo filter: fingerprints in one of two bins, moved when in the way.
//
// Two filters share the name "cuckoo" in specs:
//
//   CuckooFilter       cuckoo:f=12          the classic one of Fan, Andersen,
//                      2 bins of 4 slots    Kaminsky and Mitzenmacher (2014);
//                                           needs no keys (partial-key)
//   KeyedCuckooFilter  cuckoo:f=12,k=4,b=1  k tables with independent hashes;
//                      k = 2..4, b = 1..8   keeps the hash of each key beside
//
//   Result<CuckooFilter> filter =
//       CuckooFilter::Create({.keys = 1'000'000, .fpr = 0.001});
//   if (!filter.ok()) return filter.status();
//   TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
//
// f is 4 to 32 bits, packed without gaps; the number of slots is what is asked
// for, rounded up to whole bins of all tables, not to a power of two.
//
//   false positives   about (slots looked at) * load / 2^f (cuckoo_math.h):
//                     8 slots for the classic filter, k b for the keyed one
//   space             f / load bits a key; a load of 0.95 is reached for
//                     f >= 8 (below, large tables end earlier)
//   when full         Insert returns kFull, and the filter is what it was, bit
//                     for bit.  That may happen before size() == capacity():
//                     when no free slot is within reach of the search.  The
//                     same key fits at most k b times (8 times for classic).
//   Erase             CuckooFilter can't tell members from others: erase only
//                     what you inserted.  KeyedCuckooFilter returns kNotFound.
//
// Cost: two random lines a look-up (keyed: k); in batches they overlap.
// Thread safety: as all filters (filter.h).

#ifndef TAMIS_CUCKOO_H_
#define TAMIS_CUCKOO_H_

#include "tamis/filter.h"
#include "tamis/internal/filters/cuckoo/keyed_filter.h"
#include "tamis/internal/filters/cuckoo/partial_key_filter.h"

namespace tamis {

using CuckooFilter = internal::PartialKeyFilter<internal::WholeTable>;
using KeyedCuckooFilter = internal::KeyedFilter<internal::StaticTraits>;

static_assert(ErasableFilter<CuckooFilter>);
static_assert(ErasableFilter<KeyedCuckooFilter>);

}  // namespace tamis

#endif  // TAMIS_CUCKOO_H_
