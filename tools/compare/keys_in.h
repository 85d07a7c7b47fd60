// KeysIn: where the keys of the set are, which decides what memory counts.
//
//   ram     All memory of the process counts: the filter, and the mirror,
//           copies or duplicates that it keeps beside.  A filter that could ask
//           a database for its members has none to ask.
//   store   A database sorted by hash has the keys.  Filters that can take
//           members from it (members=caller) keep nothing beside, and each
//           adapt is one more read, of an interval of hashes.  Others, such as
//           the cuckoo kinds, keep their mirror, and it counts.
//
// The papers count what a look-up needs and nothing beside it; experiments of
// theirs are made that way, comparisons for users never are (kUncounted).

#ifndef TAMIS_TOOLS_COMPARE_KEYS_IN_H_
#define TAMIS_TOOLS_COMPARE_KEYS_IN_H_

#include <string_view>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::tools {

enum class KeysIn { kRam, kStore, kUncounted };

std::string_view ToString(KeysIn keys_in);
Result<KeysIn> ParseKeysIn(std::string_view text);

// Returns the spec as it is to be made where the keys are there: with members
// from the caller in a store, and of kinds that grow, which do so without any,
// in RAM too.  A spec that gives `members` is kept.
Spec SpecFor(const Spec& spec, KeysIn keys_in);

// Says whether a filter takes members from whoever calls Adapt.
bool AsksCaller(const AnyFilter& filter);

// Says whether a filter learns from mistakes where the keys are there.
bool CanLearn(const AnyFilter& filter, KeysIn keys_in);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_KEYS_IN_H_
