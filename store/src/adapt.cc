// What is done about a false positive.
//
// The order of the reads is what makes it safe (S2 of key_source.h): first the
// count of erases, then the range, then the members from disk.  Each of them is
// in the filter, for it entered the filter before it could be read; and if one
// has left since, the count has changed, and the filter refuses the list.

#include <bit>
#include <cmath>
#include <mutex>
#include <shared_mutex>

#include "store/src/core.h"
#include "store/src/status_of.h"

namespace tamis::internal {
namespace {

// How many members a range is expected to hold.
double ExpectedMembers(const HashRange& range, uint64_t keys) {
  const auto width = static_cast<double>(range.high.high - range.low.high);
  return width * 0x1p-64 * static_cast<double>(keys);
}

}  // namespace

void StoreCore::OnFalsePositive(FilteredFamily& family, KeyHash hash,
                                const Slice& key) {
  counters_.Add(Count::kFalsePositives);
  const uint32_t times = false_positives_.Add(hash);
  if (times > 1) counters_.Add(Count::kRepeated);
  if (options_.adapt_after == 0 || times < options_.adapt_after) return;
  // The caller's question is answered in any case; a key that came after it was
  // read is no error.
  const Status status = Fix(family, hash, key);
  if (!status.ok() && status.code() != StatusCode::kIsMember) {
    background_.NoteError(status);
  }
}

Status StoreCore::Fix(FilteredFamily& family, KeyHash hash, const Slice& key) {
  SharedFilter& filter = family.filter();
  const uint64_t erases = filter.num_erases(hash);
  const std::optional<HashRange> range = filter.CollisionRange(hash);
  if (!range) return {};
  const uint64_t limit = options_.max_collisions;
  if (ExpectedMembers(*range, filter.size()) >
      2.0 * static_cast<double>(limit)) {
    counters_.Add(Count::kLongIntervals);
    background_.RequestRejuvenation();
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const FilteredFamily::Members members,
                         family.ReadMembers(*range, limit));
  counters_.Add(Count::kMembersRead, members.hashes.size());
  if (!members.complete) {
    counters_.Add(Count::kLongIntervals);
    background_.RequestRejuvenation();
    return {};
  }
  if (members.hashes.empty()) return RemoveOrphan(family, hash);
  const Result<AdaptOutcome> outcome = [&] {
    const std::shared_lock adapting(family.adapt_mutex());
    return filter.Adapt(hash, members.hashes, erases);
  }();
  if (!outcome.ok()) {
    switch (outcome.status().code()) {
      case StatusCode::kStale:
        counters_.Add(Count::kStale);
        return {};
      case StatusCode::kIsMember:
        // It came after the read; or it is a ghost, and the index has it.
        if (family.in_hash_order()) return outcome.status();
        return RemoveGhost(family, hash, key);
      default:
        return outcome.status();
    }
  }
  if (*outcome == AdaptOutcome::kNotFixed) {
    counters_.Add(Count::kNotFixed);
  } else if (*outcome != AdaptOutcome::kNothingToFix) {
    counters_.Add(Count::kFixes);
  }
  return {};
}

// An entry that collides with no member at all is nobody's: in kHashOrder, what
// a compaction filter has left.  It goes without a record in the journal: by
// this hash a replay might take another's entry, if what was learnt since the
// pages tells them apart.  After a crash the ghost is there again.
Status StoreCore::RemoveOrphan(FilteredFamily& family, KeyHash hash) {
  // Nobody may come, leave, grow or forget between the question and the erase.
  const RangeLock drained(family.stripes(), kAllHashes);
  const std::lock_guard alone(family.adapt_mutex());
  const std::optional<HashRange> range = family.filter().CollisionRange(hash);
  if (!range) return {};
  TAMIS_ASSIGN_OR_RETURN(const FilteredFamily::Members members,
                         family.ReadMembers(*range, 1));
  if (!members.hashes.empty() || !members.complete) return {};
  TAMIS_RETURN_IF_ERROR(family.filter().Erase(hash));
  unsaved_ = true;
  counters_.Add(Count::kGhostsRemoved);
  return {};
}

// In kKeyOrder the index says whose entry a ghost is.
Status StoreCore::RemoveGhost(FilteredFamily& family, KeyHash hash,
                              const Slice& key) {
  const std::lock_guard lock(family.stripes().ForHash(hash));
  rocksdb::PinnableSlice value;
  TAMIS_ASSIGN_OR_RETURN(const bool there, family.Read({}, hash, key, &value));
  TAMIS_ASSIGN_OR_RETURN(const bool member, family.IsMemberOnDisk(hash, key));
  if (there || !member) return {};
  rocksdb::WriteBatch batch;
  const Change change = {family.id(), /*insert=*/false, hash};
  TAMIS_RETURN_IF_ROCKS_ERROR(
      batch.Delete(family.index(), HashedKey(hash, key).slice()),
      "can't remove a ghost");
  TAMIS_RETURN_IF_ROCKS_ERROR(journal_->Append(&batch, {&change, 1}),
                              "can't remove a ghost");
  TAMIS_RETURN_IF_ERROR(Commit(OwnWrites(), &batch));
  counters_.Add(Count::kGhostsRemoved);
  return family.filter().Erase(hash);
}

}  // namespace tamis::internal
