// AdaptiveQuotient: adapting, and making room in a code for it.

#ifndef TAMIS_FILTERS_QUOTIENT_ADAPT_H_
#define TAMIS_FILTERS_QUOTIENT_ADAPT_H_

#include <bit>

#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis::internal {

// Of two outcomes, the one that promises less.
inline AdaptOutcome Worse(AdaptOutcome a, AdaptOutcome b) {
  const auto rank = [](AdaptOutcome outcome) {
    switch (outcome) {
      case AdaptOutcome::kNothingToFix:
        return 0;
      case AdaptOutcome::kFixed:
        return 1;
      case AdaptOutcome::kReset:
        return 2;
      case AdaptOutcome::kNotFixed:
        return 3;
    }
    return 3;
  };
  return rank(a) < rank(b) ? b : a;
}

template <typename Kind>
Result<AdaptOutcome> AdaptiveQuotient<Kind>::Adapt(KeyHash x) {
  if (IsMember(x)) {
    return Status(StatusCode::kIsMember, "can't adapt to a member");
  }
  const SlotRange run = table_.FindRun(HomeOf(x));
  // Making room in a code may bring another slot of the run back to a value
  // that collides with x, so look again after every fix; a slot that is fixed
  // over and over means that there is no room.
  uint64_t tries = 4 * run.size() + 4;
  AdaptOutcome outcome = AdaptOutcome::kNothingToFix;
  for (auto slot = FindMatch(run, x); slot.has_value();
       slot = FindMatch(run, x)) {
    if (outcome == AdaptOutcome::kNothingToFix) ++counts_.adapts;
    outcome = tries-- == 0 ? AdaptOutcome::kNotFixed
                           : Worse(outcome, FixSlot(*slot, x));
    if (source_differs_) {
      return Status(StatusCode::kCorrupt,
                    "the key source has other members than the filter");
    }
    if (outcome == AdaptOutcome::kNotFixed) {
      ++counts_.refusals;
      break;
    }
    if (options_.rehash_after != 0 &&
        counts_.adapts / options_.rehash_after > counts_.rehashes) {
      RehashAll();
    }
  }
  return outcome;
}

template <typename Kind>
AdaptOutcome AdaptiveQuotient<Kind>::FixSlot(uint64_t slot, KeyHash x) {
  const std::optional<KeyHash> member = MemberAt(slot);
  if (!member.has_value()) {
    source_differs_ = true;
    return AdaptOutcome::kNotFixed;
  }
  const auto next = Kind::Next(StringOf(*member), StringOf(x), table_.width(),
                               LetterAt(slot));
  if (!next.has_value()) return AdaptOutcome::kNotFixed;
  GroupLetters letters = letters_.Group(GroupOf(slot));
  letters.Set(PlaceInGroup(slot), next->letter);
  if (!letters_.Store(GroupOf(slot), letters)) {
    return MakeRoom(slot, *member, next->letter);
  }
  NoteLetter(slot, next->letter);
  table_.Set(slot, ValueOf(*member, next->letter));
  return next->forgets ? AdaptOutcome::kReset : AdaptOutcome::kFixed;
}

// What look-ups have to know of a letter that is being set: (A4), (A5).
template <typename Kind>
void AdaptiveQuotient<Kind>::NoteLetter(uint64_t slot, uint32_t letter) {
  is_adapted_ |= letter != 0;
  if (MarksLines() && letter > 1) table_.Mark(table_.shape().LocateSlot(slot).line);
}

// Gives `slot` a letter that its group has no room for, as the policy says.
template <typename Kind>
AdaptOutcome AdaptiveQuotient<Kind>::MakeRoom(uint64_t slot, KeyHash member,
                                              uint32_t letter) {
  if (options_.overflow == OverflowPolicy::kRefuse) {
    return AdaptOutcome::kNotFixed;
  }
  NoteLetter(slot, letter);
  const int place = PlaceInGroup(slot);
  pending_.push_back({GroupOf(slot), letters_.Group(GroupOf(slot))});
  PendingGroup& pending = pending_.back();
  pending.letters.Set(place, letter);
  table_.Set(slot, ValueOf(member, letter));
  if (options_.overflow == OverflowPolicy::kReset) {
    DropOthers(pending, place);
  }
  const bool stored = EvictUntilStored(pending, place);
  if (!stored) {  // not even alone
    DropLetter(pending, place);
    (void)letters_.Store(pending.group, pending.letters);
  }
  pending_.clear();
  return stored ? AdaptOutcome::kReset : AdaptOutcome::kNotFixed;
}

