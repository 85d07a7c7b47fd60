// What `tamis bench` is asked to do, and the names of its workloads.
//
//   insert           average from empty to the load; a new filter each time;
//                    InsertEach, which fetches lines ahead where it can
//   insert-marginal  the last 1 % (of the slots) before the load
//   bulk             BulkLoad of all keys, unsorted, into a new filter
//   query0           look-ups of absent keys, one by one
//   query0-batch     the same keys, in batches
//   query100         look-ups of members, one by one
//   query100-batch   the same keys, in batches
//   erase            a random tenth of the members, put back afterwards
//   hash             hashing integer keys, without any look-up
//   query0-key       from the key: hashing an absent key and looking it up,
//                    one by one
//   query0-key-batch the same keys, in batches
//   query100-key, query100-key-batch   the same for members

#ifndef TAMIS_TOOLS_BENCH_OPTIONS_H_
#define TAMIS_TOOLS_BENCH_OPTIONS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::tools {

enum class Workload {
  kInsert,
  kInsertMarginal,
  kBulk,
  kQuery0,
  kQuery0Batch,
  kQuery100,
  kQuery100Batch,
  kErase,
  kHash,
  kQuery0Key,
  kQuery0KeyBatch,
  kQuery100Key,
  kQuery100KeyBatch,
};
inline constexpr int kWorkloadCount = 13;

std::string_view ToString(Workload workload);
// Reads a comma-separated list of names.
Result<std::vector<Workload>> ParseWorkloads(std::string_view text);

// Says whether the workload looks up absent keys.
bool AsksForAbsentKeys(Workload workload);
// Says whether it changes the filter, hence runs seldom on large ones.
bool ChangesFilter(Workload workload);

struct BenchOptions {
  std::vector<Spec> filters;
  std::vector<uint64_t> slots;
  double load = 0.95;  // keys = slots * load, for every filter
  std::vector<Workload> workloads;
  int repetitions = 9;
  uint64_t seed = 1;
  // How many distinct absent keys per member are looked up, and adapted to if
  // they are false positives, before look-ups are timed.
  double adapt_unique_per_member = 0;
  // Hashes in one timed pass; 0: as many as slots, from 2^20 to 2^24.
  uint64_t queries = 0;
  uint64_t fpr_queries = 10'000'000;  // absent keys behind the FPR

  bool Wants(Workload workload) const;
  uint64_t QueriesFor(uint64_t slot_count) const;
  uint64_t KeysFor(uint64_t slot_count) const;
  // How often a workload runs: above 2^24 slots, those that change the filter
  // run three times only.
  int RepetitionsFor(Workload workload, uint64_t slot_count) const;
};

// Fails if there is no such filter, or a number is outside of what makes sense,
// and says which.
Status Validate(const BenchOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_OPTIONS_H_
