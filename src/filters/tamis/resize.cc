// How a tamis filter grows and shrinks, from one stage to another (stages.cc):
// each is one ordered pass.
//
// The passes make new parts first and exchange them at the end, so that lack of
// memory leaves the filter as it was.

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "table/bulk_order.h"
#include "table/entry_stream.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::Burst;
using internal::Bursts;
using internal::ContractEntry;
using internal::ExpandEntry;
using internal::ExtensionTable;
using internal::FillFrom;
using internal::HomeOf;
using internal::kStringBits;
using internal::MappedEntries;
using internal::PlainVector;
using internal::Prefix;
using internal::PrefixOf;
using internal::QuotientTable;
using internal::TableEntry;
using internal::VoidArray;

Result<std::unique_ptr<ActiveTable>> TamisFilter::TableFor(
    const Stage& stage) const {
  TAMIS_ASSIGN_OR_RETURN(ActiveTable table, ActiveTable::Create(FormOf(stage)));
  return std::make_unique<ActiveTable>(std::move(table));
}

Result<TamisFilter::Parts> TamisFilter::Current() const {
  Parts parts{stage(), nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.extensions, extensions_.All());
  TAMIS_ASSIGN_OR_RETURN(parts.voids,
                         PlainVector<VoidArray::Entry>::Copy(voids_.entries()));
  return parts;
}

// Within a generation entries are what they are, and merged with new ones.
Result<TamisFilter::Parts> TamisFilter::Grown(
    const Stage& to, std::span<const KeyHash> more) const {
  if (options_.slots > internal::kMaxHomes >> to.generation) {
    return Status(StatusCode::kFull,
                  "a filter of more than 2^55 homes can't double");
  }
  TAMIS_ASSIGN_OR_RETURN(Parts parts, Current());
  while (parts.stage.generation < to.generation) {
    TAMIS_ASSIGN_OR_RETURN(parts, Doubled(parts));
  }
  if (parts.active && parts.stage == to && more.empty()) return parts;
  const ActiveTable& from = parts.active ? *parts.active : active_;
  TAMIS_ASSIGN_OR_RETURN(std::unique_ptr<ActiveTable> active, TableFor(to));
  ActiveTable::Builder builder(*active);
  internal::Merger merger(
      builder, MappedEntries(from, [](const TableEntry& e) { return e; }));
  const auto append = [&](uint64_t home, uint64_t string) {
    return merger.Append({home, options_.grow ? string << 1 | 1 : string});
  };
  if (!more.empty()) {
    TAMIS_RETURN_IF_ERROR(
        internal::ForEachInOrder(more, active->homes(), bits(), append));
  }
  TAMIS_RETURN_IF_ERROR(merger.Finish());
  parts.active = std::move(active);
  parts.stage = to;
  return parts;
}

namespace {

// The extensions of one full prefix after another, in order.
class ExtensionGroups {
 public:
  explicit ExtensionGroups(std::span<const Prefix> sorted) : sorted_(sorted) {}
  // REQUIRES: full prefixes ascend from call to call
  std::span<const Prefix> Under(const Prefix& full) {
    while (next_ < sorted_.size() && sorted_[next_].low < full.low) ++next_;
    const size_t begin = next_;
    while (next_ < sorted_.size() && full.Covers(sorted_[next_].low)) ++next_;
    return sorted_.subspan(begin, next_ - begin);
  }

 private:
  std::span<const Prefix> sorted_;
  size_t next_ = 0;
};

}  // namespace

