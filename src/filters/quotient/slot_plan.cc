#include "filters/quotient/slot_plan.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tamis::internal {
namespace {

constexpr int kNoPlace = -1;

// The slots of `group` in [begin, last], as places in the group.
struct PlaceRange {
  int first;
  int last;
};
PlaceRange PlacesInGroup(uint64_t group, uint64_t begin, uint64_t last) {
  const uint64_t start = group * kGroupSlots;
  return {static_cast<int>(std::max(begin, start) - start),
          static_cast<int>(std::min(last, start + kGroupSlots - 1) - start)};
}

uint64_t MaskOf(PlaceRange places) {
  return LowBits(static_cast<unsigned>(places.last) + 1) &
         ~LowBits(static_cast<unsigned>(places.first));
}

// Moves letters [first, last) of a group one place up; `incoming` enters at the
// end that is left.  Returns the letter that is pushed out at the other end.
uint32_t MoveUp(GroupLetters& letters, PlaceRange places, uint32_t incoming) {
  const uint32_t pushed_out = letters.at(places.last);
  const uint64_t mask = MaskOf(places);
  const auto begin = letters.values.begin();
  std::copy_backward(begin + places.first, begin + places.last,
                     begin + places.last + 1);
  letters.nonzero =
      (letters.nonzero & ~mask) | (((letters.nonzero & mask) << 1) & mask);
  letters.Set(places.first, incoming);
  return pushed_out;
}

// Moves letters (first, last] one place down.
uint32_t MoveDown(GroupLetters& letters, PlaceRange places, uint32_t incoming) {
  const uint32_t pushed_out = letters.at(places.first);
  const uint64_t mask = MaskOf(places);
  const auto begin = letters.values.begin();
  std::copy(begin + places.first + 1, begin + places.last + 1,
            begin + places.first);
  letters.nonzero =
      (letters.nonzero & ~mask) | (((letters.nonzero & mask) >> 1) & mask);
  letters.Set(places.last, incoming);
  return pushed_out;
}

// Returns the place of the least letter that is not 0, the first one after
// `keep` going round; kNoPlace if there is none but that at `keep` and those
// that are stuck.
int CheapestPlace(const GroupLetters& letters, int keep, uint64_t stuck) {
  int cheapest = kNoPlace;
  for (int step = 1; step <= kGroupSlots; ++step) {
    const int place = (keep + step + kGroupSlots) % kGroupSlots;
    const uint32_t letter = letters.at(place);
    if (letter == 0 || place == keep || ((stuck >> place) & 1) != 0) continue;
    if (cheapest < 0 || letter < letters.at(cheapest)) cheapest = place;
  }
  return cheapest;
}

}  // namespace

// A group beyond the last is in the tail that the table is about to grow.
GroupLetters SlotPlan::LettersNow(uint64_t group) const {
  const LetterStore& letters = filter_.letters();
  if (group >= letters.num_groups() || letters.AllZero(group)) return {};
  return letters.Group(group);
}

void SlotPlan::Encode(Group& group) {
  group.code = filter_.letters().Encode(group.letters);
}

void SlotPlan::AddShifted(uint64_t group, const GroupLetters& letters) {
  groups_.push_back({group, letters, std::nullopt});
  Encode(groups_.back());
}

void SlotPlan::ShiftUp(SlotRange moved, KeyHash newcomer, uint64_t value) {
  moved_ = moved;
  by_ = 1;
  newcomer_ = newcomer;
  values_.emplace_back(moved.begin, value);
  uint32_t carry = 0;
  for (uint64_t g = GroupOf(moved.begin); g <= GroupOf(moved.limit); ++g) {
    GroupLetters letters = LettersNow(g);
    if (letters.nonzero == 0 && carry == 0) continue;
    carry = MoveUp(letters, PlacesInGroup(g, moved.begin, moved.limit), carry);
    AddShifted(g, letters);
  }
}

void SlotPlan::ShiftDown(SlotRange moved) {
  moved_ = moved;
  by_ = -1;
  uint32_t carry = 0;
  for (uint64_t g = GroupOf(moved.limit - 1) + 1;
       g-- > GroupOf(moved.begin - 1);) {
    GroupLetters letters = LettersNow(g);
    if (letters.nonzero == 0 && carry == 0) continue;
    carry = MoveDown(letters,
                     PlacesInGroup(g, moved.begin - 1, moved.limit - 1), carry);
    AddShifted(g, letters);
  }
}

