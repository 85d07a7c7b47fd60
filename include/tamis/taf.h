// Taf: the telescoping adaptive filter, a quotient filter that fixes its false
// positives by storing another part of a member's hash.
//
//   Result<Taf> filter = Taf::Create({.keys = 1'000'000, .fpr = 0.004});
//   if (!filter.ok()) return filter.status();
//   TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
//   const KeyHash x = filter->hasher().Hash("absent");
//   if (filter->MayContain(x) && !database.Has("absent"))
//     return filter->Adapt(x).status();
//
// Slot s holds window i of its member's string, r bits at i * r, with i, the
// selector, from 0 to 7.  The selectors of 64 slots are one arithmetic code of
// 56 bits, in an array beside the table.
//
//   guarantee   no false negative.  A query is a false positive with
//               probability 1 - exp(-load 2^-r), whatever was asked before
//               (Theorem 1 of the paper), until codes overflow: from about
//               20 unique queries per member on, at r = 8.  (Where queries
//               come again, selectors grow faster than Corollary 3 says:
//               P(v >= k) = E[(1 - (1 - 2^-r)^N)^k] with N queries in a home;
//               `tamis reproduce taf-theory`.)  Beyond, an adversary who
//               repeats false positives can make all of its queries such.
//   adapting    after kFixed or kReset x is no false positive, until a later
//               change of the slots it collided with; kNotFixed has changed
//               nothing
//   cost        a look-up reads one line, rarely two, and one code where a
//               slot of the run equals a window of the query that its selector
//               may stand for
//   space       table + 0.875 bits a slot (11.1 at r = 8), or code / 64; beside
//               it 16 bytes a slot for the mirror, unless there is a key source
//               or the caller brings the members.  Longer codes hold more:
//               `tamis reproduce taf-codes` has the queries before overflow
//               for codes of 16 to 128 bits
//   when full   size() == capacity(): Insert returns kFull, nothing changes
//   multiset    a key inserted twice is there twice
//
// Spec: taf:r=4..16,overflow=refuse|evict|reset,c=QUERIES_PER_MEMBER,
// code=16..128,x=,y=,members=mirror|caller.
//
// Paper: Lee, McCauley, Singh, Stein: Telescoping filter (ESA 2021).

#ifndef TAMIS_TAF_H_
#define TAMIS_TAF_H_

#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis {

extern template class internal::AdaptiveQuotient<internal::TafTraits>;
using Taf = internal::AdaptiveQuotient<internal::TafTraits>;

}  // namespace tamis

#endif  // TAMIS_TAF_H_
