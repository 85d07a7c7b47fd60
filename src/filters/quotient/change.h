// AdaptiveQuotient: inserting, erasing, merging.

#ifndef TAMIS_FILTERS_QUOTIENT_CHANGE_H_
#define TAMIS_FILTERS_QUOTIENT_CHANGE_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/filters/quotient/adaptive_quotient.h"

namespace tamis::internal {

// Keeps mirror and letters in step while the table inserts or erases.
template <typename Kind>
class AdaptiveQuotient<Kind>::Side final : public SideData {
 public:
  // `inserted` is the hash of the new entry, when inserting.
  // A pointer: copying a hash that has just been stored by halves would wait
  // for every store before it, and those of the mirror are slow.
  explicit Side(AdaptiveQuotient& filter, const KeyHash* inserted = nullptr)
      : filter_(filter), inserted_(inserted) {}

  void OnShift(SlotRange moved, int by) override {
    if (filter_.has_mirror()) {
      filter_.mirror_.OnShift(moved, by);
      if (by > 0) {
        filter_.mirror_.Set(moved.begin, *inserted_);
      } else {
        filter_.mirror_.Clear(moved.limit - 1);
      }
    }
    filter_.letters_.Shift(moved, by, filter_.pending_);
    if (!filter_.pending_.empty()) [[unlikely]]
      filter_.StorePending();
    if (filter_.is_adapted_ && filter_.MarksLines()) {
      filter_.CarryMarks(moved, by);
    }
  }
  Status OnGrow(uint64_t slots) override {
    TAMIS_RETURN_IF_ERROR(filter_.letters_.OnGrow(slots));
    return filter_.has_mirror() ? filter_.mirror_.OnGrow(slots) : Status();
  }

