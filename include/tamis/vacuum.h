// The vacuum filter: a cuckoo filter whose two bins are close to each other.
//
// As CuckooFilter (cuckoo.h) in everything but the place of the second bin: it
// lies in the same small stretch of the table as the first, for three keys in
// four within a few hundred bins.  The second access then often hits a page,
// or even a line, that the first has brought; the price is that the stretches
// must be long enough to even out how full they get, which is computed for
// every size (alternate_ranges.h).
//
//   Result<VacuumFilter> filter =
//       VacuumFilter::Create({.keys = 1'000'000, .fpr = 0.001});
//
// A load of 0.95 is reached at every size, powers of two or not, for f >= 8.
// Guarantees, formulas and behaviour when full are those of CuckooFilter.
//
// Paper: Wang, Zhou, Shi and Qian, Vacuum Filters, VLDB 2019.

#ifndef TAMIS_VACUUM_H_
#define TAMIS_VACUUM_H_

#include "tamis/filter.h"
#include "tamis/internal/filters/cuckoo/partial_key_filter.h"

namespace tamis {

using VacuumFilter = internal::PartialKeyFilter<internal::VacuumRanges>;

static_assert(ErasableFilter<VacuumFilter>);

}  // namespace tamis

#endif  // TAMIS_VACUUM_H_
