#include "redis/reserved_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "tamis/internal/table/remainder_matcher.h"

namespace tamis::redis {

using internal::kLineBytes;
using internal::QuotientTable;
using internal::Snapshot;

namespace {

constexpr double kLoad = 0.95;
// The rest of the rate is for what comes after the reserved items.
constexpr double kShareOfRate = 0.8;
constexpr int kMaxBits = 40;
constexpr int kMaxDepth = 20;

// Large blocks of the server's allocator have 1, 1.25, 1.5 or 1.75 times a power
// of two bytes.
uint64_t RoundedUp(uint64_t bytes) {
  const uint64_t quarter = std::bit_floor(bytes) / 4;
  return quarter == 0 ? bytes : (bytes + quarter - 1) / quarter * quarter;
}

// Lines for so many entries, and what the allocator gives beyond them.
uint64_t LinesFor(uint64_t entries, int width) {
  const auto slots = static_cast<double>(internal::SlotsPerLine(width));
  const auto lines = static_cast<uint64_t>(
      std::ceil(static_cast<double>(entries) / kLoad / slots));
  const uint64_t behind = internal::FirstTailLines(lines) + 1;
  return std::max(lines, RoundedUp((lines + behind) * kLineBytes) / kLineBytes -
                             behind - 1);
}

// Fills in all but depth and limit; false if these bits give a higher rate.
bool Fit(double items, double rate, int width, ReservedTables::Plan& plan) {
  const uint64_t lines = LinesFor(plan.limit, width);
  const auto slots = static_cast<uint64_t>(internal::SlotsPerLine(width));
  plan.bits = width;
  plan.home_bits = static_cast<int>(std::bit_width(lines * slots)) - 1;
  const uint64_t homes = uint64_t{1} << plan.home_bits;
  plan.homes_per_line =
      static_cast<int>(std::max<uint64_t>(2, (homes + lines - 1) / lines));
  plan.rate = std::ldexp(items, -(plan.depth + plan.home_bits + plan.bits));
  return plan.rate <= rate;
}

bool IsOurs(std::string_view name) { return name.starts_with("reserve_"); }

std::string NameOf(const char* what, size_t place) {
  return std::string(what) + "-" + std::to_string(place);
}

Status Violation(std::string what) {
  return {StatusCode::kCorrupt, std::move(what)};
}

}  // namespace

uint64_t ReservedTables::Plan::bytes() const {
  return LinesFor(limit, bits) * kLineBytes << depth;
}

ReservedTables::Plan ReservedTables::PlanFor(uint64_t items, double error,
                                             uint64_t table_slots) {
  Plan plan;
  const auto all = static_cast<double>(items);
  // A place has a little more than its part, by what chance may bring.
  const auto room = [&] {
    const double part = std::ldexp(all, -plan.depth);
    return static_cast<uint64_t>(plan.depth == 0 ? part
                                                 : part + 3 * std::sqrt(part));
  };
  while (static_cast<double>(room()) >
             kLoad * static_cast<double>(table_slots) &&
         plan.depth < kMaxDepth) {
    ++plan.depth;
  }
  plan.limit = room();
  int bits = internal::kMinSlotBits;
  while (!Fit(all, kShareOfRate * error, bits, plan) && bits < kMaxBits) ++bits;
  return plan;
}

Result<ReservedTables> ReservedTables::Create(const Plan& plan) {
  ReservedTables reserve(plan);
  for (auto& table : reserve.tables_) {
    TAMIS_ASSIGN_OR_RETURN(
        Table empty,
        Table::Create(uint64_t{1} << plan.home_bits,
                      Table::LineForm{plan.bits, plan.homes_per_line}));
    table = std::make_unique<Table>(std::move(empty));
    ++reserve.num_tables_;
  }
  return reserve;
}

bool ReservedTables::MayContain(KeyHash hash) const {
  const Table& table = TableOf(hash);
  return internal::RemainderLookup(table, table.shape())
      .MayContain(ToLocal(hash));
}

void ReservedTables::Prefetch(KeyHash hash) const {
  TableOf(hash).PrefetchHome(HomeOf(hash));
}

Status ReservedTables::Insert(KeyHash hash) {
  const KeyHash rest = internal::ShiftHash(ToLocal(hash), plan_.home_bits);
  return tables_[IndexOf(hash)]->InsertSorted(
      HomeOf(hash), internal::FirstHashBits(rest, plan_.bits));
}

void ReservedTables::Drop(KeyHash hash) {
  tables_[IndexOf(hash)].reset();
  if (--num_tables_ == 0) *this = ReservedTables();
}

uint64_t ReservedTables::size() const {
  uint64_t total = 0;
  for (const auto& table : tables_) {
    if (table != nullptr) total += table->size();
  }
  return total;
}

uint64_t ReservedTables::SizeBits() const {
  uint64_t total = 0;
  for (const auto& table : tables_) {
    if (table != nullptr) total += table->SizeBits();
  }
  return total;
}

double ReservedTables::ExpectedFpr() const {
  return std::ldexp(static_cast<double>(size()),
                    -(plan_.depth + plan_.home_bits + plan_.bits));
}

Status ReservedTables::CheckInvariants() const {
  for (const auto& table : tables_) {
    if (table == nullptr) continue;
    TAMIS_RETURN_IF_ERROR(table->CheckInvariants());
    TAMIS_RETURN_IF_ERROR(table->CheckSortedRuns());
    if (table->size() > plan_.limit) {
      return Violation("(R2): " + std::to_string(table->size()) + " entries");
    }
  }
  return {};
}

void ReservedTables::AddTo(Snapshot& snapshot) const {
  if (empty()) return;
  snapshot.AddNumber("reserve_depth", static_cast<uint64_t>(plan_.depth));
  snapshot.AddNumber("reserve_home_bits",
                     static_cast<uint64_t>(plan_.home_bits));
  snapshot.AddNumber("reserve_bits", static_cast<uint64_t>(plan_.bits));
  snapshot.AddNumber("reserve_homes_per_line",
                     static_cast<uint64_t>(plan_.homes_per_line));
  snapshot.AddNumber("reserve_limit", plan_.limit);
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i] == nullptr) continue;
    snapshot.AddNumber(NameOf("reserve_size", i), tables_[i]->size());
    snapshot.AddArray(NameOf("reserve_lines", i), tables_[i]->lines());
  }
}

