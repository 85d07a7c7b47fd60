#include "tamis/rsqf.h"

#include <bit>
#include <string>
#include <utility>

#include "filters/quotient/parameters.h"
#include "table/bulk_order.h"
#include "table/entry_stream.h"
#include "table/prefetch_lines.h"
#include "tamis/filter.h"
#include "tamis/internal/filters/quotient_sizing.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/internal/table/matching_shape.h"
#include "tamis/internal/table/table_entry.h"
#include "tamis/sizing.h"

namespace tamis {
namespace {

using internal::QuotientTable;
using internal::SlotRange;
using internal::Snapshot;
using internal::TableEntry;

// The entries of a table as one of fewer homes has them: the last bits of the
// home become the first of the remainder, whose last bits are dropped.
auto CoarseEntries(const QuotientTable& table, uint64_t homes) {
  const int moved = std::countr_zero(table.homes() / homes);
  const int width = table.width();
  return internal::MappedEntries(table, [=](const TableEntry& entry) {
    return internal::MoveToValue(entry, moved, width, width);
  });
}

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge rsqf filters: " + what};
}

// One is a power of two times the other.
bool PowerOfTwoApart(uint64_t a, uint64_t b) {
  const uint64_t larger = std::max(a, b);
  const uint64_t smaller = std::min(a, b);
  return larger % smaller == 0 && std::has_single_bit(larger / smaller);
}

bool FindRemainder(const QuotientTable& table, KeyHash hash) {
  static constexpr auto kFinders =
      internal::ByMatchingWidth<internal::RemainderFinder>();
  const int width = table.shape().fixed_width();
  return kFinders[static_cast<size_t>(width)](table, hash);
}

}  // namespace

Result<Rsqf> Rsqf::Create(const Options& options, const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(options.slots, options.remainder_bits));
  return Rsqf(std::move(table), hasher);
}

namespace {

Result<int> RemainderBitsOf(const Spec& spec) {
  const ParameterReader read(spec, internal::kRsqfParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  return read.Int("r");
}

}  // namespace

Result<Rsqf> Rsqf::Create(const Spec& spec, uint64_t slots,
                          const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const int bits, RemainderBitsOf(spec));
  return Create({.slots = slots, .remainder_bits = bits}, hasher);
}

Result<Rsqf> Rsqf::Create(const KeysAndRate& wanted, const Hasher& hasher) {
  return internal::CreateSized<Rsqf>("rsqf", wanted, hasher);
}

Spec Rsqf::spec() const {
  return Spec("rsqf").Set("r", static_cast<uint64_t>(table_.width()));
}

Snapshot Rsqf::ToSnapshot() const {
  Snapshot snapshot(spec(), hasher_);
  snapshot.AddNumber("slots", table_.homes());
  snapshot.AddNumber("size", table_.size());
  snapshot.AddArray("lines", table_.lines());
  return snapshot;
}

Result<Sizing> Rsqf::SizeFor(std::string_view kind, uint64_t keys, double fpr) {
  return internal::SizeQuotientFilter(kind, keys, fpr);
}

Result<double> Rsqf::FprFor(const Spec& spec, uint64_t slots, uint64_t keys) {
  return internal::QuotientFprFor(spec, slots, keys);
}

Result<Rsqf> Rsqf::FromSnapshot(const Snapshot& snapshot,
                                const LoadOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const int bits, RemainderBitsOf(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Outer("lines", options));
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table,
                         QuotientTable::FromLines(slots, bits, size, lines));
  return internal::CheckedIfAsked(Rsqf(std::move(table), snapshot.hasher()),
                                  options);
}

bool Rsqf::MayContainOfAnyWidth(KeyHash hash) const {
  return FindRemainder(table_, hash);
}

void Rsqf::MayContain(std::span<const KeyHash> hashes,
                      std::span<bool> results) const {
  internal::WithMatchingShape(table_.shape(), [&](const auto& shape) {
    internal::RemainderLookup(table_, shape).MayContain(hashes, results);
  });
}

Status Rsqf::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  const internal::Placed placed = internal::Place(hash, table_.homes());
  return table_.InsertSorted(placed.home,
                             internal::FirstBits(placed, table_.width()));
}

