#include "tools/bench/run_bench.h"

#include <fmt/format.h>

#include "tools/bench/bench_keys.h"
#include "tools/bench/filter_bench.h"
#include "tools/common/interrupt.h"

namespace tamis::tools {
namespace {

std::vector<std::string> HowItWasMeasured(const BenchOptions& options) {
  std::vector<std::string> notes = {
      fmt::format("ns/op: CPU time of one pinned thread, median of {}; "
                  "spread: (max - min) / median",
                  options.repetitions),
      "limit_ns: one random line per key, prefetched, in memory of the same "
      "size and pages",
      fmt::format("FPR: over {} absent keys; seed {}", options.fpr_queries,
                  options.seed)};
  for (const uint64_t slots : options.slots) {
    const int few = options.RepetitionsFor(Workload::kInsert, slots);
    if (few == options.repetitions) continue;
    notes.push_back(fmt::format(
        "{} slots: insert, bulk and erase are medians of {}", slots, few));
  }
  if (options.adapt_unique_per_member > 0) {
    notes.push_back(
        fmt::format("adaptive filters first adapted to the false positives "
                    "among {} unique absent keys per member",
                    options.adapt_unique_per_member));
  }
  return notes;
}

}  // namespace

Status RunBench(const BenchOptions& options, Progress& progress,
                BenchReport* report) {
  TAMIS_RETURN_IF_ERROR(Validate(options));
  report->machine = DescribeMachine();
  report->notes = HowItWasMeasured(options);
  const Hasher hasher(Seed{options.seed, 0});
  Status first_failure;
  for (const uint64_t slots : options.slots) {
    if (InterruptRequested()) break;
    TAMIS_ASSIGN_OR_RETURN(
        const BenchKeys keys,
        BenchKeys::Make(hasher, options.KeysFor(slots),
                        options.QueriesFor(slots), options.seed));
    for (const Spec& spec : options.filters) {
      if (InterruptRequested()) break;
      FilterBench bench(options, spec, slots, keys, hasher, progress);
      const Status status = bench.Run().WithContext(
          fmt::format("{} ({} slots)", spec.ToString(), slots));
      if (!status.ok()) {
        report->notes.push_back(status.ToString());
        if (first_failure.ok()) first_failure = status;
      }
      for (BenchRow& row : bench.Rows()) report->rows.push_back(std::move(row));
    }
  }
  if (InterruptRequested()) {
    report->notes.emplace_back(
        "interrupted: rows that are missing or empty were not measured, "
        "others may have fewer repetitions");
  }
  return first_failure;
}

}  // namespace tamis::tools
