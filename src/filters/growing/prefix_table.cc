#include "tamis/internal/filters/growing/prefix_table.h"

#include <algorithm>
#include <bit>
#include <string>

#include "tamis/internal/table/matching_shape.h"

namespace tamis::internal {

Result<PrefixTable> PrefixTable::Create(const Generations& generations,
                                        int generation) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(generations.Homes(generation),
                            generations.Bits(generation) + 1));
  return PrefixTable(std::move(table), generation);
}

Result<PrefixTable> PrefixTable::FromLines(const Generations& generations,
                                           int generation, uint64_t size,
                                           const OuterBytes& lines,
                                           const Counts* counts) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(generations.Homes(generation),
                               generations.Bits(generation) + 1, size, lines));
  PrefixTable result(std::move(table), generation);
  if (counts != nullptr) {
    result.counts_ = *counts;
  } else {
    result.CountEntries();
  }
  return result;
}

bool PrefixTable::MayContain(KeyHash hash) const {
  static constexpr auto kFinders = ByMatchingWidth<PrefixFinder>();
  return kFinders[static_cast<size_t>(table_.width())](table_, hash);
}

void PrefixTable::MayContain(std::span<const KeyHash> hashes,
                             std::span<bool> results) const {
  WithShape(table_.shape(), [&](const auto& shape) {
    PrefixLookup(table_, shape).MayContain(hashes, results);
  });
}

void PrefixTable::CountEntries() {
  counts_ = {};
  for (QuotientTable::Cursor at(table_); !at.done(); at.Next()) {
    if (at.value() != 0) CountEntry(at.value());
  }
}

PrefixTable::Query PrefixTable::ReadHome(uint64_t home, int generation) const {
  // The last `known` bits of that home are the first of this table's string.
  const int known = generation - generation_;
  assert(known >= 0);
  const TableEntry entry = MoveToValue({home, 0}, known, bits(), bits());
  return {entry.home, entry.value << 1};
}

Status PrefixTable::Insert(const Query& query) {
  return InsertEntry({query.home, query.string | 1});
}

Status PrefixTable::InsertEntry(const TableEntry& entry) {
  TAMIS_RETURN_IF_ERROR(table_.InsertSorted(entry.home, entry.value));
  CountEntry(entry.value);
  return {};
}

std::optional<PrefixTable::Match> PrefixTable::FindLongest(
    const Query& query, int max_length) const {
  std::optional<Match> best;
  const SlotRange run = table_.FindRun(query.home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    const uint64_t value = table_.Get(slot);
    if (!PrefixMatches(value, query.string)) continue;
    const int length = PrefixLength(value, bits());
    if (length > max_length || (best && best->length >= length)) continue;
    best = Match{query.home, slot, length};
    if (length == max_length) break;
  }
  return best;
}

uint64_t PrefixTable::CountMatches(const Query& query) const {
  uint64_t count = 0;
  const SlotRange run = table_.FindRun(query.home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    count += PrefixMatches(table_.Get(slot), query.string);
  }
  return count;
}

uint64_t PrefixTable::CountEqual(uint64_t home, uint64_t value) const {
  uint64_t count = 0;
  const SlotRange run = table_.FindRun(home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    count += static_cast<uint64_t>(table_.Get(slot) == value);
  }
  return count;
}

void PrefixTable::Erase(const Match& match) {
  const uint64_t value = table_.Get(match.slot);
  assert(PrefixLength(value, bits()) == match.length);
  table_.EraseAt(match.home, match.slot);
  --counts_[ResolutionOf(value)];
}

void PrefixTable::EraseVoid(uint64_t home) {
  const SlotRange run = table_.FindRun(home);
  uint64_t slot = run.begin;
  while (slot < run.limit && table_.Get(slot) != void_value()) ++slot;
  assert(slot < run.limit && "no void entry to remove");
  Erase({home, slot, 0});
}

void PrefixTable::Lengthen(const Match& match, const Query& query) {
  const uint64_t whole = query.string | 1;
  --counts_[ResolutionOf(table_.Get(match.slot))];
  CountEntry(whole);
  // The run stays as long as it is; its order is restored by moving the
  // entries between the old place and the new one.
  const SlotRange run = table_.FindRun(match.home);
  uint64_t slot = match.slot;
  while (slot > run.begin && table_.Get(slot - 1) > whole) {
    table_.Set(slot, table_.Get(slot - 1));
    --slot;
  }
  while (slot + 1 < run.limit && table_.Get(slot + 1) < whole) {
    table_.Set(slot, table_.Get(slot + 1));
    ++slot;
  }
  table_.Set(slot, whole);
}

int PrefixTable::MinResolution() const {
  int resolution = generation_;
  while (resolution <= kMaxResolution && entries_of(resolution) == 0) {
    ++resolution;
  }
  return resolution;
}

Status PrefixTable::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(table_.CheckInvariants());
  if (const Status sorted = table_.CheckSortedRuns(); !sorted.ok()) {
    return sorted.WithContext("(P2)");
  }
  Counts counts = {};
  for (QuotientTable::Cursor at(table_); !at.done(); at.Next()) {
    if (at.value() == 0) {
      return {StatusCode::kCorrupt, "(P2): slot " + std::to_string(at.slot()) +
                                        " holds an entry of 0"};
    }
    ++counts[ResolutionOf(at.value())];
  }
  if (counts != counts_) {
    return {StatusCode::kCorrupt,
            "(P3): entries are not counted by their resolution"};
  }
  return {};
}

}  // namespace tamis::internal
