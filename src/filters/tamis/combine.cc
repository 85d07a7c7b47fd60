// Many keys at once: bulk load and merge, each one ordered pass.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "table/bulk_order.h"
#include "table/entry_stream.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::Prefix;
using internal::TableEntry;

namespace {

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge tamis filters: " + what};
}

// A table's entries, as they are.
auto EntriesOf(const ActiveTable& table) {
  return internal::MappedEntries(table, [](const TableEntry& e) { return e; });
}

}  // namespace

Status TamisFilter::BulkLoad(std::span<const KeyHash> hashes) {
  if (!options_.grow && hashes.size() > capacity() - size()) {
    return {StatusCode::kFull, "no room for " + std::to_string(hashes.size()) +
                                   " more keys: " + std::to_string(size()) +
                                   " of " + std::to_string(capacity()) +
                                   " slots are in use"};
  }
  if (options_.grow) {
    TAMIS_RETURN_IF_ERROR(ExpandTo(active_.size() + hashes.size()));
  }
  TAMIS_ASSIGN_OR_RETURN(ActiveTable merged,
                         ActiveTable::Create(active_.form()));
  ActiveTable::Builder builder(merged);
  internal::Merger merger(builder, EntriesOf(active_));
  const auto append = [&](uint64_t home, uint64_t string) {
    return merger.Append({home, options_.grow ? string << 1 | 1 : string});
  };
  TAMIS_RETURN_IF_ERROR(
      internal::ForEachInOrder(hashes, active_.homes(), bits(), append));
  TAMIS_RETURN_IF_ERROR(merger.Finish());
  active_ = std::move(merged);
  if (options_.members == Members::kMirror) {
    for (const KeyHash hash : hashes) mirror_.Add(hash);
  }
  return {};
}

Status TamisFilter::RebuildTo(uint64_t slots) {
  if (options_.members == Members::kCaller) {
    return {StatusCode::kUnsupported, "only the caller knows the members"};
  }
  Options options = options_;
  options.slots = slots;
  TAMIS_ASSIGN_OR_RETURN(TamisFilter rebuilt, Create(options, hasher_));
  TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> all,
                         ReadMembers(kAllHashes));
  if (all.size() != size()) {
    return {StatusCode::kStale, "the source names " +
                                    std::to_string(all.size()) + " of " +
                                    std::to_string(size()) + " members"};
  }
  TAMIS_RETURN_IF_ERROR(rebuilt.BulkLoad(all));
  rebuilt.num_erases_ = num_erases_;
  rebuilt.num_fixes_ = num_fixes_;
  rebuilt.num_forgotten_ = num_forgotten_ + extensions_.size();
  *this = std::move(rebuilt);
  return {};
}

Status TamisFilter::Merge(const TamisFilter& other) {
  if (hasher_ != other.hasher_) return Incompatible("their hashers differ");
  if (bits() != other.bits() || options_.grow != other.options_.grow ||
      options_.members != other.options_.members) {
    return Incompatible("f, grow or members differ");
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
  if (options_.grow) {
    TAMIS_RETURN_IF_ERROR(mine.ExpandTo(mine.active_.size() + its.size()));
  }
  while (its.generation_ < mine.generation_) {
    TAMIS_RETURN_IF_ERROR(its.Expand());
  }
  TAMIS_RETURN_IF_ERROR(mine.MergeSame(its));
  *this = std::move(mine);
  return {};
}

Result<TamisFilter> TamisFilter::MakeFrom(Parts parts) const {
  TAMIS_ASSIGN_OR_RETURN(ActiveTable empty,
                         ActiveTable::Create({2, bits(), options_.grow, 0}));
  TamisFilter made(options_, hasher_, std::move(empty));
  made.num_erases_ = num_erases_;
  made.num_fixes_ = num_fixes_;
  made.num_forgotten_ = num_forgotten_;
  TAMIS_RETURN_IF_ERROR(made.Commit(std::move(parts)));
  return made;
}

Result<TamisFilter> TamisFilter::Copy(Keep keep) const {
  TAMIS_ASSIGN_OR_RETURN(Parts parts, Copied(stage()));
  TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, MakeFrom(std::move(parts)));
  if (keep == Keep::kCopy) copy.mirror_ = mirror_;
  return copy;
}

// REQUIRES: both are of the same generation, and there is room
Status TamisFilter::MergeSame(const TamisFilter& other) {
  TAMIS_ASSIGN_OR_RETURN(ActiveTable merged,
                         ActiveTable::Create(active_.form()));
  TAMIS_RETURN_IF_ERROR(
      internal::FillFrom(merged, EntriesOf(active_), EntriesOf(other.active_)));
  Parts parts{stage(), std::move(merged), {}, {}};
  const std::vector<Prefix> first = extensions_.All();
  const std::vector<Prefix> second = other.extensions_.All();
  std::merge(first.begin(), first.end(), second.begin(), second.end(),
             std::back_inserter(parts.extensions));
  const auto voids = voids_.entries();
  const auto more = other.voids_.entries();
  std::merge(voids.begin(), voids.end(), more.begin(), more.end(),
             std::back_inserter(parts.voids));
  TAMIS_RETURN_IF_ERROR(Commit(std::move(parts)));
  for (const KeyHash hash : other.mirror_.All()) mirror_.Add(hash);
  num_erases_ += other.num_erases_;
  return {};
}

}  // namespace tamis
