#include "filters/growing/sacrifice.h"

#include <cmath>
#include <string>
#include <utility>

#include "filters/growing/parameters.h"
#include "filters/growing/threshold.h"
#include "table/entry_stream.h"
#include "tamis/internal/table/table_entry.h"

namespace tamis {

using internal::Placed;
using internal::QuotientTable;
using internal::SlotRange;
using internal::Snapshot;
using internal::TableEntry;

namespace {

Result<SacrificeFilter::Options> SacrificeOptionsFrom(const Spec& spec,
                                                      uint64_t slots) {
  const ParameterReader read(spec, internal::kSlotFilterParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const int bits, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(const double threshold, read.Number("threshold"));
  return SacrificeFilter::Options{
      .slots = slots, .fingerprint_bits = bits, .threshold = threshold};
}

}  // namespace

Result<SacrificeFilter> SacrificeFilter::Create(const Options& options,
                                                const Hasher& hasher) {
  TAMIS_RETURN_IF_ERROR(internal::CheckThreshold(options.threshold));
  TAMIS_ASSIGN_OR_RETURN(
      QuotientTable table,
      QuotientTable::Create(options.slots, options.fingerprint_bits));
  return SacrificeFilter(options, hasher, std::move(table));
}

Result<SacrificeFilter> SacrificeFilter::Create(const Spec& spec,
                                                uint64_t slots,
                                                const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         SacrificeOptionsFrom(spec, slots));
  return Create(options, hasher);
}

Spec SacrificeFilter::spec() const {
  Spec spec("sacrifice");
  spec.Set("f", static_cast<uint64_t>(options_.fingerprint_bits));
  internal::AddThreshold(spec, options_.threshold);
  return spec;
}

Snapshot SacrificeFilter::ToSnapshot() const {
  Snapshot snapshot(WithDefaults(spec(), internal::kSlotFilterParameters),
                    hasher_);
  snapshot.AddNumber("slots", options_.slots);
  snapshot.AddNumber("generation", static_cast<uint64_t>(generation_));
  snapshot.AddNumber("size", table_.size());
  snapshot.AddArray("lines", table_.lines());
  return snapshot;
}

Result<SacrificeFilter> SacrificeFilter::FromSnapshot(const Snapshot& snapshot,
                                                      const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t slots,
                         snapshot.Number("slots", 1, internal::kMaxHomes));
  TAMIS_ASSIGN_OR_RETURN(const Options options,
                         SacrificeOptionsFrom(snapshot.spec(), slots));
  const auto max_generation = static_cast<uint64_t>(options.fingerprint_bits);
  TAMIS_ASSIGN_OR_RETURN(const uint64_t generation,
                         snapshot.Number("generation", 0, max_generation));
  if (slots > internal::kMaxHomes >> generation) {
    return Status(StatusCode::kCorrupt,
                  std::to_string(slots) + " homes can't double " +
                      std::to_string(generation) + " times");
  }
  TAMIS_ASSIGN_OR_RETURN(const uint64_t size, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(const auto lines, snapshot.Outer("lines", load));
  const int bits = options.fingerprint_bits - static_cast<int>(generation);
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table,
                         QuotientTable::FromLines(slots << generation,
                                                  WidthFor(bits), size, lines));
  SacrificeFilter filter(options, snapshot.hasher(), std::move(table));
  filter.generation_ = static_cast<int>(generation);
  return internal::CheckedIfAsked(std::move(filter), load);
}

uint64_t SacrificeFilter::Limit(uint64_t homes) const {
  return internal::ThresholdLimit(options_.threshold, homes);
}

Status SacrificeFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (size() >= capacity()) TAMIS_RETURN_IF_ERROR(Expand());
  const Placed placed = internal::Place(hash, table_.homes());
  return table_.InsertSorted(placed.home,
                             Fingerprint(placed, fingerprint_bits()));
}

void SacrificeFilter::MayContain(std::span<const KeyHash> hashes,
                                 std::span<bool> results) const {
  WithLookup([&](const auto& lookup) { lookup.MayContain(hashes, results); });
}

Status SacrificeFilter::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  const Placed placed = internal::Place(hash, table_.homes());
  const uint64_t fingerprint = Fingerprint(placed, fingerprint_bits());
  const SlotRange run = table_.FindRun(placed.home);
  uint64_t slot = run.begin;
  while (slot < run.limit && table_.Get(slot) != fingerprint) ++slot;
  if (slot == run.limit) {
    return {StatusCode::kNotFound, "no such fingerprint in the filter"};
  }
  table_.EraseAt(placed.home, slot);
  // Where memory for the smaller table is lacking, the larger one stays.
  if (generation_ > 0 && size() <= capacity() / 4) (void)Contract().ok();
  return {};
}

template <typename Map>
Status SacrificeFilter::Rebuild(int generation, const Map& map) {
  TAMIS_ASSIGN_OR_RETURN(QuotientTable table,
                         QuotientTable::Create(options_.slots << generation,
                                               WidthFor(Bits(generation))));
  TAMIS_RETURN_IF_ERROR(
      internal::FillFrom(table, internal::MappedEntries(table_, map)));
  table_ = std::move(table);
  generation_ = generation;
  return {};
}

Status SacrificeFilter::Expand() {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (fingerprint_bits() == 0) {
    return {StatusCode::kFull, "no fingerprint bits are left after " +
                                   std::to_string(generation_) + " expansions"};
  }
  if (table_.homes() > internal::kMaxHomes / 2) {
    return {StatusCode::kFull, "a filter of more than 2^55 homes can't double"};
  }
  const int bits = fingerprint_bits();
  return Rebuild(generation_ + 1, [=](const TableEntry& entry) {
    return internal::MoveToHome(entry, 1, bits);
  });
}

Status SacrificeFilter::Contract() {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (generation_ == 0) {
    return {StatusCode::kUnsupported,
            "the filter is as small as it was created"};
  }
  if (size() > Limit(table_.homes() / 2)) {
    return {StatusCode::kFull, std::to_string(size()) +
                                   " keys are more than half the slots may "
                                   "hold"};
  }
  const int bits = fingerprint_bits();
  return Rebuild(generation_ - 1, [=](const TableEntry& entry) {
    return internal::MoveToValue(entry, 1, bits, bits + 1);
  });
}

double SacrificeFilter::ExpectedFpr() const {
  return -std::expm1(-std::ldexp(table_.load(), -fingerprint_bits()));
}

FilterStats SacrificeFilter::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.expected_fpr = ExpectedFpr();
  stats.details = {{"load", table_.load()},
                   {"expansions", generation_},
                   {"fingerprint_bits", fingerprint_bits()}};
  return stats;
}

Status SacrificeFilter::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(table_.CheckInvariants());
  TAMIS_RETURN_IF_ERROR(table_.CheckSortedRuns());
  for (QuotientTable::Cursor at(table_); !at.done(); at.Next()) {
    if (at.value() >> fingerprint_bits() != 0) {
      return {StatusCode::kCorrupt,
              "slot " + std::to_string(at.slot()) +
                  " holds more bits than a fingerprint has"};
    }
  }
  return {};
}

}  // namespace tamis
