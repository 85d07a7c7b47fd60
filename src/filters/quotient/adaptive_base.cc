// AdaptiveBase: single inserts, erases and adapts.

#include "tamis/internal/filters/quotient/adaptive_base.h"

#include <algorithm>
#include <string>

#include "filters/quotient/slot_plan.h"
#include "table/prefetch_lines.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/keys/home_range.h"

namespace tamis::internal {
namespace {

// Letter and value of a slot as one number, greater for greater letters.
constexpr int kValueBits = 32;
uint64_t ContentOf(uint32_t letter, uint64_t value) {
  return (static_cast<uint64_t>(letter) << kValueBits) | value;
}

class ContentMatcher final : public SlotMatcher {
 public:
  ContentMatcher(const LetterScheme& scheme, const QuotientTable& table,
                 uint64_t epoch)
      : scheme_(scheme), table_(table), epoch_(epoch) {}

  bool Matches(uint64_t content, KeyHash member) const override {
    const HashString string(HashOfEpoch(member, epoch_), table_.homes());
    return scheme_.Matches(string, table_.width(),
                           static_cast<uint32_t>(content >> kValueBits),
                           content & LowBits(kValueBits));
  }
  bool Nests() const override { return scheme_.Nests(); }

 private:
  const LetterScheme& scheme_;
  const QuotientTable& table_;
  uint64_t epoch_;
};

}  // namespace

// Keeps the mirror in step while the table inserts or erases, and makes room
// for letters, which the plan of the operation sets.
class AdaptiveBase::Side final : public SideData {
 public:
  // `inserted` is the hash of the new entry, when inserting.
  // A pointer: copying a hash that has just been stored by halves would wait
  // for every store before it, and those of the mirror are slow.
  explicit Side(AdaptiveBase& filter, const KeyHash* inserted = nullptr)
      : filter_(filter), inserted_(inserted) {}

  void OnShift(SlotRange moved, int by) override {
    if (!filter_.has_mirror()) return;
    filter_.mirror_.OnShift(moved, by);
    if (by > 0) {
      filter_.mirror_.Set(moved.begin, *inserted_);
    } else {
      filter_.mirror_.Clear(moved.limit - 1);
    }
  }
  Status OnGrow(uint64_t slots) override {
    TAMIS_RETURN_IF_ERROR(filter_.mutable_letters().OnGrow(slots));
    return filter_.has_mirror() ? filter_.mirror_.OnGrow(slots) : Status();
  }

 private:
  AdaptiveBase& filter_;
  const KeyHash* inserted_;
};

bool AdaptiveBase::SlotMatches(uint64_t slot, const HashString& string) const {
  return scheme().Matches(string, table_.width(), letters().at(slot),
                          table_.Get(slot));
}

bool AdaptiveBase::AnyMatch(SlotRange run, KeyHash x) const {
  const HashString string = StringOf(x);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (SlotMatches(slot, string)) return true;
  }
  return false;
}

// Runs stand in the order of their homes, so the home of a slot in use is the
// first whose run ends behind it.
uint64_t AdaptiveBase::HomeOfSlot(uint64_t slot) const {
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

RunOfSlots AdaptiveBase::RunOf(uint64_t home) const {
  RunOfSlots run{table_.FindRun(home), HashesOfHome(home, table_.homes()), {}};
  for (uint64_t slot = run.slots.begin; slot < run.slots.limit; ++slot) {
    run.contents.push_back(ContentOf(letters().at(slot), table_.Get(slot)));
  }
  return run;
}

Result<Owners> AdaptiveBase::OwnersOf(uint64_t home,
                                      const MemberIndex& index) const {
  return index.OwnersOf(RunOf(home),
                        ContentMatcher(scheme(), table_, counts_.rehashes));
}

// Fetches what Side will change, while the table looks for the place.  An entry
// is some ten slots from its home at load 0.95, and next to it in a table that is
// half full: lines that are fetched in vain keep others waiting.
void AdaptiveBase::PrefetchSide(uint64_t home) const {
  if (is_adapted_) letters().Prefetch(home);
  if (!has_mirror()) return;
  const std::byte* entry =
      mirror_.bytes().data() + home * SlotMirror::kSlotBytes;
  const bool is_half_full = table_.size() > table_.max_size() / 2;
  const int lines = is_half_full ? 4 : 2;
  for (int line = 0; line < lines; ++line) Prefetch(entry + line * kLineBytes);
}

void AdaptiveBase::PrefetchInsert(KeyHash hash) const {
  const uint64_t home = HomeOf(hash);
  PrefetchLines(table_, home);
  PrefetchSide(home);
}

Status AdaptiveBase::CheckRoomFor(uint64_t more) const {
  if (more <= capacity() - size()) return {};
  return {StatusCode::kFull, "no room for " + std::to_string(more) +
                                 " more keys: " + std::to_string(size()) +
                                 " of " + std::to_string(capacity()) +
                                 " slots are in use"};
}

Status AdaptiveBase::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  return InsertKnowing(hash, index());
}

