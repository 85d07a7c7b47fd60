// Pairing entries with members.
//
// Each member has an entry that is a prefix of it, but nobody knows which.  Any
// pairing that leaves no member without one will do: prefixes nest, so whoever
// loses a long entry can take the shorter one that its rival gives up.
//
//   entries    01101   011   01        members   0110110   0111010   0100001
//   longest first:     01101 - 0110110,  011 - 0111010,  01 - 0100001
//
// The longest entry takes any member it covers; what the others cover loses
// nothing by it, for they contain the longest one or do not meet it.  (By the
// longest match of each member, one by one, it would go wrong.)  If the list
// lacks members, the entries of the others stay unpaired, and that is safe too.

#ifndef TAMIS_FILTERS_TAMIS_PAIRING_H_
#define TAMIS_FILTERS_TAMIS_PAIRING_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "tamis/internal/filters/tamis/prefix.h"

namespace tamis::internal {

struct Pair {
  Prefix entry;
  Position member;
};

// Returns the pairs; nothing if a member is left over, which then is none.
// REQUIRES: members are sorted
inline std::optional<std::vector<Pair>> PairLongestFirst(
    std::vector<Prefix> entries, std::span<const Position> members) {
  std::stable_sort(
      entries.begin(), entries.end(),
      [](const Prefix& a, const Prefix& b) { return a.length > b.length; });
  // next[i]: the first free member from i on, with the path shortened.
  std::vector<size_t> next(members.size() + 1);
  std::iota(next.begin(), next.end(), size_t{0});
  const auto first_free = [&](size_t i) {
    while (next[i] != i) i = next[i] = next[next[i]];
    return i;
  };
  std::vector<Pair> pairs;
  for (const Prefix& entry : entries) {
    const auto low =
        std::lower_bound(members.begin(), members.end(), entry.low);
    const size_t at = first_free(static_cast<size_t>(low - members.begin()));
    if (at == members.size() || !entry.Covers(members[at])) continue;
    pairs.push_back({entry, members[at]});
    next[at] = at + 1;
  }
  if (pairs.size() != members.size()) return std::nullopt;
  return pairs;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_TAMIS_PAIRING_H_
