// Utaf: a TAF whose selectors are not compressed.
//
// One byte per slot holds the selector, 0 to 255, so it never has to forget: at
// r = 8 it spends 18.3 bits a slot where TAF spends 11.1.  It is the baseline
// that shows what compression costs, in time and in false positives.
//
//   guarantee   as TAF, for any number of queries
//   adversary   one who repeats false positives wins nothing: each next query
//               is wrong with TAF's probability, until a selector is beyond 255
//   cost        a look-up reads one line and the selectors of its run
//   when full   size() == capacity(): Insert returns kFull, nothing changes
//
// Spec: utaf:r=4..16,members=mirror|caller.
//
// Paper: Lee, McCauley, Singh, Stein: Telescoping filter (ESA 2021), section 6.

#ifndef TAMIS_FILTERS_QUOTIENT_UTAF_H_
#define TAMIS_FILTERS_QUOTIENT_UTAF_H_

#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis {

extern template class internal::AdaptiveQuotient<internal::UtafTraits>;
using Utaf = internal::AdaptiveQuotient<internal::UtafTraits>;

}  // namespace tamis

#endif  // TAMIS_FILTERS_QUOTIENT_UTAF_H_