Status AdaptiveBase::InsertKnowing(KeyHash hash, const MemberIndex& index) {
  const Placed placed = Place(hash, table_.homes());
  PrefetchSide(placed.home);
  if (is_adapted_ || options_.adapt_on_insert) {
    return InsertPlanned(
        hash, scheme().Value(StringOf(hash), table_.width(), 0), index);
  }
  Side side(*this, &hash);
  return table_.InsertLast(placed.home, FirstBits(placed, table_.width()),
                           &side);
}

Status AdaptiveBase::InsertPlanned(KeyHash hash, uint64_t value,
                                   const MemberIndex& index) {
  TAMIS_RETURN_IF_ERROR(CheckRoomFor(1));
  const uint64_t home = HomeOf(hash);
  SlotPlan plan(*this, index);
  plan.ShiftUp(table_.ShiftOfInsert(home), hash, value);
  TAMIS_RETURN_IF_ERROR(plan.MakeRoom());
  if (options_.adapt_on_insert) {
    TAMIS_RETURN_IF_ERROR(plan.SeparateNewcomer(table_.FindRun(home)));
  }
  Side side(*this, &hash);
  TAMIS_RETURN_IF_ERROR(table_.InsertLast(home, value, &side));
  plan.Commit();
  return {};
}

Status AdaptiveBase::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  return EraseKnowing(hash, index(), index().With({&hash, 1}));
}

Status AdaptiveBase::Erase(KeyHash hash, std::span<const KeyHash> members,
                           uint64_t num_erases) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  TAMIS_RETURN_IF_ERROR(CheckList(hash, members, num_erases));
  if (has_mirror()) return Erase(hash);
  std::vector<KeyHash> others(members.begin(), members.end());
  std::sort(others.begin(), others.end());
  std::vector<KeyHash> all = others;
  all.insert(std::upper_bound(all.begin(), all.end(), hash), hash);
  return EraseKnowing(hash, MemberIndex(others), MemberIndex(all));
}

// `all` knows `hash` besides the `others`: it has left the source already.
Status AdaptiveBase::EraseKnowing(KeyHash hash, const MemberIndex& others,
                                  const MemberIndex& all) {
  const uint64_t home = HomeOf(hash);
  Status not_found(StatusCode::kNotFound, "the key is not a member");
  if (!AnyMatch(table_.FindRun(home), hash)) return not_found;
  Result<Owners> owners = OwnersOf(home, all);
  if (!owners.ok()) {
    TAMIS_RETURN_IF_ERROR(OwnersOf(home, others).status());
    return not_found;  // all slots of its home are those of others
  }
  const SlotRange run = table_.FindRun(home);
  const auto at = std::find(owners->rbegin(), owners->rend(), hash);
  if (at != owners->rend()) {
    const auto from_end = static_cast<uint64_t>(at - owners->rbegin());
    return EraseSlot(home, run.limit - 1 - from_end, all);
  }
  if (has_mirror()) return not_found;
  return {StatusCode::kStale,
          "it is uncertain which entry is the key's: members of its home are "
          "not known (yet)"};
}

Status AdaptiveBase::EraseSlot(uint64_t home, uint64_t slot,
                               const MemberIndex& index) {
  Side side(*this);
  ++num_erases_;
  if (!is_adapted_) {
    table_.EraseAt(home, slot, &side);
    return {};
  }
  SlotPlan plan(*this, index);
  plan.ShiftDown(table_.ShiftOfErase(slot));
  if (Status status = plan.MakeRoom(); !status.ok()) {
    --num_erases_;
    return status;
  }
  table_.EraseAt(home, slot, &side);
  plan.Commit();
  return {};
}

std::optional<HashRange> AdaptiveBase::CollisionRange(KeyHash x) const {
  const uint64_t home = HomeOf(x);
  if (!AnyMatch(table_.FindRun(home), x)) return std::nullopt;
  return HashesOfHome(home, table_.homes());
}

// What the caller brings for the home of `hash` must be recent, and no more
// than there are entries.
Status AdaptiveBase::CheckList(KeyHash hash, std::span<const KeyHash> members,
                               uint64_t num_erases) const {
  if (num_erases != num_erases_) return ErasedSinceTheRead();
  const uint64_t home = HomeOf(hash);
  const auto named = static_cast<uint64_t>(
      std::count_if(members.begin(), members.end(),
                    [&](KeyHash member) { return HomeOf(member) == home; }));
  const uint64_t entries = table_.FindRun(home).size();
  if (named <= entries) return {};
  return {StatusCode::kInvalidArgument,
          std::to_string(named) + " members named where the filter has " +
              std::to_string(entries) + " entries"};
}

Result<AdaptOutcome> AdaptiveBase::Adapt(KeyHash x) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (!has_mirror() && !options_.source) {
    return Status(StatusCode::kUnsupported,
                  "the caller brings the members: Adapt(absent, members, "
                  "num_erases)");
  }
  return AdaptKnowing(x, index());
}

