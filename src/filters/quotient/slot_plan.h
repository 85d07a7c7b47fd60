// SlotPlan: what one operation will change in the slots of an adaptive filter.
//
// An operation first plans, on the filter as it is:
//
//   shift     the entries that the table is going to move, and their letters
//             with them: letters that cross into a group can overfill its code
//   separate  another letter for a slot, so that x matches it no more
//   drop      letters given up for room, with the value that depended on them
//
// Whose a slot is, the plan asks of a MemberIndex, before anything moves.  An
// error, or a plan that does not come out, is thrown away with the plan.  Commit
// writes it down; the table has moved its entries then.
//
//   (P1) Every slot that is given another value is given it for its owner, who
//        is known for certain.  This is what keeps (A1) of adaptive_base.h.
//   (P2) At Commit, all groups of the plan fit their codes.
//
// Slots are named by where they will be.

#ifndef TAMIS_FILTERS_QUOTIENT_SLOT_PLAN_H_
#define TAMIS_FILTERS_QUOTIENT_SLOT_PLAN_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tamis/internal/filters/quotient/adaptive_base.h"

namespace tamis::internal {

class SlotPlan {
 public:
  SlotPlan(AdaptiveBase& filter, const MemberIndex& index)
      : filter_(filter), index_(index) {}

  // The entries of `moved` will be one slot further, as OnShift says; on the
  // way up a new one comes in at moved.begin.  Call one of them, once, first.
  void ShiftUp(SlotRange moved, KeyHash newcomer, uint64_t value);
  void ShiftDown(SlotRange moved);
  // Drops letters until every code fits again.
  Status MakeRoom();

  bool Matches(uint64_t slot, const HashString& string) const;
  // Nobody, if it is not certain whose it is.
  Result<std::optional<KeyHash>> Owner(uint64_t slot);
  // Gives `slot` a letter by which x matches it no more.  False, and the plan
  // is as it was, if that can't be.
  Result<bool> Separate(uint64_t slot, KeyHash x);
  // Does so for all slots of `run` that x matches.  False: not for all.
  Result<bool> SeparateAll(SlotRange run, KeyHash x);
  // Separates the entries of others in `run` from `member`, where there is room.
  Status SeparateOthers(SlotRange run, KeyHash member);
  // Separates the newcomer and those of its run, `run` as it is now, from one
  // another, where there is room.
  Status SeparateNewcomer(SlotRange run);
  // Sets a letter for a known owner if there is room for it.
  bool SetIfItFits(uint64_t slot, KeyHash owner, uint32_t letter);

  // Were earlier fixes given up?
  bool forgets() const { return losses_.any; }
  void Commit();

 private:
  struct Group {
    uint64_t index;
    GroupLetters letters;
    std::optional<CodeWord> code;  // none: they do not fit
  };
  // Fixes given up: any at all, letters one by one, groups as a whole.
  struct Losses {
    bool any = false;
    uint64_t evictions = 0;
    uint64_t resets = 0;
  };
  struct KnownRun {
    SlotRange slots;
    Owners owners;
  };

  uint32_t LetterAt(uint64_t slot) const;
  uint64_t ValueAt(uint64_t slot) const;
  // Where the entry of this slot is now.
  uint64_t SlotNow(uint64_t slot) const;
  bool IsNewcomer(uint64_t slot) const {
    return newcomer_.has_value() && slot == moved_.begin;
  }
  GroupLetters LettersNow(uint64_t group) const;
  Group& Load(uint64_t group);
  void AddShifted(uint64_t group, const GroupLetters& letters);
  void Encode(Group& group);
  void SetFor(Group& group, int place, KeyHash owner, uint32_t letter);

  Result<bool> Drop(Group& group, int place);
  Status DropOthers(Group& group, int keep);
  Result<bool> EvictUntilItFits(Group& group, int keep);
  Result<bool> MakeRoomIn(Group& group, int keep);

  AdaptiveBase& filter_;
  MemberIndex index_;
  SlotRange moved_ = {0, 0};
  int by_ = 0;
  std::optional<KeyHash> newcomer_;
  std::vector<Group> groups_;
  std::vector<std::pair<uint64_t, uint64_t>>
      values_;  // by slot; the last holds
  std::vector<KnownRun> known_;
  Losses losses_;
};

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_SLOT_PLAN_H_
