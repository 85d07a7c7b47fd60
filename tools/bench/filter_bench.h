// FilterBench: all workloads on one filter of one size.
//
// The order is fixed, whatever was asked for, because later steps need what
// earlier ones leave behind:
//
//   1. insert   new filters; the last one stays, and is checked for members
//   2. bulk     new filters, thrown away
//   3. adapt    to unique absent keys, if asked for
//   4. look up  timed passes, interleaved with those of the memory limit, so
//               that what disturbs the machine disturbs both
//   5. erase    a random tenth, put back after each pass
//
// Each timed pass gives one sample; the report takes their median.

#ifndef TAMIS_TOOLS_BENCH_FILTER_BENCH_H_
#define TAMIS_TOOLS_BENCH_FILTER_BENCH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/result.h"
#include "tools/bench/bench_keys.h"
#include "tools/bench/memory_limit.h"
#include "tools/bench/options.h"
#include "tools/bench/row.h"
#include "tools/common/progress.h"

namespace tamis::tools {

class FilterBench {
 public:
  // The references must outlive this.
  FilterBench(const BenchOptions& options, const Spec& spec, uint64_t slots,
              const BenchKeys& keys, const Hasher& hasher, Progress& progress);

  // Runs what was asked for; stops at the first failure.
  Status Run();

  // Returns one row per workload, in the order asked for.  What was not
  // measured, because the filter lacks the operation or Run() failed, is
  // absent from its row.
  std::vector<BenchRow> Rows() const;

 private:
  Result<AnyFilter> NewFilter() const;
  Status Fill();
  Status FillTimed();
  Status CheckMembers() const;
  Status TimeBulkLoads();
  Status AdaptFirst();
  void MeasureFpr();
  Status TimeLookups();
  void TimeOneRound(int round);
  // Questions are hashes, or keys.
  template <typename Question>
  void TimeOneByOne(Workload workload, int round,
                    std::span<const Question> questions);
  template <typename Question>
  void TimeBatches(Workload workload, int round,
                   std::span<const Question> questions);
  void TimeHashing();
  Status TimeErases();

  // Says whether this workload is to run in this round.
  bool IsDue(Workload workload, int round) const;
  void Report(Workload workload, double share) const;
  std::vector<double>& Samples(Workload workload) {
    return samples_[static_cast<size_t>(workload)];
  }

  const BenchOptions& options_;
  const Spec& spec_;
  const uint64_t slots_;
  const BenchKeys& keys_;
  const Hasher& hasher_;
  Progress& progress_;

  std::optional<AnyFilter> filter_;
  std::optional<MemoryLimit> limit_;
  std::array<std::vector<double>, kWorkloadCount> samples_;
  std::vector<double> absent_limits_;   // samples of the limit, on the hashes
  std::vector<double> present_limits_;  // of absent and of present keys
  std::optional<double> fpr_;
  std::optional<double> expected_fpr_;
  std::optional<double> bits_per_key_;
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_FILTER_BENCH_H_
