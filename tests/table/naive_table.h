// A quotient table as a plain map: what QuotientTable is compared with.

#ifndef TAMIS_TESTS_TABLE_NAIVE_TABLE_H_
#define TAMIS_TESTS_TABLE_NAIVE_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

struct NaiveEntry {
  uint64_t home;
  uint64_t slot;
  uint64_t value;

  friend bool operator==(const NaiveEntry&, const NaiveEntry&) = default;
};

class NaiveTable {
 public:
  // A line of `slots` slots has its first `homes` of them as homes.
  NaiveTable(uint64_t slots, uint64_t homes) : slots_(slots), homes_(homes) {}

  std::vector<uint64_t>& run(uint64_t home) { return runs_[home]; }
  uint64_t size() const { return size_; }

  void InsertAt(uint64_t home, uint64_t place, uint64_t value) {
    std::vector<uint64_t>& run = runs_[home];
    run.insert(run.begin() + static_cast<ptrdiff_t>(place), value);
    ++size_;
  }
  void EraseAt(uint64_t home, uint64_t place) {
    std::vector<uint64_t>& run = runs_[home];
    run.erase(run.begin() + static_cast<ptrdiff_t>(place));
    if (run.empty()) runs_.erase(home);
    --size_;
  }

  // Every entry with the slot it must be in.
  std::vector<NaiveEntry> Entries() const {
    std::vector<NaiveEntry> entries;
    uint64_t next = 0;
    for (const auto& [home, run] : runs_) {
      next = std::max(next, home / homes_ * slots_ + home % homes_);
      for (const uint64_t value : run) entries.push_back({home, next++, value});
    }
    return entries;
  }

 private:
  uint64_t slots_;
  uint64_t homes_;
  std::map<uint64_t, std::vector<uint64_t>> runs_;
  uint64_t size_ = 0;
};

inline std::vector<NaiveEntry> Entries(const QuotientTable& table) {
  std::vector<NaiveEntry> entries;
  table.ForEach([&](uint64_t home, uint64_t slot, uint64_t value) {
    entries.push_back({home, slot, value});
  });
  return entries;
}

}  // namespace tamis::internal

#endif  // TAMIS_TESTS_TABLE_NAIVE_TABLE_H_