Result<AdaptOutcome> AdaptiveBase::Adapt(KeyHash absent,
                                         std::span<const KeyHash> members,
                                         uint64_t num_erases) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  TAMIS_RETURN_IF_ERROR(CheckList(absent, members, num_erases));
  if (has_mirror()) return AdaptKnowing(absent, index());
  std::vector<KeyHash> list(members.begin(), members.end());
  std::sort(list.begin(), list.end());
  return AdaptKnowing(absent, MemberIndex(list));
}

Result<bool> AdaptiveBase::IsMember(KeyHash x, const MemberIndex& index) const {
  if (index.mirror() == nullptr) {
    TAMIS_ASSIGN_OR_RETURN(const auto found, index.MembersIn({x, x}, 0));
    return !found.empty();
  }
  const SlotRange run = table_.FindRun(HomeOf(x));
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (mirror_.at(slot) == x) return true;
  }
  return false;
}

Result<AdaptOutcome> AdaptiveBase::AdaptKnowing(KeyHash x,
                                                const MemberIndex& index) {
  const SlotRange run = table_.FindRun(HomeOf(x));
  if (!AnyMatch(run, x)) return AdaptOutcome::kNothingToFix;
  TAMIS_ASSIGN_OR_RETURN(const bool is_member, IsMember(x, index));
  if (is_member) {
    return Status(StatusCode::kIsMember, "can't adapt to a member");
  }
  SlotPlan plan(*this, index);
  TAMIS_ASSIGN_OR_RETURN(const bool fixed, plan.SeparateAll(run, x));
  if (!fixed) {
    ++counts_.adapts;
    ++counts_.refusals;
    return AdaptOutcome::kNotFixed;
  }
  TAMIS_ASSIGN_OR_RETURN(const bool rehashed, AdaptByRehash(x, index));
  ++counts_.adapts;
  if (rehashed) return AdaptOutcome::kReset;
  plan.Commit();
  return plan.forgets() ? AdaptOutcome::kReset : AdaptOutcome::kFixed;
}

bool AdaptiveBase::RehashIsDue() const {
  return options_.rehash_after != 0 &&
         (counts_.adapts + 1) / options_.rehash_after > counts_.rehashes;
}

// If it is time to, gives all members new strings, and fixes x among them.
// False, and nothing has changed, if it is not, or can't be done now: a source
// lacks members, or x can't be fixed there.
Result<bool> AdaptiveBase::AdaptByRehash(KeyHash x, const MemberIndex& index) {
  if (!RehashIsDue()) return false;
  std::vector<KeyHash> members;
  if (index.mirror() == nullptr) {
    const HashRange range = HashesOfHome(HomeOf(x), table_.homes());
    TAMIS_ASSIGN_OR_RETURN(members, index.MembersIn(range, size()));
  }
  TAMIS_ASSIGN_OR_RETURN(std::optional<QuotientTable> table, RehashedTable());
  if (!table.has_value()) return false;
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer letters, mutable_letters().Zeros());
  // From here on nothing can fail but the fix, and all members are known.
  const MemberIndex known =
      index.mirror() != nullptr
          ? index
          : MemberIndex(std::span<const KeyHash>(members));
  std::swap(table_, *table);
  letters = mutable_letters().Replace(std::move(letters));
  ++counts_.rehashes;
  SlotPlan plan(*this, known);
  const Result<bool> fixed = plan.SeparateAll(table_.FindRun(HomeOf(x)), x);
  if (fixed.ok() && *fixed) {
    plan.Commit();
    is_adapted_ = true;
    return true;
  }
  std::swap(table_, *table);
  mutable_letters().Replace(std::move(letters));
  --counts_.rehashes;
  return false;
}

Result<QuotientTable> AdaptiveBase::CopyOfTable() const {
  return QuotientTable::FromLines(table_.homes(), table_.width(), table_.size(),
                                  table_.lines());
}

// Returns the table as it is after one more rehash; none if not all members are
// known.  Homes stay, so entries do, and any order within a run will do.
Result<std::optional<QuotientTable>> AdaptiveBase::RehashedTable() const {
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table, CopyOfTable());
  const auto rewrite = [&](uint64_t slot, KeyHash hash) {
    const KeyHash next = HashOfEpoch(hash, counts_.rehashes + 1);
    table.Set(slot, scheme().Value(HashString(next, table.homes()),
                                   table.width(), 0));
  };
  QuotientTable::Cursor at(table_);
  if (has_mirror()) {
    for (; !at.done(); at.Next()) rewrite(at.slot(), mirror_.at(at.slot()));
    return std::optional<QuotientTable>(std::move(table));
  }
  if (!options_.source) return std::optional<QuotientTable>();
  bool all = true;
  TAMIS_RETURN_IF_ERROR(
      VisitSorted(options_.source, kAllHashes, [&](KeyHash hash) {
        all = !at.done() && at.home() == HomeOf(hash);
        if (!all) return false;
        rewrite(at.slot(), hash);
        at.Next();
        return true;
      }));
  if (!all || !at.done()) return std::optional<QuotientTable>();
  return std::optional<QuotientTable>(std::move(table));
}

}  // namespace tamis::internal
