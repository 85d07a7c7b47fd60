// AdaptiveBase: many keys at once, all of them or none.

#include <algorithm>
#include <string>
#include <utility>

#include "filters/quotient/slot_plan.h"
#include "tamis/internal/filters/quotient/adaptive_base.h"

namespace tamis::internal {

Result<AdaptiveBase::Saved> AdaptiveBase::Save() const {
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table, CopyOfTable());
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer copy, letters().Copy());
  TAMIS_ASSIGN_OR_RETURN(
      SlotMirror mirror,
      SlotMirror::FromBytes(mirror_.bytes(), mirror_.slots()));
  return Saved{std::move(table), std::move(copy), std::move(mirror), counts_,
               is_adapted_};
}

void AdaptiveBase::Restore(Saved saved) {
  table_ = std::move(saved.table);
  mutable_letters().Replace(std::move(saved.letters));
  mirror_ = std::move(saved.mirror);
  counts_ = saved.counts;
  is_adapted_ = saved.is_adapted;
}

Status AdaptiveBase::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  TAMIS_RETURN_IF_ERROR(CheckRoomFor(hashes.size()));
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer buffer,
      AlignedBuffer::Allocate(hashes.size() * sizeof(KeyHash)));
  const std::span<KeyHash> sorted(reinterpret_cast<KeyHash*>(buffer.data()),
                                  hashes.size());
  std::copy(hashes.begin(), hashes.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  return size() == 0 ? FillFrom(sorted) : InsertAll(sorted);
}

// With a mirror, those that were inserted can be taken out again.  Without one
// that might need members that can't be had, so there is a copy to go back to.
// REQUIRES: `hashes` is ascending, if there is no mirror
Status AdaptiveBase::InsertAll(std::span<const KeyHash> hashes) {
  std::optional<Saved> saved;
  if (!has_mirror()) {
    TAMIS_ASSIGN_OR_RETURN(saved, Save());
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    Status status = InsertKnowing(hashes[i], index().With(hashes.first(i)));
    if (status.ok()) continue;
    if (saved.has_value()) {
      Restore(*std::move(saved));
    } else {
      while (i-- > 0) (void)Erase(hashes[i]);
    }
    return status;
  }
  return {};
}

// Gives a key that was just merged the letter that it had, if there is room.
// REQUIRES: has_mirror()
void AdaptiveBase::CarryLetter(KeyHash hash, uint32_t letter) {
  const SlotRange run = table_.FindRun(HomeOf(hash));
  for (uint64_t slot = run.limit; slot-- > run.begin;) {
    if (mirror_.at(slot) != hash) continue;
    SlotPlan plan(*this, index());
    if (plan.SetIfItFits(slot, hash, letter)) plan.Commit();
    return;
  }
}

Status AdaptiveBase::MergeWith(const AdaptiveBase& other) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (hasher_ != other.hasher_ || table_.width() != other.table_.width()) {
    return {StatusCode::kIncompatible,
            "can't merge " + std::string(scheme().name()) + " filters: their " +
                (hasher_ != other.hasher_ ? "hashers" : "r") + " differ"};
  }
  TAMIS_RETURN_IF_ERROR(CheckRoomFor(other.size()));
  if (other.has_mirror()) return InsertMirrorOf(other);
  if (other.options_.source) return InsertSourceOf(other);
  return {StatusCode::kUnsupported,
          "the members of the filter to be merged are not known"};
}

Status AdaptiveBase::Replace(const AdaptiveBase& other) {
  TAMIS_RETURN_IF_ERROR(MergeWith(other));
  num_erases_ = other.num_erases_;  // lists read before are as old as they were
  return {};
}

Status AdaptiveBase::InsertMirrorOf(const AdaptiveBase& other) {
  const bool keeps_fixes = has_mirror() && capacity() == other.capacity() &&
                           counts_.rehashes == other.counts_.rehashes;
  std::vector<KeyHash> hashes;
  std::vector<std::pair<KeyHash, uint32_t>> fixes;
  hashes.reserve(other.size());
  other.table_.ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    hashes.push_back(other.mirror_.at(slot));
    const uint32_t letter = keeps_fixes ? other.letters().at(slot) : 0;
    if (letter != 0) fixes.emplace_back(hashes.back(), letter);
  });
  // In the order of slots, fixes find the same neighbours again.
  if (!has_mirror()) std::sort(hashes.begin(), hashes.end());
  TAMIS_RETURN_IF_ERROR(InsertAll(hashes));
  for (const auto& [hash, letter] : fixes) CarryLetter(hash, letter);
  return {};
}

// The source of `other` may lack members on their way into it; that they are
// not lost shows in the number.
Status AdaptiveBase::InsertSourceOf(const AdaptiveBase& other) {
  TAMIS_ASSIGN_OR_RETURN(Saved saved, Save());
  const uint64_t expected = other.size();
  uint64_t found = 0;
  Status status = VisitInChunks(
      other.options_.source, [&](std::span<const KeyHash> chunk) -> Status {
        found += chunk.size();
        if (found > expected) {
          return {StatusCode::kCorrupt,
                  "the key source has members that its filter has not"};
        }
        for (size_t i = 0; i < chunk.size(); ++i) {
          TAMIS_RETURN_IF_ERROR(
              InsertKnowing(chunk[i], index().With(chunk.first(i))));
        }
        return {};
      });
  if (status.ok() && found < expected) {
    status = {StatusCode::kStale, "the key source lists " +
                                      std::to_string(found) + " of " +
                                      std::to_string(expected) +
                                      " members of the filter to be merged"};
  }
  if (!status.ok()) Restore(std::move(saved));
  return status;
}

// Replaces the arrays of an empty filter by those of `sorted`.
Status AdaptiveBase::FillFrom(std::span<const KeyHash> sorted) {
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table,
                         QuotientTable::Create(table_.homes(), table_.width()));
  TAMIS_ASSIGN_OR_RETURN(SlotMirror mirror,
                         EmptyMirror(options_, table.num_slots()));
  QuotientTable::Builder builder(table);
  for (const KeyHash hash : sorted) {
    TAMIS_RETURN_IF_ERROR(builder.Append(
        HomeOf(hash), scheme().Value(StringOf(hash), table_.width(), 0)));
    if (!has_mirror()) continue;
    if (builder.last_slot() >= mirror.slots()) {
      TAMIS_RETURN_IF_ERROR(mirror.OnGrow(table.num_slots()));
    }
    mirror.Set(builder.last_slot(), hash);
  }
  builder.Finish();
  TAMIS_RETURN_IF_ERROR(mutable_letters().OnGrow(table.num_slots()));
  table_ = std::move(table);
  mirror_ = std::move(mirror);
  is_adapted_ = counts_.rehashes != 0;  // (A5)
  return options_.adapt_on_insert ? SeparateAll(sorted) : Status();
}

// Keeps the fingerprints of all members different: those of each home from one
// another.
Status AdaptiveBase::SeparateAll(std::span<const KeyHash> sorted) {
  const MemberIndex known =
      has_mirror() ? MemberIndex(mirror_) : MemberIndex(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    const SlotRange run = table_.FindRun(HomeOf(sorted[i]));
    if (run.size() == 1 || (i > 0 && sorted[i] == sorted[i - 1])) continue;
    SlotPlan plan(*this, known);
    TAMIS_RETURN_IF_ERROR(plan.SeparateOthers(run, sorted[i]));
    plan.Commit();
  }
  return {};
}

}  // namespace tamis::internal
