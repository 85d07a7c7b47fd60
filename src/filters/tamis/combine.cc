// Many keys at once: bulk load and merge, each one ordered pass.

#include <algorithm>
#include <string>
#include <utility>

#include "table/bulk_order.h"
#include "table/entry_stream.h"
#include "tamis/internal/keys/member_index.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::PlainVector;
using internal::Prefix;
using internal::TableEntry;

namespace {

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge tamis filters: " + what};
}

// A mirror or a source that has fewer members than the filter, or more.
Status Named(uint64_t found, uint64_t expected) {
  return {StatusCode::kStale, std::to_string(found) +
                                  " members are named, the filter has " +
                                  std::to_string(expected)};
}

// A table's entries, as they are.
auto EntriesOf(const ActiveTable& table) {
  return internal::MappedEntries(table, [](const TableEntry& e) { return e; });
}

// Of two that are sorted.
template <typename T>
Result<PlainVector<T>> Merged(std::span<const T> a, std::span<const T> b) {
  TAMIS_ASSIGN_OR_RETURN(PlainVector<T> all,
                         PlainVector<T>::Zeros(a.size() + b.size()));
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  return all;
}

}  // namespace

Status TamisFilter::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (!options_.grow && hashes.size() > capacity() - size()) {
    return {StatusCode::kFull, "no room for " + std::to_string(hashes.size()) +
                                   " more keys: " + std::to_string(size()) +
                                   " of " + std::to_string(capacity()) +
                                   " slots are in use"};
  }
  if (mirrors()) TAMIS_RETURN_IF_ERROR(mirror_.Reserve(hashes.size()));
  TAMIS_ASSIGN_OR_RETURN(
      Parts parts, Grown(StageFor(active_.size() + hashes.size()), hashes));
  TAMIS_RETURN_IF_ERROR(Commit(std::move(parts)));
  if (mirrors()) {
    for (const KeyHash hash : hashes) mirror_.Add(hash);
  }
  return {};
}

// In the order of hashes, so that each goes behind those before it; at the size
// that all of them need, so that none ages.  No list of them is made.
Status TamisFilter::InsertFromSource(uint64_t expected) {
  if (options_.grow) TAMIS_RETURN_IF_ERROR(ExpandTo(expected));
  uint64_t found = 0;
  const auto insert = [&](std::span<const KeyHash> chunk) -> Status {
    found += chunk.size();
    if (found > expected) return {};  // refused below
    for (const KeyHash hash : chunk) TAMIS_RETURN_IF_ERROR(Insert(hash));
    return {};
  };
  TAMIS_RETURN_IF_ERROR(internal::VisitInChunks(options_.source, insert));
  return found == expected ? Status() : Named(found, expected);
}

Status TamisFilter::RebuildTo(uint64_t slots) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (options_.members == Members::kCaller) {
    return {StatusCode::kUnsupported, "only the caller knows the members"};
  }
  // As a source that lacks some, an unchecked mirror may.
  if (mirrors() && mirror_.size() != size()) {
    return Named(mirror_.size(), size());
  }
  Options options = options_;
  options.slots = slots;
  TAMIS_ASSIGN_OR_RETURN(TamisFilter rebuilt, Create(options, hasher_));
  TAMIS_RETURN_IF_ERROR(mirrors() ? rebuilt.BulkLoad(mirror_.All())
                                  : rebuilt.InsertFromSource(size()));
  rebuilt.num_erases_ = num_erases_;
  rebuilt.num_fixes_ = num_fixes_;
  rebuilt.num_forgotten_ = num_forgotten_ + extensions_.size();
  *this = std::move(rebuilt);
  return {};
}

