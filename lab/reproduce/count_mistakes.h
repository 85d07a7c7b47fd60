// Asking a filter for keys that it does not hold.

#ifndef TAMIS_LAB_REPRODUCE_COUNT_MISTAKES_H_
#define TAMIS_LAB_REPRODUCE_COUNT_MISTAKES_H_

#include <cstdint>
#include <span>

#include "tamis/any_filter.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::tools {

// Asks all queries, adapting to each false positive where the filter can;
// returns how many there were.  REQUIRES: no query is a member
inline Result<uint64_t> CountMistakes(AnyFilter& filter,
                                      std::span<const KeyHash> queries) {
  const bool adapts = filter.capabilities().adapt;
  uint64_t mistakes = 0;
  for (const KeyHash query : queries) {
    if (!filter.MayContain(query)) continue;
    ++mistakes;
    if (adapts) TAMIS_RETURN_IF_ERROR(filter.Adapt(query).status());
  }
  return mistakes;
}

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_COUNT_MISTAKES_H_