// Sets a letter to 0, and the value of its slot to what that stands for.
template <typename Kind>
void AdaptiveQuotient<Kind>::DropLetter(PendingGroup& pending, int place) {
  if constexpr (Kind::kValueDependsOnLetter) {
    const uint64_t slot =
        pending.group * kGroupSlots + static_cast<unsigned>(place);
    const std::optional<KeyHash> member = MemberAt(slot);
    if (member.has_value()) {
      table_.Set(slot, ValueOf(*member, 0));
    } else {
      source_differs_ = true;
    }
  }
  pending.letters.Set(place, 0);
}

template <typename Kind>
void AdaptiveQuotient<Kind>::DropOthers(PendingGroup& pending, int keep) {
  ++counts_.resets;
  for (uint64_t left = pending.letters.nonzero; left != 0; left &= left - 1) {
    const int place = std::countr_zero(left);
    if (place != keep) DropLetter(pending, place);
  }
}

// Returns the place of the least letter that is not 0, the first one after
// `keep` going round; -1 if there is none but that at `keep`.
inline int CheapestPlace(const GroupLetters& letters, int keep) {
  int cheapest = -1;
  for (int step = 1; step <= kGroupSlots; ++step) {
    const int place = (keep + step + kGroupSlots) % kGroupSlots;
    const uint32_t letter = letters.at(place);
    if (letter == 0 || place == keep) continue;
    if (cheapest < 0 || letter < letters.at(cheapest)) cheapest = place;
  }
  return cheapest;
}

template <typename Kind>
bool AdaptiveQuotient<Kind>::EvictUntilStored(PendingGroup& pending, int keep) {
  while (!letters_.Store(pending.group, pending.letters)) {
    const int place = CheapestPlace(pending.letters, keep);
    if (place < 0) return false;
    DropLetter(pending, place);
    ++counts_.evictions;
  }
  return true;
}

// Stores the groups that a shift left without room.
template <typename Kind>
void AdaptiveQuotient<Kind>::StorePending() {
  constexpr int kNone = -1;
  for (PendingGroup& pending : pending_) {
    if (options_.overflow == OverflowPolicy::kReset) {
      DropOthers(pending, kNone);
    }
    (void)EvictUntilStored(pending, kNone);
  }
  pending_.clear();
}

template <typename Kind>
void AdaptiveQuotient<Kind>::RehashAll() {
  ++counts_.rehashes;
  is_adapted_ = true;
  letters_.ClearAll();
  uint64_t home_of_members = ~uint64_t{0};
  std::vector<KeyHash> members;
  table_.ForEach([&](uint64_t home, uint64_t slot, uint64_t /*value*/) {
    if (has_mirror()) {
      table_.Set(slot, ValueOf(mirror_.at(slot), 0));
      return;
    }
    if (home != home_of_members) {
      members = MembersOfHome(home);
      home_of_members = home;
    }
    if (members.empty()) {
      source_differs_ = true;
      return;
    }
    table_.Set(slot, ValueOf(members.back(), 0));
    members.pop_back();
  });
}

// Adapts the entries of the run of `hash`, a member, until no two different
// members have equal fingerprints.
template <typename Kind>
void AdaptiveQuotient<Kind>::SeparateFromRun(KeyHash hash) {
  const SlotRange run = table_.FindRun(HomeOf(hash));
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    const std::optional<KeyHash> other = MemberAt(slot);
    if (!other.has_value() || *other == hash) continue;
    if (SlotMatches(slot, StringOf(hash))) (void)FixSlot(slot, hash);
    const std::optional<uint64_t> own = FindSlotOf(hash);
    if (own.has_value() && SlotMatches(*own, StringOf(*other))) {
      (void)FixSlot(*own, *other);
    }
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_ADAPT_H_