uint64_t SlotPlan::SlotNow(uint64_t slot) const {
  if (by_ > 0 && slot > moved_.begin && slot <= moved_.limit) return slot - 1;
  if (by_ < 0 && slot + 1 >= moved_.begin && slot + 1 < moved_.limit) {
    return slot + 1;
  }
  return slot;
}

SlotPlan::Group& SlotPlan::Load(uint64_t group) {
  for (Group& known : groups_) {
    if (known.index == group) return known;
  }
  AddShifted(group, LettersNow(group));
  return groups_.back();
}

uint32_t SlotPlan::LetterAt(uint64_t slot) const {
  for (const Group& group : groups_) {
    if (group.index == GroupOf(slot)) {
      return group.letters.at(PlaceInGroup(slot));
    }
  }
  return IsNewcomer(slot) ? 0 : filter_.letters().at(SlotNow(slot));
}

uint64_t SlotPlan::ValueAt(uint64_t slot) const {
  for (auto at = values_.rbegin(); at != values_.rend(); ++at) {
    if (at->first == slot) return at->second;
  }
  return filter_.table_.Get(SlotNow(slot));
}

bool SlotPlan::Matches(uint64_t slot, const HashString& string) const {
  return filter_.scheme().Matches(string, filter_.table_.width(),
                                  LetterAt(slot), ValueAt(slot));
}

Result<std::optional<KeyHash>> SlotPlan::Owner(uint64_t slot) {
  if (IsNewcomer(slot)) return newcomer_;
  const uint64_t now = SlotNow(slot);
  if (index_.mirror() != nullptr) {
    return std::optional<KeyHash>(index_.mirror()->at(now));
  }
  for (const KnownRun& run : known_) {
    if (run.slots.begin <= now && now < run.slots.limit) {
      return run.owners[now - run.slots.begin];
    }
  }
  const uint64_t home = filter_.HomeOfSlot(now);
  TAMIS_ASSIGN_OR_RETURN(Owners owners, filter_.OwnersOf(home, index_));
  known_.push_back({filter_.table_.FindRun(home), std::move(owners)});
  return known_.back().owners[now - known_.back().slots.begin];
}

void SlotPlan::SetFor(Group& group, int place, KeyHash owner, uint32_t letter) {
  const uint64_t slot =
      group.index * kGroupSlots + static_cast<unsigned>(place);
  group.letters.Set(place, letter);
  if (!filter_.scheme().ValueDependsOnLetter()) return;
  values_.emplace_back(slot,
                       filter_.scheme().Value(filter_.StringOf(owner),
                                              filter_.table_.width(), letter));
}

// Sets a letter to 0, and the value of its slot to what that stands for.  False
// if the slot's owner would have to be known, and is not.
Result<bool> SlotPlan::Drop(Group& group, int place) {
  KeyHash owner;
  if (filter_.scheme().ValueDependsOnLetter()) {
    TAMIS_ASSIGN_OR_RETURN(
        const std::optional<KeyHash> known,
        Owner(group.index * kGroupSlots + static_cast<unsigned>(place)));
    if (!known.has_value()) return false;
    owner = *known;
  }
  SetFor(group, place, owner, 0);
  losses_.any = true;
  return true;
}

Status SlotPlan::DropOthers(Group& group, int keep) {
  ++losses_.resets;
  for (uint64_t left = group.letters.nonzero; left != 0; left &= left - 1) {
    const int place = std::countr_zero(left);
    if (place == keep) continue;
    TAMIS_RETURN_IF_ERROR(Drop(group, place).status());
  }
  Encode(group);
  return {};
}

Result<bool> SlotPlan::EvictUntilItFits(Group& group, int keep) {
  uint64_t stuck = 0;
  while (!group.code.has_value()) {
    const int place = CheapestPlace(group.letters, keep, stuck);
    if (place == kNoPlace) return false;
    TAMIS_ASSIGN_OR_RETURN(const bool dropped, Drop(group, place));
    if (!dropped) {
      stuck |= uint64_t{1} << place;
      continue;
    }
    ++losses_.evictions;
    Encode(group);
  }
  return true;
}

Result<bool> SlotPlan::MakeRoomIn(Group& group, int keep) {
  if (filter_.options_.overflow == OverflowPolicy::kReset) {
    TAMIS_RETURN_IF_ERROR(DropOthers(group, keep));
  }
  return EvictUntilItFits(group, keep);
}

