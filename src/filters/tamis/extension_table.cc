#include "tamis/internal/filters/tamis/extension_table.h"

#include <bit>
#include <new>
#include <string>

#include "base/errors.h"
#include "tamis/internal/table/lookup.h"

namespace tamis::internal {
namespace {

constexpr double kLoad = 0.98;

// Slots that so many extensions need.
uint64_t SlotsFor(uint64_t capacity) {
  return static_cast<uint64_t>(static_cast<double>(capacity) / kLoad) + 1;
}

Status NoMemory() {
  return {StatusCode::kOutOfMemory, "no memory to count extensions"};
}

}  // namespace

ExtensionTable::Plan ExtensionTable::Plan::For(uint64_t homes, int bits,
                                               uint64_t capacity) {
  Plan plan{homes, bits, capacity, 0, 0};
  const uint64_t wanted = SlotsFor(capacity);
  while (plan.width() < kMaxSlotBits && (homes - 1) >> plan.shift >= wanted) {
    ++plan.shift;
  }
  // At most as many homes as slots are wanted; the fewer they are, the fewer
  // stand in a line.
  const auto slots = static_cast<uint64_t>(SlotsPerLine(plan.width()));
  plan.homes_per_line = static_cast<int>(
      std::clamp(slots * plan.table_homes() / wanted, uint64_t{2}, slots));
  return plan;
}

// Six bits an extension while less than one home in 72 has one, and no fewer
// than three.
uint64_t ExtensionTable::Plan::ScreenWords() const {
  const uint64_t wanted =
      std::max(3 * capacity, std::min(6 * capacity, homes / 12));
  return std::max<uint64_t>(1, wanted / 64);
}

uint64_t ExtensionTable::Plan::SizeBits() const {
  const auto per_line = static_cast<uint64_t>(homes_per_line);
  const uint64_t lines = (table_homes() + per_line - 1) / per_line;
  return (lines + FirstTailLines(lines)) * kLineBits + 64 * ScreenWords();
}

Result<ExtensionTable> ExtensionTable::Create(const Plan& plan) {
  ExtensionTable result;
  result.plan_ = plan;
  if (plan.capacity == 0) return result;
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(
          plan.table_homes(),
          QuotientTable::LineForm{plan.width(), plan.homes_per_line}));
  result.table_ = std::move(table);
  TAMIS_RETURN_IF_ERROR(result.Summarize());
  return result;
}

Status ExtensionTable::Summarize() {
  TAMIS_ASSIGN_OR_RETURN(screen_, PrefixScreen::Create(plan_.homes, plan_.bits,
                                                       plan_.ScreenWords()));
  counts_.reset(new (std::nothrow) Counts{});
  if (counts_ == nullptr) return NoMemory();
  if (empty()) return {};
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all, All());
  for (const Prefix& prefix : all) {
    Count(prefix, +1);
    if (HomeOf(prefix.low) < plan_.homes) Mark(prefix);
  }
  return {};
}

Result<ExtensionTable> ExtensionTable::Clone() const {
  TAMIS_ASSIGN_OR_RETURN(PlainVector<Long> longs,
                         PlainVector<Long>::Copy(longs_.span()));
  if (table_ && counts_ == nullptr) {
    return FromParts(plan_, table_size(), lines(), std::move(longs));
  }
  ExtensionTable clone;
  clone.plan_ = plan_;
  clone.longs_ = std::move(longs);
  TAMIS_ASSIGN_OR_RETURN(clone.screen_, screen_.Clone());
  if (!table_) return clone;
  clone.counts_.reset(new (std::nothrow) Counts(*counts_));
  if (clone.counts_ == nullptr) return NoMemory();
  TAMIS_ASSIGN_OR_RETURN(
      clone.table_,
      QuotientTable::FromLines(
          plan_.table_homes(),
          QuotientTable::LineForm{plan_.width(), plan_.homes_per_line},
          table_size(), lines()));
  return clone;
}

Result<ExtensionTable> ExtensionTable::Build(const Plan& plan,
                                             std::span<const Prefix> prefixes) {
  TAMIS_ASSIGN_OR_RETURN(ExtensionTable result, Create(plan));
  for (const Prefix& prefix : prefixes) {
    TAMIS_RETURN_IF_ERROR(result.Insert(prefix));
  }
  return result;
}