 private:
  AdaptiveQuotient& filter_;
  const KeyHash* inserted_;
};

// Marks the lines that an entry with a letter above 1 was shifted into.
template <typename Kind>
void AdaptiveQuotient<Kind>::CarryMarks(SlotRange moved, int by) {
  const auto line_of = [&](uint64_t slot) {
    return table_.shape().LocateSlot(slot).line;
  };
  // An entry crossed from `line` to the next or back, for lines [first, last).
  const uint64_t first = line_of(by > 0 ? moved.begin : moved.begin - 1);
  const uint64_t last = line_of(by > 0 ? moved.limit : moved.limit - 1);
  for (uint64_t line = first; line < last; ++line) {
    const uint64_t from = by > 0 ? line : line + 1;
    const uint64_t to = by > 0 ? line + 1 : line;
    if (!table_.IsMarked(from) || table_.IsMarked(to)) continue;
    const uint64_t crossed =
        table_.shape().FirstSlot(line + 1) - (by > 0 ? 0 : 1);
    if (letters_.at(crossed) > 1) table_.Mark(to);
  }
}

inline Status SourceDiffers() {
  return {StatusCode::kCorrupt,
          "the key source has other members than the filter"};
}

// Fetches what Side will change, while the table looks for the place.  An entry
// is some ten slots from its home at load 0.95.
template <typename Kind>
void AdaptiveQuotient<Kind>::PrefetchSide(uint64_t home) const {
  letters_.Prefetch(home);
  if (!has_mirror()) return;
  const std::byte* entry =
      mirror_.bytes().data() + home * SlotMirror::kSlotBytes;
  for (int line = 0; line < 4; ++line) Prefetch(entry + line * kLineBytes);
}

template <typename Kind>
void AdaptiveQuotient<Kind>::PrefetchInsert(KeyHash hash) const {
  const uint64_t home = HomeOf(hash);
  table_.PrefetchHome(home);
  PrefetchSide(home);
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::Insert(KeyHash hash) {
  const Placed placed = Place(hash, table_.homes());
  const uint64_t value = counts_.rehashes == 0
                             ? FirstBits(placed, table_.width())
                             : ValueOf(hash, 0);
  PrefetchSide(placed.home);
  Side side(*this, &hash);
  TAMIS_RETURN_IF_ERROR(table_.InsertLast(placed.home, value, &side));
  if (options_.adapt_on_insert) SeparateFromRun(hash);
  return source_differs_ ? SourceDiffers() : Status();
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::Erase(KeyHash hash) {
  const std::optional<uint64_t> slot = FindSlotOf(hash);
  if (!slot.has_value()) {
    if (!has_mirror() && IsMember(hash)) return SourceDiffers();
    return {StatusCode::kNotFound, "the key is not a member"};
  }
  Side side(*this);
  leaving_ = hash;  // the source has it still
  table_.EraseAt(HomeOf(hash), *slot, &side);
  leaving_.reset();
  return source_differs_ ? SourceDiffers() : Status();
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::CheckRoomFor(uint64_t more) const {
  if (more <= capacity() - size()) return {};
  return {StatusCode::kFull, "no room for " + std::to_string(more) +
                                 " more keys: " + std::to_string(size()) +
                                 " of " + std::to_string(capacity()) +
                                 " slots are in use"};
}

// Gives a key that was just merged the letter that it had, if there is room.
template <typename Kind>
void AdaptiveQuotient<Kind>::CarryLetter(KeyHash hash, uint32_t letter) {
  const std::optional<uint64_t> slot = FindSlotOf(hash);
  if (!slot.has_value()) return;
  GroupLetters letters = letters_.Group(GroupOf(*slot));
  letters.Set(PlaceInGroup(*slot), letter);
  if (!letters_.Store(GroupOf(*slot), letters)) return;
  NoteLetter(*slot, letter);
  table_.Set(*slot, ValueOf(hash, letter));
}

// All hashes of a source.
inline std::vector<KeyHash> AllHashes(KeySourceRef source) {
  std::vector<KeyHash> hashes;
  (void)source.ForEachInRange(kAllHashes.low, kAllHashes.high,
                              [&](KeyHash hash) { hashes.push_back(hash); });
  return hashes;
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::Merge(const AdaptiveQuotient& other) {
  if (hasher_ != other.hasher_ || table_.width() != other.table_.width()) {
    return {StatusCode::kIncompatible,
            "can't merge " + std::string(Kind::kName) + " filters: their " +
                (hasher_ != other.hasher_ ? "hashers" : "r") + " differ"};
  }
  TAMIS_RETURN_IF_ERROR(CheckRoomFor(other.size()));
  if (!has_mirror()) return RebuildFromSource(size() + other.size());
  if (!other.has_mirror()) return InsertAll(AllHashes(other.options_.source));
  const bool same_strings = capacity() == other.capacity() &&
                            counts_.rehashes == other.counts_.rehashes;
  std::vector<KeyHash> hashes;
  std::vector<std::pair<KeyHash, uint32_t>> fixes;
  hashes.reserve(other.size());
  other.table_.ForEach([&](uint64_t, uint64_t slot, uint64_t) {
    hashes.push_back(other.mirror_.at(slot));
    const uint32_t letter = same_strings ? other.letters_.at(slot) : 0;
    if (letter != 0) fixes.emplace_back(hashes.back(), letter);
  });
  TAMIS_RETURN_IF_ERROR(InsertAll(hashes));
  for (const auto& [hash, letter] : fixes) CarryLetter(hash, letter);
  return {};
}

template <typename Kind>
Status AdaptiveQuotient<Kind>::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(CheckRoomFor(hashes.size()));
  if (!has_mirror()) return RebuildFromSource(size() + hashes.size());
  if (size() != 0) return InsertAll(hashes);
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer buffer,
      AlignedBuffer::Allocate(hashes.size() * sizeof(KeyHash)));
  const std::span<KeyHash> sorted(reinterpret_cast<KeyHash*>(buffer.data()),
                                  hashes.size());
  std::copy(hashes.begin(), hashes.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  return FillFrom(sorted);
}

// Inserts all or, if memory runs out, none: those that were are taken out again.
template <typename Kind>
Status AdaptiveQuotient<Kind>::InsertAll(std::span<const KeyHash> hashes) {
  for (size_t i = 0; i < hashes.size(); ++i) {
    Status status = Insert(hashes[i]);
    if (status.ok()) continue;
    while (i-- > 0) (void)Erase(hashes[i]);
    return status;
  }
  return {};
}

// With several keys in the source that have no slot yet, slots can't be paired
// with members; so many at once are only possible by starting anew.
template <typename Kind>
Status AdaptiveQuotient<Kind>::RebuildFromSource(uint64_t expected_size) {
  const std::vector<KeyHash> all = AllHashes(options_.source);
  if (all.size() != expected_size) {
    return {StatusCode::kCorrupt,
            "the key source has " + std::to_string(all.size()) +
                " members, not " + std::to_string(expected_size)};
  }
  return FillFrom(all);
}

// Replaces the table, its letters and mirror by those of `sorted` alone.
template <typename Kind>
Status AdaptiveQuotient<Kind>::FillFrom(std::span<const KeyHash> sorted) {
  TAMIS_ASSIGN_OR_RETURN(AdaptiveQuotient filled, Create(options_, hasher_));
  filled.counts_ = counts_;
  filled.is_adapted_ = counts_.rehashes != 0;  // (A5)
  QuotientTable::Builder builder(filled.table_);
  for (const KeyHash hash : sorted) {
    TAMIS_RETURN_IF_ERROR(
        builder.Append(filled.HomeOf(hash), filled.ValueOf(hash, 0)));
    if (!has_mirror()) continue;
    if (builder.last_slot() >= filled.mirror_.slots()) {
      TAMIS_RETURN_IF_ERROR(filled.mirror_.OnGrow(filled.table_.num_slots()));
    }
    filled.mirror_.Set(builder.last_slot(), hash);
  }
  builder.Finish();
  TAMIS_RETURN_IF_ERROR(filled.letters_.OnGrow(filled.table_.num_slots()));
  if (options_.adapt_on_insert) {
    for (const KeyHash hash : sorted) filled.SeparateFromRun(hash);
  }
  *this = std::move(filled);
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_QUOTIENT_CHANGE_H_