Snapshot ReservedTables::TakenOutOf(const Snapshot& snapshot) {
  Snapshot rest(snapshot.spec(), snapshot.hasher());
  rest.set_version(snapshot.version());
  for (const auto& number : snapshot.numbers()) {
    if (!IsOurs(number.name)) rest.AddNumber(number.name, number.value);
  }
  for (const auto& array : snapshot.arrays()) {
    if (!IsOurs(array.name)) rest.AddArray(array.name, array.bytes);
  }
  return rest;
}

Result<ReservedTables> ReservedTables::From(const Snapshot& snapshot) {
  if (!snapshot.HasNumber("reserve_depth")) return ReservedTables();
  const auto number = [&](const char* name, uint64_t min,
                          uint64_t max) -> Result<int> {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t read,
                           snapshot.Number(name, min, max));
    return static_cast<int>(read);
  };
  Plan plan;
  TAMIS_ASSIGN_OR_RETURN(plan.depth, number("reserve_depth", 0, kMaxDepth));
  TAMIS_ASSIGN_OR_RETURN(plan.home_bits, number("reserve_home_bits", 1, 40));
  TAMIS_ASSIGN_OR_RETURN(plan.bits, number("reserve_bits", 2, kMaxBits));
  const auto slots = static_cast<uint64_t>(internal::SlotsPerLine(plan.bits));
  TAMIS_ASSIGN_OR_RETURN(plan.homes_per_line,
                         number("reserve_homes_per_line", 2, slots));
  TAMIS_ASSIGN_OR_RETURN(
      plan.limit, snapshot.Number("reserve_limit", 1, uint64_t{1} << 40));
  // No more places than the header has names for.
  if (size_t{1} << plan.depth >
      snapshot.numbers().size() + snapshot.arrays().size()) {
    return Violation("more places than tables");
  }
  ReservedTables reserve(plan);
  for (size_t i = 0; i < reserve.tables_.size(); ++i) {
    if (!snapshot.HasNumber(NameOf("reserve_size", i))) continue;
    TAMIS_ASSIGN_OR_RETURN(
        const uint64_t size,
        snapshot.Number(NameOf("reserve_size", i), 0, plan.limit));
    TAMIS_ASSIGN_OR_RETURN(const auto lines,
                           snapshot.Array(NameOf("reserve_lines", i)));
    TAMIS_ASSIGN_OR_RETURN(
        Table table,
        Table::FromLines(uint64_t{1} << plan.home_bits,
                         Table::LineForm{plan.bits, plan.homes_per_line}, size,
                         lines));
    reserve.tables_[i] = std::make_unique<Table>(std::move(table));
    ++reserve.num_tables_;
  }
  TAMIS_RETURN_IF_ERROR(reserve.CheckInvariants());
  return reserve;
}

}  // namespace tamis::redis
