// NearestName: what a mistyped name may have meant.
//
//   DidYouMean("rsfq", names)   " (did you mean 'rsqf'?)"
//   DidYouMean("kitchen", names)   ""

#ifndef TAMIS_INTERNAL_BASE_NEAREST_NAME_H_
#define TAMIS_INTERNAL_BASE_NEAREST_NAME_H_

#include <span>
#include <string>
#include <string_view>

namespace tamis::internal {

// Returns the first of `names` with the fewest letters to insert, delete,
// replace or swap with their neighbours to make it of `word`; empty if those
// are more than a third of it, so that it is no guess but a hit.
std::string_view NearestName(std::string_view word,
                             std::span<const std::string_view> names);

// The same in words, for the end of a message; empty if there is none.
std::string DidYouMean(std::string_view word,
                       std::span<const std::string_view> names);

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BASE_NEAREST_NAME_H_