Result<ExtensionTable> ExtensionTable::FromParts(const Plan& plan,
                                                 uint64_t size,
                                                 const OuterBytes& lines,
                                                 PlainVector<Long> longs) {
  if (plan.capacity == 0) {
    if (size == 0 && lines.size() == 0 && longs.empty()) {
      return ExtensionTable();
    }
    return Violation("extensions in a table without room");
  }
  // Before other memory is asked for: the lines must be those of the plan.
  const QuotientTable::LineForm form{plan.width(), plan.homes_per_line};
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(plan.table_homes(), form, size, lines));
  ExtensionTable result;
  result.plan_ = plan;
  result.table_ = std::move(table);
  result.longs_ = std::move(longs);
  if (!lines.map) {
    TAMIS_RETURN_IF_ERROR(result.Summarize());
    return result;
  }
  TAMIS_ASSIGN_OR_RETURN(result.screen_, PrefixScreen::OfAll());
  return result;
}

ExtensionTable::Counts ExtensionTable::CountAll() const {
  Counts counts = {};
  const auto count = [&](const Prefix& extension) {
    ++counts[static_cast<size_t>(extension.length)];
  };
  if (table_) {
    table_->ForEach([&](uint64_t home, uint64_t, uint64_t value) {
      count(PrefixIn(home, value));
    });
  }
  for (const Long& entry : longs_) count(entry.prefix());
  return counts;
}

uint64_t ExtensionTable::SizeBits() const {
  return (table_ ? table_->SizeBits() : 0) + longs_.SizeBits() +
         screen_.SizeBits();
}

uint64_t ExtensionTable::ValueOf(const Prefix& extension) const {
  const uint64_t home =
      HomeOf(extension.low) & LowBits(static_cast<unsigned>(plan_.shift));
  const uint64_t string = FingerprintOf(extension.low, plan_.bits + kRestBits);
  const uint64_t code = EncodePrefix(string & LowBits(kRestBits),
                                     extension.length - plan_.bits, kRestBits);
  return (home << (plan_.bits + kRestBits + 1)) |
         ((string >> kRestBits) << (kRestBits + 1)) | code;
}

Prefix ExtensionTable::PrefixIn(uint64_t table_home, uint64_t value) const {
  const int string_bits = plan_.bits + kRestBits + 1;
  const uint64_t code = value & LowBits(kRestBits + 1);
  const int rest = code == 0 ? 0 : PrefixLength(code, kRestBits);
  const uint64_t home = (table_home << plan_.shift) | (value >> string_bits);
  const uint64_t string = value << (kStringBits - string_bits);
  return PrefixOf(MakePosition(home, string), plan_.bits + rest);
}

namespace {

// Calls visit(value) for the entries of a home.  Nearly all runs end in their
// home's line, and then no slot need be located.
template <typename Visit>
void ForEachInRun(const QuotientTable& table, uint64_t home, Visit&& visit) {
  const LineShape<0>& shape = table.shape();
  const auto at = shape.LocateHome(home);
  const std::byte* line = table.line(at.line);
  const LineHeader header = shape.ReadHeader(line);
  if ((header.occupied >> at.index & 1) == 0) return;
  const LineRanks ranks = Rank(header, at.index);
  if (const uint64_t end = RunEnd(ranks); end != 0) {
    for (uint64_t left = SlotsUpTo(ranks, end); left != 0; left &= left - 1) {
      visit(shape.ReadSlot(line, std::countr_zero(left)));
    }
    return;
  }
  const SlotRange run = table.FindRun(home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    visit(table.Get(slot));
  }
}

}  // namespace

// As ForEachUnder, but most of what it meets is not decoded.
ExtensionTable::Under ExtensionTable::FindUnder(KeyHash hash) const {
  Under found;
  if (!table_) return found;
  const Position at = PositionOf(hash, plan_.homes);
  const uint64_t home = HomeOf(at);
  const uint64_t table_home = TableHome(home);
  const uint64_t wanted = (home & LowBits(static_cast<unsigned>(plan_.shift)))
                              << plan_.bits |
                          FingerprintOf(at, plan_.bits);
  ForEachInRun(*table_, table_home, [&](uint64_t value) {
    if (value >> (kRestBits + 1) != wanted) return;
    ++found.count;
    found.covers |= PrefixIn(table_home, value).Covers(at);
  });
  if (longs_.empty() || !screen_.MayCover(hash, PrefixScreen::Mark::kFew)) {
    return found;
  }
  const Prefix full = PrefixOf(at, plan_.bits);
  const Long* entry = std::lower_bound(
      longs_.begin(), longs_.end(), home,
      [](const Long& one, uint64_t least) { return one.home() < least; });
  for (; entry != longs_.end() && entry->home() == home; ++entry) {
    if (!full.Covers(entry->prefix().low)) continue;
    ++found.count;
    found.covers |= entry->prefix().Covers(at);
  }
  return found;
}

uint64_t ExtensionTable::LowerBound(const Prefix& prefix) const {
  const Long* at =
      std::lower_bound(longs_.begin(), longs_.end(), prefix,
                       [](const Long& entry, const Prefix& wanted) {
                         return entry.prefix() < wanted;
                       });
  return static_cast<uint64_t>(at - longs_.begin());
}

