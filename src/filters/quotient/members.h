// AdaptiveQuotient: which slot is whose, by mirror or by source.

#ifndef TAMIS_FILTERS_QUOTIENT_MEMBERS_H_
#define TAMIS_FILTERS_QUOTIENT_MEMBERS_H_

#include <algorithm>
#include <vector>

#include "tamis/internal/filters/quotient/adaptive_quotient.h"
#include "tamis/internal/keys/home_range.h"
#include "tamis/internal/keys/perfect_matching.h"

namespace tamis::internal {

template <typename Kind>
bool AdaptiveQuotient<Kind>::MayContainOfAnyWidth(KeyHash hash) const {
  return WithMatchingShape(table_.shape(), [&](const auto& shape) {
    return is_adapted_ ? LookupOf(shape).MayContain(hash)
                       : RemainderLookup(table_, shape).MayContain(hash);
  });
}

template <typename Kind>
void AdaptiveQuotient<Kind>::MayContain(std::span<const KeyHash> hashes,
                                        std::span<bool> results) const {
  WithMatchingShape(table_.shape(), [&](const auto& shape) {
    is_adapted_ ? LookupOf(shape).MayContain(hashes, results)
                : RemainderLookup(table_, shape).MayContain(hashes, results);
  });
}

template <typename Kind>
uint32_t AdaptiveQuotient<Kind>::LetterAt(uint64_t slot) const {
  for (const PendingGroup& pending : pending_) {
    if (pending.group == GroupOf(slot)) {
      return pending.letters.at(PlaceInGroup(slot));
    }
  }
  return letters_.at(slot);
}

template <typename Kind>
bool AdaptiveQuotient<Kind>::SlotMatches(uint64_t slot,
                                         const HashString& string) const {
  return Kind::Matches(string, table_.width(), LetterAt(slot),
                       table_.Get(slot));
}

template <typename Kind>
std::optional<uint64_t> AdaptiveQuotient<Kind>::FindMatch(SlotRange run,
                                                          KeyHash x) const {
  const HashString string = StringOf(x);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (SlotMatches(slot, string)) return slot;
  }
  return std::nullopt;
}

template <typename Kind>
bool AdaptiveQuotient<Kind>::IsMember(KeyHash hash) const {
  if (has_mirror()) return FindSlotOf(hash).has_value();
  bool found = false;
  (void)options_.source.ForEachInRange(hash, hash,
                                       [&](KeyHash) { found = true; });
  return found;
}

template <typename Kind>
std::optional<uint64_t> AdaptiveQuotient<Kind>::FindSlotOf(KeyHash hash) const {
  const uint64_t home = HomeOf(hash);
  const SlotRange run = table_.FindRun(home);
  if (has_mirror()) {
    for (uint64_t slot = run.limit; slot > run.begin; --slot) {
      if (mirror_.at(slot - 1) == hash) return slot - 1;
    }
    return std::nullopt;
  }
  const std::vector<KeyHash> members = PairRun(home, run);
  const auto at = std::find(members.begin(), members.end(), hash);
  if (at == members.end()) return std::nullopt;
  return run.begin + static_cast<uint64_t>(at - members.begin());
}

template <typename Kind>
std::optional<KeyHash> AdaptiveQuotient<Kind>::MemberAt(uint64_t slot) const {
  if (has_mirror()) return mirror_.at(slot);
  const uint64_t home = HomeOfSlot(slot);
  const SlotRange run = table_.FindRun(home);
  const std::vector<KeyHash> members = PairRun(home, run);
  if (members.empty()) return std::nullopt;
  return members[slot - run.begin];
}

template <typename Kind>
std::vector<KeyHash> AdaptiveQuotient<Kind>::MembersOfHome(
    uint64_t home) const {
  std::vector<KeyHash> members;
  const HashRange range = HashesOfHome(home, table_.homes());
  (void)options_.source.ForEachInRange(
      range.low, range.high, [&](KeyHash hash) { members.push_back(hash); });
  if (leaving_.has_value()) {
    const auto at = std::find(members.begin(), members.end(), *leaving_);
    if (at != members.end()) members.erase(at);
  }
  return members;
}

template <typename Kind>
std::vector<KeyHash> AdaptiveQuotient<Kind>::PairRun(uint64_t home,
                                                     SlotRange run) const {
  const std::vector<KeyHash> members = MembersOfHome(home);
  if (members.size() != run.size()) return {};
  std::vector<HashString> strings;
  strings.reserve(members.size());
  for (const KeyHash hash : members) strings.push_back(StringOf(hash));
  std::vector<KeyHash> paired;
  for (const size_t member :
       PerfectMatching(members.size(), [&](size_t slot, size_t i) {
         return SlotMatches(run.begin + slot, strings[i]);
       })) {
    paired.push_back(members[member]);
  }
  return paired;
}

// Runs stand in the order of their homes, so the home of a slot in use is the
// first whose run ends behind it.
template <typename Kind>
uint64_t AdaptiveQuotient<Kind>::HomeOfSlot(uint64_t slot) const {
  uint64_t low = 0;
  uint64_t high = std::min(slot, table_.homes() - 1);
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (table_.FindRun(middle).limit > slot) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_MEMBERS_H_