// Every entry gives the first bit of its fingerprint to its home.  Those that
// are extended take one bit from their extension for it, and stay full:
//
//   full entry       b x x x|1      aged:      x x x|1 0       at home 2i + b
//   its extension    b x x x e f    extended:  x x x e|1       and f remains
Result<TamisFilter::Parts> TamisFilter::Doubled(const Parts& parts) const {
  const Stage next = {parts.stage.generation + 1, 0, parts.stage.phase};
  Parts doubled{next, nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(doubled.active, TableFor(next));
  for (const Prefix& extension : parts.extensions) {
    const Prefix moved = {extension.low << 1, extension.length - 1};
    if (moved.length <= bits()) continue;
    TAMIS_RETURN_IF_ERROR(doubled.extensions.Append(moved));
  }
  if (options_.rejuvenate_all && mirrors()) {
    TAMIS_RETURN_IF_ERROR(AppendMirrored(*doubled.active));
    return doubled;
  }
  TAMIS_RETURN_IF_ERROR(doubled.voids.Append(parts.voids.span()));
  TAMIS_RETURN_IF_ERROR(AppendAged(parts.active ? *parts.active : active_,
                                   doubled, parts.extensions.span()));
  return doubled;
}

// Whole fingerprints for all.  Extensions stay those of whom they were.
Status TamisFilter::AppendMirrored(ActiveTable& active) const {
  ActiveTable::Builder builder(active);
  Status status;
  mirror_.ForEach([&](KeyHash hash) {
    if (!status.ok()) return;
    const Prefix full = PrefixOf(active.Read(hash), bits());
    status = builder.Append(HomeOf(full.low), active.ValueOf(full));
  });
  builder.Finish();
  return status;
}

// One that has no bit to give is a void, of so many bits, from now on.
Status TamisFilter::AppendAgedOne(const TableEntry& entry, uint64_t resolution,
                                  ActiveTable::Builder& builder,
                                  Parts& to) const {
  const bool is_void = entry.value == uint64_t{1} << bits();
  if (is_void) return to.voids.Append({resolution, entry.home});
  const TableEntry aged = ExpandEntry(entry, 1, bits() + 1, bits() + 1);
  return builder.Append(aged.home, aged.value);
}

Status TamisFilter::AppendAged(const ActiveTable& from, Parts& to,
                               std::span<const Prefix> extensions) const {
  ActiveTable::Builder builder(*to.active);
  const int width = from.form().width();
  const auto resolution = static_cast<uint64_t>(to.stage.generation - 1);
  if (extensions.empty()) {
    for (QuotientTable::Cursor at(from.table()); !at.done(); at.Next()) {
      TAMIS_RETURN_IF_ERROR(
          AppendAgedOne({at.home(), at.value()}, resolution, builder, to));
    }
    builder.Finish();
    return {};
  }
  const auto append_extended = [&](std::span<const Prefix> group,
                                   uint64_t first_bit) -> Status {
    for (const Prefix& extension : group) {
      if ((internal::StringOf(extension.low) << bits() >> (kStringBits - 1)) !=
          first_bit) {
        continue;
      }
      const Prefix full = PrefixOf(extension.low << 1, bits());
      TAMIS_RETURN_IF_ERROR(
          builder.Append(HomeOf(full.low), to.active->ValueOf(full)));
    }
    return {};
  };
  ExtensionGroups groups(extensions);
  for (QuotientTable::Cursor at(from.table()); !at.done();) {
    const TableEntry entry = {at.home(), at.value()};
    uint64_t count = 0;
    for (; !at.done() && TableEntry{at.home(), at.value()} == entry;
         at.Next()) {
      ++count;
    }
    const int length = internal::PrefixLength(entry.value, bits());
    if (length == 0) {
      for (uint64_t i = 0; i < count; ++i) {
        TAMIS_RETURN_IF_ERROR(to.voids.Append({resolution, entry.home}));
      }
      continue;
    }
    std::span<const Prefix> group;
    if (length == bits()) {
      group = groups.Under(from.PrefixIn(entry.home, entry.value));
    }
    const TableEntry aged = ExpandEntry(entry, 1, width, width);
    TAMIS_RETURN_IF_ERROR(append_extended(group, 0));
    for (uint64_t i = group.size(); i < count; ++i) {
      TAMIS_RETURN_IF_ERROR(builder.Append(aged.home, aged.value));
    }
    TAMIS_RETURN_IF_ERROR(append_extended(group, 1));
  }
  builder.Finish();
  return {};
}

// The reverse.  What was full is cut by a bit; an extension gains the bit that
// its entry lost, or keeps its length where its slot has no room for more.
Result<TamisFilter::Parts> TamisFilter::Halved() const {
  const Stage next = {generation_ - 1, options_.steps - 1, phase_};
  Parts parts{next, nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, TableFor(next));
  // Of the voids, the newest have a home again.
  const auto voids = voids_.entries();
  auto back = std::find_if(
      voids.begin(), voids.end(), [&](const VoidArray::Entry& entry) {
        return static_cast<int>(entry.resolution) >= next.generation;
      });
  TAMIS_RETURN_IF_ERROR(parts.voids.Append(
      voids.first(static_cast<size_t>(back - voids.begin()))));
  Bursts returning([&]() -> Burst {
    if (back == voids.end()) return internal::kNoBurst;
    return {{(back++)->prefix, uint64_t{1} << bits()}, 1};
  });
  const int width = active_.form().width();
  MappedEntries staying(active_, [&](const TableEntry& entry) {
    return ContractEntry(entry, width, width);
  });
  TAMIS_RETURN_IF_ERROR(
      FillFrom(*parts.active, std::move(staying), std::move(returning)));
  const int fits = bits() + ExtensionTable::kRestBits;
  TAMIS_ASSIGN_OR_RETURN(parts.extensions, extensions_.All());
  for (Prefix& extension : parts.extensions) {
    const int length = extension.length == fits
                           ? fits
                           : std::min(extension.length + 1, kStringBits);
    extension = PrefixOf(extension.low >> 1, length);
  }
  std::sort(parts.extensions.begin(), parts.extensions.end());
  return parts;
}

Result<ExtensionTable> TamisFilter::MakeExtensions(
    const Parts& parts, std::span<const Prefix> all) const {
  const uint64_t homes = parts.active->homes();
  const uint64_t most = MaxExtensions(homes, Limit(parts.stage));
  // What exceeds the budget is forgotten.
  const auto kept = all.first(std::min<size_t>(all.size(), most));
  const uint64_t capacity =
      std::min(most, kept.size() + std::max<uint64_t>(kept.size() / 4, 8));
  if (kept.empty()) return ExtensionTable();
  return ExtensionTable::Build(
      ExtensionTable::Plan::For(homes, bits(), capacity), kept);
}

Status TamisFilter::Commit(Parts parts) {
  TAMIS_ASSIGN_OR_RETURN(ExtensionTable extensions,
                         MakeExtensions(parts, parts.extensions.span()));
  TAMIS_ASSIGN_OR_RETURN(
      VoidArray voids, VoidArray::Create(options_.slots, parts.stage.generation,
                                         std::move(parts.voids)));
  num_forgotten_ += parts.extensions.size() - extensions.size();
  extensions_ = std::move(extensions);
  voids_ = std::move(voids);
  active_ = std::move(*parts.active);
  generation_ = parts.stage.generation;
  step_ = parts.stage.step;
  phase_ = parts.stage.phase;
  limit_ = Limit(stage());
  return {};
}

Status TamisFilter::Expand() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  TAMIS_ASSIGN_OR_RETURN(Parts parts, LargerParts());
  return Commit(std::move(parts));
}

