// What a store reports of itself and of its filter.

#ifndef TAMIS_STORE_STATS_H_
#define TAMIS_STORE_STATS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tamis {

// Counted since the store was opened, over all families.
struct StoreCounters {
  uint64_t gets = 0;             // keys asked for
  uint64_t hits = 0;             // found
  uint64_t true_negatives = 0;   // the filter said no: nothing was read
  uint64_t false_positives = 0;  // it said maybe, and the data said no
  // Of those: of a key that was one before, as far as a table of 2^16 recalls.
  uint64_t repeated_false_positives = 0;
  // The filter said maybe, those of the files no: no block was read.
  uint64_t denied_by_files = 0;
  uint64_t bypassed = 0;  // with a snapshot, which the filter does not know
  uint64_t fixes = 0;     // false positives that will not come again
  uint64_t not_fixed = 0;
  uint64_t stale = 0;           // an erase came between reading and fixing
  uint64_t long_intervals = 0;  // left alone: too many members to read
  uint64_t members_read = 0;    // to fix, by seeks
  uint64_t ghosts_removed = 0;  // entries of keys that had vanished
  uint64_t puts = 0;
  uint64_t new_keys = 0;
  uint64_t deletes = 0;
  uint64_t failed_commits = 0;
  uint64_t page_saves = 0;
  uint64_t failed_page_saves = 0;
  uint64_t rejuvenated = 0;  // members read to make old entries whole
  uint64_t rebuilds = 0;
  uint64_t replayed = 0;  // records of the journal, when opening
};

struct StoreStats {
  struct Family {
    std::string name;
    uint64_t keys = 0;  // entries of the filter
    uint64_t filter_bytes = 0;
    double bits_per_key = 0;
    double expected_fpr = 0;
    uint64_t forced_maybes = 0;  // reads given up: a writer was in the way
    uint64_t forgotten = 0;      // fixes dropped for newer ones
  };
  StoreCounters counters;
  std::vector<Family> families;
  uint64_t journal_records = 0;  // since the filter was saved, at most
  // By the statistics object of the options; 0 without one.
  uint64_t data_blocks_read = 0;
  std::string last_background_error;

  std::string ToText() const;
  std::string ToJson() const;
};

}  // namespace tamis

#endif  // TAMIS_STORE_STATS_H_