Result<PlainVector<Prefix>> ExtensionTable::All() const {
  PlainVector<Prefix> all;
  TAMIS_RETURN_IF_ERROR(all.Reserve(size()));
  if (table_) {
    table_->ForEach([&](uint64_t home, uint64_t, uint64_t value) {
      all.Insert(all.size(), PrefixIn(home, value));
    });
  }
  for (const Long& entry : longs_) all.Insert(all.size(), entry.prefix());
  std::sort(all.begin(), all.end());
  return all;
}

Status ExtensionTable::Reserve(uint64_t count, uint64_t long_count) {
  if (!table_) return {};
  TAMIS_RETURN_IF_ERROR(longs_.Reserve(longs_.size() + long_count));
  return table_->Reserve(count);
}

Status ExtensionTable::Insert(const Prefix& extension) {
  assert(extension.length > plan_.bits && extension.length <= kStringBits);
  if (size() >= capacity()) {
    return {StatusCode::kFull,
            "no room for more than " + std::to_string(size()) + " extensions"};
  }
  const uint64_t home = HomeOf(extension.low);
  if (FitsSlot(extension)) {
    TAMIS_RETURN_IF_ERROR(
        table_->InsertSorted(TableHome(home), ValueOf(extension)));
  } else {
    // One at a time: few are long, and more room would be theirs to pay for.
    TAMIS_RETURN_IF_ERROR(longs_.Reserve(longs_.size() + 1));
    longs_.Insert(LowerBound(extension), Long::Of(extension));
  }
  Mark(extension);
  Count(extension, +1);
  return {};
}

bool ExtensionTable::Erase(const Prefix& extension) {
  if (!table_) return false;
  if (!FitsSlot(extension)) {
    const uint64_t at = LowerBound(extension);
    if (at == longs_.size() || longs_[at].prefix() != extension) return false;
    longs_.Erase(at);
    longs_.Fit();
    Count(extension, -1);
    return true;
  }
  const uint64_t home = TableHome(HomeOf(extension.low));
  const uint64_t value = ValueOf(extension);
  const SlotRange run = table_->FindRun(home);
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    if (table_->Get(slot) != value) continue;
    table_->EraseAt(home, slot);
    Count(extension, -1);
    return true;
  }
  return false;
}

uint64_t ExtensionTable::DropAfter(uint64_t home) {
  assert(!empty());
  // Long ones are dear: they go first where they are too many.
  if (table_size() == 0 || longs_.size() > 4 + table_size() / 32) {
    Erase(longs_[0].prefix());
    return home;
  }
  uint64_t at = TableHome(home);
  SlotRange run;
  do {
    at = at + 1 < plan_.table_homes() ? at + 1 : 0;
    run = table_->FindRun(at);
  } while (run.empty());
  Count(PrefixIn(at, table_->Get(run.begin)), -1);
  table_->EraseAt(at, run.begin);
  return at << plan_.shift;
}

Status ExtensionTable::CheckExtension(const Prefix& extension) const {
  if (extension.length <= plan_.bits || extension.length > kStringBits ||
      HomeOf(extension.low) >= plan_.homes ||
      PrefixOf(extension.low, extension.length) != extension) {
    return Violation("(E1): an extension of " +
                     std::to_string(extension.length) + " bits at home " +
                     std::to_string(HomeOf(extension.low)));
  }
  return {};
}

Status ExtensionTable::CheckInvariants() const {
  if (!table_) return {};
  TAMIS_RETURN_IF_ERROR(table_->CheckInvariants());
  TAMIS_RETURN_IF_ERROR(table_->CheckSortedRuns());
  if (size() > capacity()) return Violation("(E1): more than its capacity");
  for (size_t i = 0; i < longs_.size(); ++i) {
    if (FitsSlot(longs_[i].prefix()) ||
        longs_[i] != Long::Of(longs_[i].prefix()) ||
        (i > 0 && longs_[i].prefix() < longs_[i - 1].prefix())) {
      return Violation("(E2): long extension " + std::to_string(i) +
                       " is short, too long, or out of order");
    }
  }
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all, All());
  for (const Prefix& prefix : all) {
    TAMIS_RETURN_IF_ERROR(CheckExtension(prefix));
    if (!screen_.Has(prefix) ||
        (!FitsSlot(prefix) && !screen_.Has(prefix, PrefixScreen::Mark::kFew))) {
      return Violation("(E3): the screen lacks home " +
                       std::to_string(HomeOf(prefix.low)));
    }
  }
  if (counts_ == nullptr || CountAll() == *counts_) return {};
  return Violation("(E4): extensions are not counted by their length");
}

}  // namespace tamis::internal