Result<TamisFilter::Parts> TamisFilter::LargerParts() const {
  if (!options_.grow) {
    return Status(StatusCode::kUnsupported,
                  "grow=no: the filter has a fixed size");
  }
  return Grown(Next(stage()), {});
}

Result<TamisFilter> TamisFilter::Expanded(Keep keep) const {
  TAMIS_RETURN_IF_ERROR(CheckIfMapped());
  TAMIS_ASSIGN_OR_RETURN(Parts parts, LargerParts());
  return MakeFrom(std::move(parts), keep);
}

Result<TamisFilter> TamisFilter::Contracted(Keep keep) const {
  TAMIS_RETURN_IF_ERROR(CheckIfMapped());
  TAMIS_ASSIGN_OR_RETURN(Parts parts, SmallerParts());
  return MakeFrom(std::move(parts), keep);
}

Status TamisFilter::ExpandTo(uint64_t entries) {
  const Stage wanted = StageFor(entries);
  if (wanted == stage()) return {};
  TAMIS_ASSIGN_OR_RETURN(Parts parts, Grown(wanted, {}));
  return Commit(std::move(parts));
}

Status TamisFilter::Contract() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  TAMIS_ASSIGN_OR_RETURN(Parts parts, SmallerParts());
  return Commit(std::move(parts));
}

Result<TamisFilter::Parts> TamisFilter::SmallerParts() const {
  if (!options_.grow || (generation_ == 0 && step_ == 0)) {
    return Status(StatusCode::kUnsupported,
                  "the filter has the size of its creation");
  }
  const Stage before = Before(stage());
  const bool halves = before.generation < generation_;
  // Halving brings void entries back.
  if ((halves ? size() : active_.size()) > Limit(before)) {
    return Status(StatusCode::kFull,
                  std::to_string(size()) + " keys do not fit a smaller filter");
  }
  return halves ? Halved() : Grown(before, {});
}

// Well below the limit of the stage before, so that a few inserts do not bring
// it back.
bool TamisFilter::IsSparse() const {
  if (!options_.grow || (generation_ == 0 && step_ == 0)) return false;
  return 5 * size() <= 3 * Limit(Before(stage()));
}

}  // namespace tamis
