#include "tamis/internal/keys/member_index.h"

#include <algorithm>
#include <optional>

namespace tamis::internal {

Status VisitSorted(KeySourceRef source, HashRange range, HashVisitor visit) {
  bool sorted = true;
  KeyHash least = range.low;
  TAMIS_RETURN_IF_ERROR(
      source.ForEachInRange(range.low, range.high, [&](KeyHash hash) {
        sorted = least <= hash && hash <= range.high;
        least = hash;
        return sorted && visit(hash);
      }));
  if (sorted) return {};
  return {StatusCode::kCorrupt,
          "the key source is not sorted, or leaves the range it was asked for"};
}

Status VisitInChunks(
    KeySourceRef source,
    const std::function<Status(std::span<const KeyHash>)>& visit) {
  constexpr size_t kChunk = 4096;
  std::vector<KeyHash> chunk;
  HashRange range = kAllHashes;
  bool more = true;
  while (more) {
    chunk.clear();
    more = false;
    TAMIS_RETURN_IF_ERROR(VisitSorted(source, range, [&](KeyHash hash) {
      more = chunk.size() >= kChunk && hash != chunk.back();
      if (more) {
        range.low = hash;
      } else {
        chunk.push_back(hash);
      }
      return !more;
    }));
    TAMIS_RETURN_IF_ERROR(visit(chunk));
  }
  return {};
}

Result<std::vector<KeyHash>> MemberIndex::MembersIn(HashRange range,
                                                    uint64_t most) const {
  std::vector<KeyHash> members;
  if (source_) {
    TAMIS_RETURN_IF_ERROR(VisitSorted(source_, range, [&](KeyHash hash) {
      members.push_back(hash);
      return members.size() <= most;
    }));
  }
  const auto from_source = static_cast<std::ptrdiff_t>(members.size());
  members.insert(members.end(),
                 std::lower_bound(list_.begin(), list_.end(), range.low),
                 std::upper_bound(list_.begin(), list_.end(), range.high));
  std::inplace_merge(members.begin(), members.begin() + from_source,
                     members.end());
  return members;
}

Result<Owners> MemberIndex::OwnersOf(const RunOfSlots& run,
                                     const SlotMatcher& matcher) const {
  if (mirror_ != nullptr) {
    Owners owners;
    for (uint64_t slot = run.slots.begin; slot < run.slots.limit; ++slot) {
      owners.emplace_back(mirror_->at(slot));
    }
    return owners;
  }
  TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> members,
                         MembersIn(run.hashes, run.slots.size()));
  std::optional<Owners> owners = PairSlots(run.contents, members, matcher);
  if (owners.has_value()) return *std::move(owners);
  if (has_source()) {
    return Status(StatusCode::kCorrupt,
                  "the key source has a member that the filter has not");
  }
  return Status(StatusCode::kInvalidArgument,
                "one of the members named is not in the filter");
}

}  // namespace tamis::internal
