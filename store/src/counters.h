// Counters that many threads raise at once: each thread has a row of its own,
// as far as there are rows, so that none waits for another's cache line, or has
// to lock its own.  Threads that come when all rows are taken share the last.

#ifndef TAMIS_STORE_SRC_COUNTERS_H_
#define TAMIS_STORE_SRC_COUNTERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "store/src/thread_row.h"
#include "tamis/key_hash.h"
#include "tamis/store_stats.h"

namespace tamis::internal {

enum class Count : size_t {
  kGets,  // but for those that kTrueNegatives counts
  kHits,
  kTrueNegatives,
  kFalsePositives,
  kRepeated,
  kDeniedByFiles,
  kBypassed,
  kFixes,
  kNotFixed,
  kStale,
  kLongIntervals,
  kMembersRead,
  kGhostsRemoved,
  kPuts,
  kNewKeys,
  kDeletes,
  kFailedCommits,
  kPageSaves,
  kFailedPageSaves,
  kRejuvenated,
  kRebuilds,
  kReplayed,
  kNumCounts,
};

class Counters {
 public:
  void Add(Count count, uint64_t by = 1) {
    const size_t row = ThreadRow::OfThisThread();
    std::atomic<uint64_t>& one = rows_[row].at[static_cast<size_t>(count)];
    if (row != ThreadRow::kShared) [[likely]] {
      one.store(one.load(std::memory_order_relaxed) + by,
                std::memory_order_relaxed);
    } else {
      one.fetch_add(by, std::memory_order_relaxed);
    }
  }
  uint64_t Sum(Count count) const {
    uint64_t sum = 0;
    for (const auto& row : rows_) {
      sum += row.at[static_cast<size_t>(count)].load(std::memory_order_relaxed);
    }
    return sum;
  }
  StoreCounters Read() const;

 private:
  struct alignas(64) Cells {
    std::array<std::atomic<uint64_t>, static_cast<size_t>(Count::kNumCounts)>
        at = {};
  };
  std::array<Cells, ThreadRow::kRows> rows_;
};

// Remembers of which keys there was a false positive, and how often: one place
// a hash, and who comes later takes it.
class FalsePositiveTable {
 public:
  // Returns how often this key was one, now included.
  uint32_t Add(KeyHash hash) {
    std::atomic<uint64_t>& place = places_[hash.low % kPlaces];
    const uint64_t tag = hash.low >> 16 << 16;
    const uint64_t before = place.load(std::memory_order_relaxed);
    const bool same = before >> 16 << 16 == tag && (before & kMost) != 0;
    const uint64_t times = same ? before & kMost : 0;
    const uint64_t now = times < kMost ? times + 1 : times;
    place.store(tag | now, std::memory_order_relaxed);
    return static_cast<uint32_t>(now);
  }

 private:
  static constexpr uint64_t kPlaces = uint64_t{1} << 16;
  static constexpr uint64_t kMost = 0xffff;
  std::array<std::atomic<uint64_t>, kPlaces> places_ = {};
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_COUNTERS_H_