Status TamisFilter::Merge(const TamisFilter& other) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (hasher_ != other.hasher_) return Incompatible("their hashers differ");
  if (bits() != other.bits() || options_.grow != other.options_.grow ||
      options_.steps != other.options_.steps ||
      options_.members != other.options_.members) {
    return Incompatible("f, grow, steps or members differ");
  }
  if (options_.slots != other.options_.slots) {
    return Incompatible("they were made with " +
                        std::to_string(options_.slots) + " and " +
                        std::to_string(other.options_.slots) + " slots");
  }
  if (!options_.grow && other.size() > capacity() - size()) {
    return {StatusCode::kFull, std::to_string(size() + other.size()) +
                                   " keys do not fit the " +
                                   std::to_string(capacity()) + " slots"};
  }
  if (other.generation_ > generation_) {
    TAMIS_ASSIGN_OR_RETURN(TamisFilter larger, other.Copy());
    TAMIS_RETURN_IF_ERROR(larger.Merge(*this));
    larger.options_ = options_;
    *this = std::move(larger);
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(TamisFilter mine, Copy());
  TAMIS_ASSIGN_OR_RETURN(TamisFilter its, other.Copy());
  TAMIS_RETURN_IF_ERROR(mine.ExpandTo(mine.active_.size() + its.size()));
  while (its.generation_ < mine.generation_) {
    TAMIS_RETURN_IF_ERROR(its.Expand());
  }
  TAMIS_RETURN_IF_ERROR(mine.MergeSame(its));
  *this = std::move(mine);
  return {};
}

Result<TamisFilter> TamisFilter::MakeFrom(Parts parts, Keep keep) const {
  TAMIS_ASSIGN_OR_RETURN(ActiveTable empty,
                         ActiveTable::Create({2, bits(), options_.grow, 0}));
  TamisFilter made(options_, hasher_, std::move(empty));
  made.num_erases_ = num_erases_;
  made.num_fixes_ = num_fixes_;
  made.num_forgotten_ = num_forgotten_;
  made.turn_ = turn_;
  TAMIS_RETURN_IF_ERROR(made.Commit(std::move(parts)));
  if (keep == Keep::kCopy) {
    TAMIS_ASSIGN_OR_RETURN(made.mirror_, mirror_.Copy());
  }
  return made;
}

Result<TamisFilter> TamisFilter::Copy(Keep keep) const {
  TAMIS_RETURN_IF_ERROR(CheckIfMapped());
  TAMIS_ASSIGN_OR_RETURN(ActiveTable active, active_.Clone());
  TamisFilter copy(options_, hasher_, std::move(active));
  TAMIS_ASSIGN_OR_RETURN(copy.extensions_, extensions_.Clone());
  TAMIS_ASSIGN_OR_RETURN(
      auto voids, internal::PlainVector<internal::VoidArray::Entry>::Copy(
                      voids_.entries()));
  TAMIS_ASSIGN_OR_RETURN(
      copy.voids_, internal::VoidArray::Create(options_.slots, generation_,
                                               std::move(voids)));
  copy.generation_ = generation_;
  copy.step_ = step_;
  copy.phase_ = phase_;
  copy.limit_ = limit_;
  copy.num_erases_ = num_erases_;
  copy.num_fixes_ = num_fixes_;
  copy.num_forgotten_ = num_forgotten_;
  copy.turn_ = turn_;
  if (keep == Keep::kCopy) {
    TAMIS_ASSIGN_OR_RETURN(copy.mirror_, mirror_.Copy());
  }
  return copy;
}

// REQUIRES: both are of the same generation, and there is room
Status TamisFilter::MergeSame(const TamisFilter& other) {
  Parts parts{stage(), nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, TableFor(stage()));
  TAMIS_RETURN_IF_ERROR(internal::FillFrom(*parts.active, EntriesOf(active_),
                                           EntriesOf(other.active_)));
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> mine, extensions_.All());
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> its,
                         other.extensions_.All());
  TAMIS_ASSIGN_OR_RETURN(parts.extensions, Merged(mine.span(), its.span()));
  TAMIS_ASSIGN_OR_RETURN(parts.voids,
                         Merged(voids_.entries(), other.voids_.entries()));
  TAMIS_RETURN_IF_ERROR(mirror_.Reserve(other.mirror_.size()));
  TAMIS_RETURN_IF_ERROR(Commit(std::move(parts)));
  other.mirror_.ForEach([&](KeyHash hash) { mirror_.Add(hash); });
  num_erases_ += other.num_erases_;
  return {};
}

}  // namespace tamis