void Rsqf::PrefetchInsert(KeyHash hash) const {
  internal::PrefetchLines(table_, internal::Place(hash, table_.homes()).home);
}

Status Rsqf::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(table_.CheckInvariants());
  return table_.CheckSortedRuns();
}

SlotRange Rsqf::FindEqual(KeyHash hash, uint64_t* home) const {
  const internal::Placed placed = internal::Place(hash, table_.homes());
  const uint64_t remainder = internal::FirstBits(placed, table_.width());
  *home = placed.home;
  const SlotRange run = table_.FindRun(placed.home);
  uint64_t begin = run.begin;
  while (begin < run.limit && table_.Get(begin) < remainder) ++begin;
  uint64_t limit = begin;
  while (limit < run.limit && table_.Get(limit) == remainder) ++limit;
  return {begin, limit};
}

Status Rsqf::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  uint64_t home = 0;
  const SlotRange equal = FindEqual(hash, &home);
  if (equal.empty()) {
    return {StatusCode::kNotFound, "no such fingerprint in the filter"};
  }
  table_.EraseAt(home, equal.limit - 1);
  return {};
}

uint64_t Rsqf::Count(KeyHash hash) const {
  uint64_t home = 0;
  return FindEqual(hash, &home).size();
}

Status Rsqf::BulkLoad(std::span<const KeyHash> hashes) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (hashes.size() > capacity() - size()) {
    return {StatusCode::kFull, "no room for " + std::to_string(hashes.size()) +
                                   " more keys: " + std::to_string(size()) +
                                   " of " + std::to_string(capacity()) +
                                   " slots are in use"};
  }
  TAMIS_ASSIGN_OR_RETURN(QuotientTable merged,
                         QuotientTable::Create(table_.homes(), table_.width()));
  QuotientTable::Builder builder(merged);
  const auto append_all = [&](auto append) {
    return internal::ForEachInOrder(hashes, table_.homes(), table_.width(),
                                    append);
  };
  if (size() == 0) {
    TAMIS_RETURN_IF_ERROR(append_all([&](uint64_t home, uint64_t remainder) {
      return builder.Append(home, remainder);
    }));
    builder.Finish();
  } else {
    internal::Merger merger(builder, CoarseEntries(table_, table_.homes()));
    TAMIS_RETURN_IF_ERROR(append_all([&](uint64_t home, uint64_t remainder) {
      return merger.Append({home, remainder});
    }));
    TAMIS_RETURN_IF_ERROR(merger.Finish());
  }
  table_ = std::move(merged);
  return {};
}

Status Rsqf::Merge(const Rsqf& other) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  // What is mapped has not been checked yet.
  if (!other.table_.CheckWritable().ok()) {
    TAMIS_RETURN_IF_ERROR(other.CheckInvariants());
  }
  if (hasher_ != other.hasher_) return Incompatible("their hashers differ");
  if (table_.width() != other.table_.width()) {
    return Incompatible("r is " + std::to_string(table_.width()) + " and " +
                        std::to_string(other.table_.width()));
  }
  if (!PowerOfTwoApart(capacity(), other.capacity())) {
    return Incompatible("their " + std::to_string(capacity()) + " and " +
                        std::to_string(other.capacity()) +
                        " slots are neither equal nor a power of two apart");
  }
  const uint64_t homes = std::min(capacity(), other.capacity());
  if (size() + other.size() > homes) {
    return {StatusCode::kFull,
            std::to_string(size() + other.size()) + " keys do not fit the " +
                std::to_string(homes) + " slots of the merged filter"};
  }
  TAMIS_ASSIGN_OR_RETURN(QuotientTable merged,
                         QuotientTable::Create(homes, table_.width()));
  TAMIS_RETURN_IF_ERROR(internal::FillFrom(merged, CoarseEntries(table_, homes),
                                           CoarseEntries(other.table_, homes)));
  table_ = std::move(merged);
  return {};
}

double Rsqf::ExpectedFpr() const {
  return internal::QuotientFpr(table_.load(), table_.width());
}

FilterStats Rsqf::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.expected_fpr = ExpectedFpr();
  stats.details = {{"load", table_.load()}};
  return stats;
}

}  // namespace tamis
