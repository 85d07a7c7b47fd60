// Exaf: the extension adaptive filter, a quotient filter that fixes its false
// positives by storing more of a member's hash.
//
// Slot s holds the first r bits of its member's string; if it was adapted, some
// more bits, its extension, follow in an arithmetic code of 56 bits for 64
// slots.  It is a practical form of the broom filter.
//
//   guarantee   no false negative; a false positive that was fixed stays fixed
//               until extensions are dropped for room: kReset says so
//   against     TAF: look-ups are a little faster, and a longer fingerprint
//   taf         also avoids some false positives that nobody has seen yet; but
//               a fix costs more bits, so room for fewer of them
//   cost        a look-up reads what the RSQF does, and one code where a
//               remainder is equal
//   space       as TAF
//   adversary   one who repeats false positives fills codes sooner than a
//               TAF's: from some 10 unique queries a member on (r = 8) all of
//               them stay such, unless rehash=N gives new strings in time
//               (`tamis reproduce taf-figure-4-adversary`)
//   when full   size() == capacity(): Insert returns kFull, nothing changes
//
// Two traits of the broom filter are options: insert=adapt keeps the
// fingerprints of all members different; rehash=N gives every member a new
// string, and drops all extensions, after each N adapts.
//
// Spec: exaf:r=4..32,overflow=refuse|evict|reset,insert=plain|adapt,rehash=N,
// members=mirror|caller.
//
// Papers: Lee, McCauley, Singh, Stein: Telescoping filter (ESA 2021), section
// 5; Bender et al.: Bloom filters, adaptivity, and the dictionary problem
// (FOCS 2018).

#ifndef TAMIS_EXAF_H_
#define TAMIS_EXAF_H_

#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis {

extern template class internal::AdaptiveQuotient<internal::ExafTraits>;
using Exaf = internal::AdaptiveQuotient<internal::ExafTraits>;

}  // namespace tamis

#endif  // TAMIS_EXAF_H_
