#include "tamis/rsqf.h"

#include <bit>
#include <string>
#include <utility>

#include "tamis/internal/table/bulk_order.h"

namespace tamis {
namespace {

using internal::QuotientTable;
using internal::SlotRange;
using internal::Snapshot;

struct Entry {
  uint64_t home;
  uint64_t remainder;

  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// Reads a table in order as if it had fewer homes: the last bits of the home
// become the first of the remainder, whose last bits are dropped.
class CoarseCursor {
 public:
  CoarseCursor(const QuotientTable& table, uint64_t homes)
      : cursor_(table),
        width_(table.width()),
        dropped_(std::countr_zero(table.homes() / homes)) {}

  bool done() const { return cursor_.done(); }
  void Next() { cursor_.Next(); }
  Entry entry() const {
    const uint64_t home = cursor_.home();
    const uint64_t moved =
        home & internal::LowBits(static_cast<unsigned>(dropped_));
    const internal::Uint128 string =
        (static_cast<internal::Uint128>(moved) << width_) | cursor_.value();
    return {home >> dropped_, static_cast<uint64_t>(string >> dropped_)};
  }

 private:
  QuotientTable::Cursor cursor_;
  int width_;
  int dropped_;
};

// Appends entries of a cursor that come before `limit`.
Status AppendBefore(CoarseCursor& cursor, const Entry& limit,
                    QuotientTable::Builder& builder) {
  for (; !cursor.done(); cursor.Next()) {
    const Entry entry = cursor.entry();
    if (entry > limit) break;
    TAMIS_RETURN_IF_ERROR(builder.Append(entry.home, entry.remainder));
  }
  return {};
}

constexpr Entry kEnd = {~uint64_t{0}, ~uint64_t{0}};

Status Incompatible(const std::string& what) {
  return {StatusCode::kIncompatible, "can't merge rsqf filters: " + what};
}

// One is a power of two times the other.
bool PowerOfTwoApart(uint64_t a, uint64_t b) {
  const uint64_t larger = std::max(a, b);
  const uint64_t smaller = std::min(a, b);
  return larger % smaller == 0 && std::has_single_bit(larger / smaller);
}

}  // namespace

Result<Rsqf> Rsqf::Create(const Options& options, const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(options.slots, options.remainder_bits));
  return Rsqf(std::move(table), hasher);
}

Result<Rsqf> Rsqf::Create(const Spec& spec, uint64_t slots,
                          const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"r"}));
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t bits,
      spec.Integer("r", 8, internal::kMinSlotBits, internal::kMaxSlotBits));
  return Create({.slots = slots, .remainder_bits = static_cast<int>(bits)},
                hasher);
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

Result<Rsqf> Rsqf::FromSnapshot(const Snapshot& snapshot,
                                const LoadOptions& options) {
  const Spec& spec = snapshot.spec();
  TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"r"}));
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t bits,
      spec.Integer("r", 8, internal::kMinSlotBits, internal::kMaxSlotBits));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots, snapshot.Number("slots"));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Array("lines"));
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::FromLines(slots, static_cast<int>(bits), size, lines));
  return internal::CheckedIfAsked(Rsqf(std::move(table), snapshot.hasher()),
                                  options);
}

bool Rsqf::MayContainOfAnyWidth(KeyHash hash) const {
  return internal::FindRemainder(table_, hash);
}

void Rsqf::MayContain(std::span<const KeyHash> hashes,
                      std::span<bool> results) const {
  internal::WithMatchingShape(table_.shape(), [&](const auto& shape) {
    internal::RemainderLookup(table_, shape).MayContain(hashes, results);
  });
}

Status Rsqf::Insert(KeyHash hash) {
  const internal::Placed placed = internal::Place(hash, table_.homes());
  return table_.InsertSorted(placed.home,
                             internal::FirstBits(placed, table_.width()));
}

void Rsqf::PrefetchInsert(KeyHash hash) const {
  table_.PrefetchHome(internal::Place(hash, table_.homes()).home);
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
  if (hashes.size() > capacity() - size()) {
    return {StatusCode::kFull, "no room for " + std::to_string(hashes.size()) +
                                   " more keys: " + std::to_string(size()) +
                                   " of " + std::to_string(capacity()) +
                                   " slots are in use"};
  }
  TAMIS_ASSIGN_OR_RETURN(QuotientTable merged,
                         QuotientTable::Create(table_.homes(), table_.width()));
  QuotientTable::Builder builder(merged);
  CoarseCursor old(table_, table_.homes());
  const auto append = [&](uint64_t home, uint64_t remainder) -> Status {
    TAMIS_RETURN_IF_ERROR(AppendBefore(old, {home, remainder}, builder));
    return builder.Append(home, remainder);
  };
  TAMIS_RETURN_IF_ERROR(
      internal::ForEachInOrder(hashes, table_.homes(), table_.width(), append));
  TAMIS_RETURN_IF_ERROR(AppendBefore(old, kEnd, builder));
  builder.Finish();
  table_ = std::move(merged);
  return {};
}

Status Rsqf::Merge(const Rsqf& other) {
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
  QuotientTable::Builder builder(merged);
  CoarseCursor mine(table_, homes);
  for (CoarseCursor its(other.table_, homes); !its.done(); its.Next()) {
    const Entry entry = its.entry();
    TAMIS_RETURN_IF_ERROR(AppendBefore(mine, entry, builder));
    TAMIS_RETURN_IF_ERROR(builder.Append(entry.home, entry.remainder));
  }
  TAMIS_RETURN_IF_ERROR(AppendBefore(mine, kEnd, builder));
  builder.Finish();
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
