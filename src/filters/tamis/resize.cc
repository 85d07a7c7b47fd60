// How a tamis filter grows and shrinks: each is one ordered pass.
//
//   stage (generation, step)   homes           homes a line
//   (0, 0) (0, 1) (0, 2)       m0              S, S / 2^(1/3), S / 2^(2/3)
//   (1, 0) ...                 2 m0            S, ...
//
// The passes make new parts first and exchange them at the end, so that lack of
// memory leaves the filter as it was.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "filters/growing/threshold.h"
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
using internal::Prefix;
using internal::PrefixOf;
using internal::QuotientTable;
using internal::TableEntry;
using internal::VoidArray;

TamisFilter::Stage TamisFilter::Next(const Stage& stage) const {
  if (stage.step + 1 < options_.steps) {
    return {stage.generation, stage.step + 1};
  }
  return {stage.generation + 1, 0};
}

// REQUIRES: stage is not the first
TamisFilter::Stage TamisFilter::Before(const Stage& stage) const {
  if (stage.step > 0) return {stage.generation, stage.step - 1};
  return {stage.generation - 1, options_.steps - 1};
}

ActiveTable::Form TamisFilter::FormOf(const Stage& stage) const {
  ActiveTable::Form form{options_.slots << stage.generation, bits(),
                         options_.grow, 0};
  const double slots = internal::SlotsPerLine(form.width());
  const double part = static_cast<double>(stage.step) / options_.steps;
  form.homes_per_line =
      std::max(2, static_cast<int>(std::lround(slots * std::exp2(-part))));
  return form;
}

uint64_t TamisFilter::SlotsOf(const Stage& stage) const {
  const ActiveTable::Form form = FormOf(stage);
  return form.homes *
         static_cast<uint64_t>(internal::SlotsPerLine(form.width())) /
         static_cast<uint64_t>(form.homes_per_line);
}

uint64_t TamisFilter::Limit(const Stage& stage) const {
  if (!options_.grow) return options_.slots;
  return internal::ThresholdLimit(options_.threshold, SlotsOf(stage));
}

uint64_t TamisFilter::MaxExtensions(uint64_t homes, uint64_t limit) const {
  if (options_.extension_bits == 0) return 0;
  // Less than a few lines is no table at all.
  constexpr double kLeastBits = 2048;
  const double budget = std::max(
      kLeastBits, options_.extension_bits * static_cast<double>(limit));
  // 3 bits are what one in 64, which is long, costs each.
  const auto fits = [&](uint64_t capacity) {
    const auto plan = ExtensionTable::Plan::For(homes, bits(), capacity);
    return static_cast<double>(plan.SizeBits() + 3 * capacity) <= budget;
  };
  uint64_t low = 0;  // fits
  uint64_t high = static_cast<uint64_t>(budget / 8) + 1;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

Result<TamisFilter::Parts> TamisFilter::Copied(const Stage& stage) const {
  TAMIS_ASSIGN_OR_RETURN(ActiveTable active,
                         ActiveTable::Create(FormOf(stage)));
  TAMIS_RETURN_IF_ERROR(FillFrom(
      active, MappedEntries(active_, [](const TableEntry& e) { return e; })));
  return Parts{stage,
               std::move(active),
               extensions_.All(),
               {voids_.entries().begin(), voids_.entries().end()}};
}

namespace {

// The extensions of one full prefix after another, in order.
class ExtensionGroups {
 public:
  explicit ExtensionGroups(std::vector<Prefix> sorted)
      : sorted_(std::move(sorted)) {}
  // REQUIRES: full prefixes ascend from call to call
  std::span<const Prefix> Under(const Prefix& full) {
    while (next_ < sorted_.size() && sorted_[next_].low < full.low) ++next_;
    const size_t begin = next_;
    while (next_ < sorted_.size() && full.Covers(sorted_[next_].low)) ++next_;
    return std::span(sorted_).subspan(begin, next_ - begin);
  }

 private:
  std::vector<Prefix> sorted_;
  size_t next_ = 0;
};

}  // namespace

// Every entry gives the first bit of its fingerprint to its home.  Those that
// are extended take one bit from their extension for it, and stay full:
//
//   full entry       b x x x|1      aged:      x x x|1 0       at home 2i + b
//   its extension    b x x x e f    extended:  x x x e|1       and f remains
Result<TamisFilter::Parts> TamisFilter::Doubled() const {
  const Stage next = {generation_ + 1, 0};
  TAMIS_ASSIGN_OR_RETURN(ActiveTable active, ActiveTable::Create(FormOf(next)));
  Parts parts{next, std::move(active), {}, {}};
  parts.voids.assign(voids_.entries().begin(), voids_.entries().end());
  ActiveTable::Builder builder(parts.active);
  const int width = active_.form().width();
  const auto append_extended = [&](std::span<const Prefix> group,
                                   uint64_t first_bit) -> Status {
    for (const Prefix& extension : group) {
      if ((internal::StringOf(extension.low) << bits() >> (kStringBits - 1)) !=
          first_bit) {
        continue;
      }
      const Prefix moved = {extension.low << 1, extension.length - 1};
      const Prefix full = PrefixOf(moved.low, bits());
      TAMIS_RETURN_IF_ERROR(
          builder.Append(HomeOf(full.low), parts.active.ValueOf(full)));
      if (moved.length > bits()) parts.extensions.push_back(moved);
    }
    return {};
  };
  ExtensionGroups extensions(extensions_.All());
  for (QuotientTable::Cursor at(active_.table()); !at.done();) {
    const TableEntry entry = {at.home(), at.value()};
    uint64_t count = 0;
    for (; !at.done() && TableEntry{at.home(), at.value()} == entry;
         at.Next()) {
      ++count;
    }
    const Prefix prefix = active_.PrefixIn(entry.home, entry.value);
    if (prefix.length == 0) {
      const auto resolution = static_cast<uint64_t>(generation_);
      parts.voids.insert(parts.voids.end(), count, {resolution, entry.home});
      continue;
    }
    std::span<const Prefix> group;
    if (prefix.length == bits()) group = extensions.Under(prefix);
    const TableEntry aged = ExpandEntry(entry, 1, width, width);
    TAMIS_RETURN_IF_ERROR(append_extended(group, 0));
    for (uint64_t i = group.size(); i < count; ++i) {
      TAMIS_RETURN_IF_ERROR(builder.Append(aged.home, aged.value));
    }
    TAMIS_RETURN_IF_ERROR(append_extended(group, 1));
  }
  builder.Finish();
  std::sort(parts.extensions.begin(), parts.extensions.end());
  return parts;
}

// The reverse.  What was full is cut by a bit; an extension gains the bit that
// its entry lost, or keeps its length where its slot has no room for more.
Result<TamisFilter::Parts> TamisFilter::Halved() const {
  const Stage next = {generation_ - 1, options_.steps - 1};
  TAMIS_ASSIGN_OR_RETURN(ActiveTable active, ActiveTable::Create(FormOf(next)));
  Parts parts{next, std::move(active), {}, {}};
  // Of the voids, the newest have a home again.
  const auto voids = voids_.entries();
  auto back = std::find_if(
      voids.begin(), voids.end(), [&](const VoidArray::Entry& entry) {
        return static_cast<int>(entry.resolution) >= next.generation;
      });
  parts.voids.assign(voids.begin(), back);
  Bursts returning([&]() -> Burst {
    if (back == voids.end()) return internal::kNoBurst;
    return {{(back++)->prefix, uint64_t{1} << bits()}, 1};
  });
  const int width = active_.form().width();
  MappedEntries staying(active_, [&](const TableEntry& entry) {
    return ContractEntry(entry, width, width);
  });
  TAMIS_RETURN_IF_ERROR(
      FillFrom(parts.active, std::move(staying), std::move(returning)));
  const int fits = bits() + ExtensionTable::kRestBits;
  for (const Prefix& extension : extensions_.All()) {
    const int length = extension.length == fits
                           ? fits
                           : std::min(extension.length + 1, kStringBits);
    parts.extensions.push_back(PrefixOf(extension.low >> 1, length));
  }
  std::sort(parts.extensions.begin(), parts.extensions.end());
  return parts;
}

Result<ExtensionTable> TamisFilter::MakeExtensions(
    const Parts& parts, std::span<const Prefix> all) const {
  const uint64_t homes = parts.active.homes();
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
                         MakeExtensions(parts, parts.extensions));
  num_forgotten_ += parts.extensions.size() - extensions.size();
  extensions_ = std::move(extensions);
  voids_ =
      VoidArray(options_.slots, parts.stage.generation, std::move(parts.voids));
  active_ = std::move(parts.active);
  generation_ = parts.stage.generation;
  step_ = parts.stage.step;
  limit_ = Limit(stage());
  return {};
}

