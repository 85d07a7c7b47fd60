#include "tamis/internal/filters/tamis/void_array.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tamis/result.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kCellsPerEntry = 16;

}  // namespace

Result<VoidArray> VoidArray::Create(uint64_t first_homes, int generation,
                                    PlainVector<Entry> entries) {
  VoidArray result;
  result.first_homes_ = first_homes;
  result.generation_ = generation;
  result.entries_ = std::move(entries);
  TAMIS_RETURN_IF_ERROR(result.BuildScreen());
  return result;
}

Status VoidArray::BuildScreen() {
  if (entries_.empty()) return {};
  cell_generation_ = 0;
  while (cell_generation_ < generation_ &&
         first_homes_ << cell_generation_ < kCellsPerEntry * entries_.size()) {
    ++cell_generation_;
  }
  cells_ = first_homes_ << cell_generation_;
  TAMIS_ASSIGN_OR_RETURN(screen_,
                         PlainVector<uint64_t>::Zeros((cells_ + 63) / 64));
  for (const Entry& entry : entries_) {
    const Cells cells = CellsOf(entry);
    for (uint64_t cell = cells.begin; cell < cells.limit; ++cell) {
      screen_[cell / 64] |= uint64_t{1} << (cell % 64);
    }
  }
  return {};
}

VoidArray::Cells VoidArray::CellsOf(const Entry& entry) const {
  const int up = cell_generation_ - static_cast<int>(entry.resolution);
  if (up <= 0) return {entry.prefix >> -up, (entry.prefix >> -up) + 1};
  return {entry.prefix << up, (entry.prefix + 1) << up};
}

std::optional<size_t> VoidArray::FindAt(uint64_t resolution,
                                        uint64_t home) const {
  const Entry wanted = {
      resolution, home >> (static_cast<uint64_t>(generation_) - resolution)};
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), wanted);
  if (at == entries_.end() || *at != wanted) return std::nullopt;
  return static_cast<size_t>(at - entries_.begin());
}

std::optional<size_t> VoidArray::FindLongest(uint64_t home) const {
  for (size_t end = entries_.size(); end > 0;) {
    const uint64_t resolution = entries_[end - 1].resolution;
    if (const auto found = FindAt(resolution, home)) return found;
    const Entry first = {resolution, 0};
    end = static_cast<size_t>(
        std::lower_bound(entries_.begin(), entries_.end(), first) -
        entries_.begin());
  }
  return std::nullopt;
}

std::optional<size_t> VoidArray::FindShortest(uint64_t home) const {
  for (size_t begin = 0; begin < entries_.size();) {
    const uint64_t resolution = entries_[begin].resolution;
    if (const auto found = FindAt(resolution, home)) return found;
    const Entry next = {resolution + 1, 0};
    begin = static_cast<size_t>(
        std::lower_bound(entries_.begin(), entries_.end(), next) -
        entries_.begin());
  }
  return std::nullopt;
}

uint64_t VoidArray::Count(uint64_t home) const {
  uint64_t count = 0;
  for (size_t begin = 0; begin < entries_.size();) {
    const uint64_t resolution = entries_[begin].resolution;
    const Entry wanted = {
        resolution, home >> (static_cast<uint64_t>(generation_) - resolution)};
    const auto equal =
        std::equal_range(entries_.begin(), entries_.end(), wanted);
    count += static_cast<uint64_t>(equal.second - equal.first);
    const Entry next = {resolution + 1, 0};
    begin = static_cast<size_t>(
        std::lower_bound(entries_.begin(), entries_.end(), next) -
        entries_.begin());
  }
  return count;
}

bool VoidArray::CoversHash(KeyHash hash) const {
  return FindLongest(Place(hash, first_homes_ << generation_).home).has_value();
}

Prefix VoidArray::PrefixOfEntry(const Entry& entry) const {
  const int length = static_cast<int>(entry.resolution) - generation_;
  return {MakePosition(entry.prefix << -length, 0), length};
}

VoidArray::Entry VoidArray::EntryOf(const Prefix& prefix) const {
  return {static_cast<uint64_t>(generation_ + prefix.length),
          HomeOf(prefix.low) >> -prefix.length};
}

std::optional<size_t> VoidArray::Find(const Prefix& prefix) const {
  const Entry entry = EntryOf(prefix);
  return FindAt(entry.resolution, HomeOf(prefix.low));
}

void VoidArray::Erase(size_t place) {
  entries_.Erase(place);
  entries_.Fit();
}

Status VoidArray::Check(uint64_t first_homes, int generation,
                        std::span<const Entry> entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (entry.resolution >= static_cast<uint64_t>(generation) ||
        entry.prefix >= first_homes << entry.resolution ||
        (i > 0 && entry < entries[i - 1])) {
      return {StatusCode::kCorrupt,
              "(V1): void entry " + std::to_string(i) + " of " +
                  std::to_string(entry.resolution) +
                  " bits is too long, too large or out of order"};
    }
  }
  return {};
}

Status VoidArray::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(Check(first_homes_, generation_, entries()));
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Cells cells = CellsOf(entries_[i]);
    for (uint64_t cell = cells.begin; cell < cells.limit; ++cell) {
      if (cells_ == 0 || !IsMarked(cell)) {
        return {StatusCode::kCorrupt,
                "(V2): the screen lacks void entry " + std::to_string(i)};
      }
    }
  }
  return {};
}

}  // namespace tamis::internal
