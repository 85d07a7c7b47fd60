// ReservedTables: the tables of a filter that still holds what was reserved.
//
// A filter that grows needs longer fingerprints than one that does not, and a
// bit more to say how long they are.  One that was made for n items need not pay
// for that before they have come.  Until then it is a fixed filter, cut in 2^d
// places by the first bits of the hash:
//
//   hash      d bits | h bits | f bits
//             place  | home   | fingerprint       one quotient table a place
//
// Homes are a power of two, and H of them stand in a line of S slots, so that
// the table has the size that the items, and the server's allocator, ask for.
// The table of a place that is full is handed over to the filter that grows
// (ShardedTamis::Adopt), one place at a time: there its entries are prefixes of
// f bits, such as old ones are.
//
//   rate   of what was reserved: n / 2^(d + h + f), however the filter grows;
//          the rest of the asked rate is for what comes later
//
// Invariants (CheckInvariants tests all of them)
//   (R1) Those of the tables, whose runs are sorted.
//   (R2) No table has more than limit entries.
//
// Thread safety: that of the server's data.

#ifndef TAMIS_REDIS_RESERVED_TABLES_H_
#define TAMIS_REDIS_RESERVED_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::redis {

class ReservedTables {
 public:
  struct Plan {
    int depth = 0;      // d
    int home_bits = 0;  // h
    int bits = 0;       // f
    int homes_per_line = 0;
    uint64_t limit = 0;  // entries of a table
    double rate = 0;     // of all tables, full

    uint64_t bytes() const;  // of all tables
  };
  // For so many items, in tables of at most `table_slots`.
  static Plan PlanFor(uint64_t items, double error, uint64_t table_slots);

  // No tables, for nothing.
  ReservedTables() = default;
  static Result<ReservedTables> Create(const Plan& plan);

  const Plan& plan() const { return plan_; }
  // Whether the place of a hash still has its table here.
  bool Has(KeyHash hash) const {
    return num_tables_ != 0 && tables_[IndexOf(hash)] != nullptr;
  }
  bool empty() const { return num_tables_ == 0; }
  // REQUIRES of all below: Has(hash)
  const internal::QuotientTable& TableOf(KeyHash hash) const {
    return *tables_[IndexOf(hash)];
  }
  internal::ShardPlace PlaceOf(KeyHash hash) const {
    return internal::ShardPlace::Of(IndexOf(hash), plan_.depth);
  }
  bool MayContain(KeyHash hash) const;
  void Prefetch(KeyHash hash) const;
  bool IsFull(KeyHash hash) const {
    return TableOf(hash).size() >= plan_.limit;
  }
  Status Insert(KeyHash hash);
  void Drop(KeyHash hash);

  uint64_t size() const;
  uint64_t capacity() const { return num_tables_ * plan_.limit; }
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  Status CheckInvariants() const;

  // Adds itself to the snapshot of the filter beside it, if it has tables; and
  // back: the rest, and the tables.
  void AddTo(internal::Snapshot& snapshot) const;
  static internal::Snapshot TakenOutOf(const internal::Snapshot& snapshot);
  static Result<ReservedTables> From(const internal::Snapshot& snapshot);

 private:
  using Table = internal::QuotientTable;
  explicit ReservedTables(const Plan& plan)
      : plan_(plan), tables_(size_t{1} << plan.depth) {}

  size_t IndexOf(KeyHash hash) const {
    return internal::FirstHashBits(hash, plan_.depth);
  }
  KeyHash ToLocal(KeyHash hash) const {
    return internal::ShiftHash(hash, plan_.depth);
  }
  uint64_t HomeOf(KeyHash hash) const {
    return internal::FirstHashBits(ToLocal(hash), plan_.home_bits);
  }

  Plan plan_;
  std::vector<std::unique_ptr<Table>> tables_;  // none: handed over
  uint64_t num_tables_ = 0;
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_RESERVED_TABLES_H_