Status SlotPlan::MakeRoom() {
  for (Group& group : groups_) {
    if (group.code.has_value()) continue;
    TAMIS_ASSIGN_OR_RETURN(const bool fits, MakeRoomIn(group, kNoPlace));
    if (fits) continue;
    return index_.has_source()
               ? Status(StatusCode::kStale,
                        "a fix has to be forgotten for room, and the key "
                        "source does not list its member yet")
               : Status(StatusCode::kFull,
                        "a fix would have to be forgotten for room, and its "
                        "member is not known");
  }
  return {};
}

Result<bool> SlotPlan::Separate(uint64_t slot, KeyHash x) {
  TAMIS_ASSIGN_OR_RETURN(const std::optional<KeyHash> owner, Owner(slot));
  if (!owner.has_value()) return false;
  const auto next =
      filter_.scheme().Next(filter_.StringOf(*owner), filter_.StringOf(x),
                            filter_.table_.width(), LetterAt(slot));
  if (!next.has_value()) return false;
  Group& group = Load(GroupOf(slot));
  const Group before = group;
  const size_t values_before = values_.size();
  const Losses losses_before = losses_;
  SetFor(group, PlaceInGroup(slot), *owner, next->letter);
  Encode(group);
  bool fits = group.code.has_value();
  if (!fits && filter_.options_.overflow != OverflowPolicy::kRefuse) {
    TAMIS_ASSIGN_OR_RETURN(fits, MakeRoomIn(group, PlaceInGroup(slot)));
  }
  if (!fits) {
    group = before;
    values_.resize(values_before);
    losses_ = losses_before;
    return false;
  }
  losses_.any |= next->forgets;
  return true;
}

// Making room in a code may bring another slot of the run back to a value that
// collides with x, so look again; a slot that has to be changed over and over
// means that there is no room.
Result<bool> SlotPlan::SeparateAll(SlotRange run, KeyHash x) {
  constexpr int kPasses = 5;
  const HashString string = filter_.StringOf(x);
  for (int pass = 0; pass < kPasses; ++pass) {
    bool found = false;
    for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
      if (!Matches(slot, string)) continue;
      found = true;
      TAMIS_ASSIGN_OR_RETURN(const bool separate, Separate(slot, x));
      if (!separate) return false;
    }
    if (!found) return true;
  }
  return false;
}

Status SlotPlan::SeparateOthers(SlotRange run, KeyHash member) {
  const HashString string = filter_.StringOf(member);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (!Matches(slot, string)) continue;
    TAMIS_ASSIGN_OR_RETURN(const std::optional<KeyHash> other, Owner(slot));
    if (!other.has_value() || *other == member) continue;
    TAMIS_RETURN_IF_ERROR(Separate(slot, member).status());
  }
  return {};
}

Status SlotPlan::SeparateNewcomer(SlotRange run) {
  TAMIS_RETURN_IF_ERROR(SeparateOthers(run, *newcomer_));
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    TAMIS_ASSIGN_OR_RETURN(const std::optional<KeyHash> other, Owner(slot));
    if (!other.has_value() || *other == *newcomer_) continue;
    if (Matches(moved_.begin, filter_.StringOf(*other))) {
      TAMIS_RETURN_IF_ERROR(Separate(moved_.begin, *other).status());
    }
  }
  return {};
}

bool SlotPlan::SetIfItFits(uint64_t slot, KeyHash owner, uint32_t letter) {
  Group& group = Load(GroupOf(slot));
  SetFor(group, PlaceInGroup(slot), owner, letter);
  Encode(group);
  return group.code.has_value();
}

void SlotPlan::Commit() {
  const bool marks = filter_.MarksLines();
  for (const Group& group : groups_) {
    assert(group.code.has_value() && "(P2)");
    filter_.mutable_letters().Store(group.index, group.letters, *group.code);
    for (uint64_t left = group.letters.nonzero; left != 0; left &= left - 1) {
      filter_.is_adapted_ = true;  // (A5)
      const int place = std::countr_zero(left);
      if (!marks || group.letters.at(place) <= 1) continue;  // (A4)
      filter_.table_.Mark(filter_.table_.shape()
                              .LocateSlot(group.index * kGroupSlots +
                                          static_cast<unsigned>(place))
                              .line);
    }
  }
  for (const auto& [slot, value] : values_) filter_.table_.Set(slot, value);
  filter_.counts_.evictions += losses_.evictions;
  filter_.counts_.resets += losses_.resets;
}

}  // namespace tamis::internal
