#include "tamis/internal/filters/cuckoo/bin_filter.h"

#include <string>

#include "filters/cuckoo/kicks.h"

namespace tamis::internal {

Status BinFilter::FullStatus(std::string_view name) const {
  return {StatusCode::kFull,
          std::string(name) + " holds " + std::to_string(size_) + " of " +
              std::to_string(capacity()) + " keys and found no room within " +
              std::to_string(kMaxKickNodes) + " slots"};
}

Status BinFilter::CheckOccupancy() const {
  TAMIS_RETURN_IF_ERROR(table_.CheckInvariants());
  const uint64_t occupied = table_.CountOccupied();
  if (occupied == size_) return {};
  return {StatusCode::kCorrupt, std::to_string(occupied) +
                                    " slots are in use, but the size is " +
                                    std::to_string(size_)};
}

Snapshot BinFilter::SaveBins(const Spec& spec) const {
  Snapshot snapshot(spec, hasher_);
  snapshot.AddNumber("bins", table_.bins());
  snapshot.AddNumber("size", size_);
  snapshot.AddNumber("moves", moves_);
  snapshot.AddArray("table", table_.bytes());
  return snapshot;
}

Result<BinTable> BinFilter::LoadTable(const Snapshot& snapshot,
                                      int slots_per_bin, int width) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bins,
                         snapshot.Number("bins", 1, BinTable::kMaxSlots));
  TAMIS_ASSIGN_OR_RETURN(const auto bytes, snapshot.Array("table"));
  return BinTable::FromBytes(bytes, bins, slots_per_bin, width);
}

Status BinFilter::LoadCounters(const Snapshot& snapshot) {
  TAMIS_ASSIGN_OR_RETURN(size_, snapshot.Number("size"));
  TAMIS_ASSIGN_OR_RETURN(moves_, snapshot.Number("moves"));
  return {};
}

}  // namespace tamis::internal
