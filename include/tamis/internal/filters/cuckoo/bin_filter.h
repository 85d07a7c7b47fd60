// BinFilter: what every cuckoo filter is made of, a table of bins and counters.
//
// KeyedFilter and PartialKeyFilter inherit from it; it is nothing by itself.
//
// Thread safety: as all filters (filter.h).

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_FILTER_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_FILTER_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "tamis/hasher.h"
#include "tamis/internal/filters/cuckoo/bin_table.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::internal {

class BinFilter {
 public:
  uint64_t size() const { return size_; }
  uint64_t capacity() const { return table_.slots(); }
  uint64_t SizeBits() const { return table_.size_bits(); }
  const Hasher& hasher() const { return hasher_; }

  // For KickSearch.
  const BinTable& table() const { return table_; }

 protected:
  BinFilter(BinTable table, const Hasher& hasher)
      : table_(std::move(table)), hasher_(hasher) {}

  // Keys per slot.
  double Load() const {
    return static_cast<double>(size_) / static_cast<double>(capacity());
  }
  // kFull, with how full the filter is.
  Status FullStatus(std::string_view name) const;
  // kCorrupt unless size() slots are in use and (T1) holds.
  Status CheckOccupancy() const;

  // Returns a snapshot with "bins", "size", "moves" and "table".
  Snapshot SaveBins(const Spec& spec) const;
  // Reads "table" back, of "bins" bins; LoadCounters the other two.
  static Result<BinTable> LoadTable(const Snapshot& snapshot, int slots_per_bin,
                                    int width, const LoadOptions& load);
  Status LoadCounters(const Snapshot& snapshot);

  BinTable table_;
  uint64_t size_ = 0;
  uint64_t moves_ = 0;  // entries moved by all insertions and adaptations
  Hasher hasher_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_FILTER_H_