Status TamisFilter::Expand() {
  TAMIS_ASSIGN_OR_RETURN(Parts parts, LargerParts());
  const bool doubles = parts.stage.generation != generation_;
  TAMIS_RETURN_IF_ERROR(Commit(std::move(parts)));
  if (doubles && options_.rejuvenate_all &&
      options_.members == Members::kMirror) {
    return RejuvenateAll();
  }
  return {};
}

Result<TamisFilter::Parts> TamisFilter::LargerParts() const {
  if (!options_.grow) {
    return Status(StatusCode::kUnsupported,
                  "grow=no: the filter has a fixed size");
  }
  const Stage next = Next(stage());
  if (next.generation == generation_) return Copied(next);
  if (active_.homes() > internal::kMaxHomes / 2) {
    return Status(StatusCode::kFull,
                  "a filter of more than 2^55 homes can't double");
  }
  return Doubled();
}

Result<TamisFilter> TamisFilter::Expanded(Keep keep) const {
  TAMIS_ASSIGN_OR_RETURN(Parts parts, LargerParts());
  TAMIS_ASSIGN_OR_RETURN(TamisFilter larger, MakeFrom(std::move(parts)));
  if (keep == Keep::kCopy) larger.mirror_ = mirror_;
  return larger;
}

Result<TamisFilter> TamisFilter::Contracted(Keep keep) const {
  TAMIS_ASSIGN_OR_RETURN(Parts parts, SmallerParts());
  TAMIS_ASSIGN_OR_RETURN(TamisFilter smaller, MakeFrom(std::move(parts)));
  if (keep == Keep::kCopy) smaller.mirror_ = mirror_;
  return smaller;
}

Status TamisFilter::ExpandTo(uint64_t entries) {
  while (entries > limit_) TAMIS_RETURN_IF_ERROR(Expand());
  return {};
}

Status TamisFilter::Contract() {
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
  return halves ? Halved() : Copied(before);
}

// Well below the limit of the stage before, so that a few inserts do not bring
// it back.
bool TamisFilter::IsSparse() const {
  if (!options_.grow || (generation_ == 0 && step_ == 0)) return false;
  return 5 * size() <= 3 * Limit(Before(stage()));
}

}  // namespace tamis
