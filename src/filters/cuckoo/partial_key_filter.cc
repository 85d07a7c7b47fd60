#include "tamis/internal/filters/cuckoo/partial_key_filter.h"

#include <string>
#include <vector>

#include "filters/cuckoo/cuckoo_math.h"
#include "filters/cuckoo/kicks.h"
#include "filters/cuckoo/parameters.h"

namespace tamis::internal {
namespace {

// Fewer than 8 bits leave too few second bins to fill large tables.
constexpr BinShape kShape{.tables = 1, .k = 2, .b = 4, .min_f = 8};

Result<int> FingerprintBitsOf(const Spec& spec) {
  const ParameterReader read(spec, kPartialKeyParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  return read.Int("f");
}

}  // namespace

template <typename Ranges>
Result<PartialKeyFilter<Ranges>> PartialKeyFilter<Ranges>::Create(
    const Spec& spec, uint64_t slots, const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const int f, FingerprintBitsOf(spec));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bins, BinsFor(slots, 1, kSlotsPerBin));
  TAMIS_ASSIGN_OR_RETURN(BinTable table,
                         BinTable::Create(bins, kSlotsPerBin, f));
  return PartialKeyFilter(std::move(table), hasher);
}

template <typename Ranges>
Result<PartialKeyFilter<Ranges>> PartialKeyFilter<Ranges>::FromSnapshot(
    const Snapshot& snapshot, const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const int f, FingerprintBitsOf(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(BinTable table,
                         LoadTable(snapshot, kSlotsPerBin, f, load));
  PartialKeyFilter filter(std::move(table), snapshot.hasher());
  TAMIS_RETURN_IF_ERROR(filter.LoadCounters(snapshot));
  return CheckedIfAsked(std::move(filter), load);
}

template <typename Ranges>
Snapshot PartialKeyFilter<Ranges>::ToSnapshot() const {
  return SaveBins(spec());
}

template <typename Ranges>
Status PartialKeyFilter<Ranges>::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (size_ == capacity()) {
    return FullStatus(Ranges::kName);
  }
  const Places places = Find(hash);
  const uint64_t bins[] = {places.home, places.other};
  if (const uint64_t slot = FirstFree(table_, bins); slot != kNoSlot) {
    table_.Set(slot, places.fingerprint);
    ++size_;
    return {};
  }
  const std::vector<uint64_t> path = KickSearch(*this).FindPath(bins);
  if (path.empty()) return FullStatus(Ranges::kName);
  for (size_t i = path.size() - 1; i > 0; --i) {
    table_.Set(path[i], table_.Get(path[i - 1]));
  }
  table_.Set(path[0], places.fingerprint);
  moves_ += path.size() - 1;
  ++size_;
  return {};
}

template <typename Ranges>
Status PartialKeyFilter<Ranges>::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  const Places places = Find(hash);
  for (const uint64_t bin : {places.home, places.other}) {
    const uint64_t slot = table_.FindInBin(bin, places.fingerprint);
    if (slot == kNoSlot) continue;
    table_.Set(slot, 0);
    --size_;
    return {};
  }
  return NotFoundStatus(Ranges::kName);
}

template <typename Ranges>
double PartialKeyFilter<Ranges>::ExpectedFpr() const {
  return CuckooFpr(Load(), table_.width(), 2, kSlotsPerBin);
}

template <typename Ranges>
FilterStats PartialKeyFilter<Ranges>::stats() const {
  return {
      .size = size_,
      .capacity = capacity(),
      .size_bits = SizeBits(),
      .expected_fpr = ExpectedFpr(),
      .details = {{"load", Load()}, {"moves", static_cast<double>(moves_)}}};
}

template <typename Ranges>
Spec PartialKeyFilter<Ranges>::spec() const {
  Spec spec{std::string(Ranges::kName)};
  spec.Set("f", static_cast<uint64_t>(table_.width()));
  return spec;
}

template <typename Ranges>
Result<Sizing> PartialKeyFilter<Ranges>::SizeFor(std::string_view kind,
                                                 uint64_t keys, double fpr) {
  TAMIS_ASSIGN_OR_RETURN(const int f, FewestBits(kShape, keys, fpr));
  const uint64_t slots = SlotsFor(keys);
  TAMIS_ASSIGN_OR_RETURN(const double expected, FprOf(kShape, f, slots, keys));
  return Sizing{Spec(std::string(kind)).Set("f", static_cast<uint64_t>(f)),
                slots, expected};
}

template <typename Ranges>
Result<double> PartialKeyFilter<Ranges>::FprFor(const Spec& spec,
                                                uint64_t slots, uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const int f, FingerprintBitsOf(spec));
  return FprOf(kShape, f, slots, keys);
}

template <typename Ranges>
Status PartialKeyFilter<Ranges>::CheckInvariants() const {
  return CheckOccupancy().WithContext("(P2)");
}

template class PartialKeyFilter<WholeTable>;
template class PartialKeyFilter<VacuumRanges>;

}  // namespace tamis::internal
