#include "tamis/internal/filters/tamis/active_table.h"

#include <string>

#include "tamis/internal/filters/growing/prefix_match.h"
#include "tamis/internal/table/matching_shape.h"
#include "tamis/internal/table/remainder_matcher.h"

namespace tamis::internal {

namespace {

Status CheckSorted(const QuotientTable& table) {
  const Status sorted = table.CheckSortedRuns();
  return sorted.ok() ? sorted : sorted.WithContext("(P2)");
}

Status EntryOfZero(uint64_t slot) {
  return {StatusCode::kCorrupt,
          "(P2): slot " + std::to_string(slot) + " holds an entry of 0"};
}

}  // namespace

Result<ActiveTable> ActiveTable::Create(const Form& form) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(
          form.homes,
          QuotientTable::LineForm{form.width(), form.homes_per_line}));
  return ActiveTable(form, std::move(table));
}

Result<ActiveTable> ActiveTable::FromLines(const Form& form, uint64_t size,
                                           const OuterBytes& lines) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(
          form.homes,
          QuotientTable::LineForm{form.width(), form.homes_per_line}, size,
          lines));
  ActiveTable result(form, std::move(table));
  result.counts_ = lines.map ? std::vector<uint64_t>() : result.CountEntries();
  return result;
}

// Lines that nobody has checked may hold anything; a cursor stays in them.
std::vector<uint64_t> ActiveTable::CountEntries() const {
  std::vector<uint64_t> counts(static_cast<size_t>(bits()) + 1);
  for (QuotientTable::Cursor at(table_); !at.done(); at.Next()) {
    if (at.value() == 0 && form_.may_grow) continue;
    ++counts[static_cast<size_t>(LengthOf(at.value()))];
  }
  return counts;
}

Result<ActiveTable> ActiveTable::Clone() const {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(
          form_.homes,
          QuotientTable::LineForm{form_.width(), form_.homes_per_line}, size(),
          table_.lines()));
  ActiveTable clone(form_, std::move(table));
  clone.counts_ = CountsByLength();
  return clone;
}

ActiveTable::Finder ActiveTable::FinderOf(const Form& form) {
  static constexpr auto kPrefix = ByMatchingWidth<PrefixFinder>();
  static constexpr auto kRemainder = ByMatchingWidth<RemainderFinder>();
  const auto width = static_cast<size_t>(form.width());
  return form.may_grow ? kPrefix[width] : kRemainder[width];
}

// Tables that may not grow have as many homes as slots.  For the others a batch
// by a SteppedShape was slower than by any shape: 1.2 to 1.3x.
template <typename Function>
auto ActiveTable::WithLookup(Function&& function) const {
  if (!form_.may_grow) {
    return WithMatchingShape(table_.shape(), [&](const auto& shape) {
      return function(RemainderLookup(table_, shape));
    });
  }
  return WithShape(table_.shape(), [&](const auto& shape) {
    return function(PrefixLookup(table_, shape));
  });
}

void ActiveTable::MayContain(std::span<const KeyHash> hashes,
                             std::span<bool> results) const {
  WithLookup([&](const auto& lookup) { lookup.MayContain(hashes, results); });
}

Prefix ActiveTable::PrefixIn(uint64_t home, uint64_t value) const {
  const int length = LengthOf(value);
  // Of a forged entry of 0, in a file that was not checked, it is negative.
  if (length <= 0) return {MakePosition(home, 0), 0};
  const uint64_t fingerprint = value >> (form_.width() - length);
  return {MakePosition(home, fingerprint << (kStringBits - length)), length};
}

uint64_t ActiveTable::ValueOf(const Prefix& prefix) const {
  const uint64_t string = FingerprintOf(prefix.low, bits());
  if (!form_.may_grow) return string;
  return EncodePrefix(string, prefix.length, bits());
}

Status ActiveTable::Insert(Position at) {
  const uint64_t value = ValueOf(PrefixOf(at, bits()));
  TAMIS_RETURN_IF_ERROR(table_.InsertSorted(HomeOf(at), value));
  Count(value, +1);
  return {};
}

void ActiveTable::Erase(const Match& match) {
  Count(table_.Get(match.slot), -1);
  table_.EraseAt(match.home, match.slot);
}

void ActiveTable::Lengthen(const Match& match, Position at) {
  const uint64_t full = ValueOf(PrefixOf(at, bits()));
  Count(table_.Get(match.slot), -1);
  Count(full, +1);
  // The run stays as long as it is; its order is restored by moving the
  // entries between the old place and the new one.
  const SlotRange run = table_.FindRun(match.home);
  uint64_t slot = match.slot;
  for (; slot > run.begin && table_.Get(slot - 1) > full; --slot) {
    table_.Set(slot, table_.Get(slot - 1));
  }
  for (; slot + 1 < run.limit && table_.Get(slot + 1) < full; ++slot) {
    table_.Set(slot, table_.Get(slot + 1));
  }
  table_.Set(slot, full);
}

std::optional<ActiveTable::Match> ActiveTable::FindLongest(
    Position at, int max_length) const {
  std::optional<Match> best;
  const uint64_t home = HomeOf(at);
  const SlotRange run = table_.FindRun(home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    const Prefix prefix = PrefixIn(home, table_.Get(slot));
    if (prefix.length > max_length || !prefix.Covers(at)) continue;
    if (!best || best->length < prefix.length) {
      best = Match{home, slot, prefix.length};
      if (prefix.length == max_length) break;
    }
  }
  return best;
}

std::optional<ActiveTable::Match> ActiveTable::Find(
    const Prefix& prefix) const {
  const uint64_t value = ValueOf(prefix);
  const uint64_t home = HomeOf(prefix.low);
  const SlotRange run = table_.FindRun(home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (table_.Get(slot) == value) return Match{home, slot, prefix.length};
  }
  return std::nullopt;
}

Status ActiveTable::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(table_.CheckInvariants());
  TAMIS_RETURN_IF_ERROR(CheckSorted(table_));
  for (QuotientTable::Cursor at(table_); !at.done(); at.Next()) {
    if (form_.may_grow && at.value() == 0) return EntryOfZero(at.slot());
  }
  if (counts_.empty() || CountEntries() == counts_) return {};
  return {StatusCode::kCorrupt,
          "(P3): entries are not counted by their length"};
}

}  // namespace tamis::internal
