// The experiments of "Support Optimality and Adaptive Cuckoo Filters".

#ifndef TAMIS_LAB_REPRODUCE_CUCKOO_EXPERIMENTS_H_
#define TAMIS_LAB_REPRODUCE_CUCKOO_EXPERIMENTS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/reproduce/experiment.h"
#include "tamis/any_filter.h"

namespace tamis::tools {

// Section 3: one repeated query, and small query sets.
Result<Findings> RunCuckooSupport(const ExperimentOptions& options);
Result<Findings> RunSupportRatio(const ExperimentOptions& options);
Result<Findings> RunCuckooSmallSets(const ExperimentOptions& options);
// Section 4: the comparison on a skewed trace, and on Zipf at equal space.
Result<Findings> RunCuckooTrace(const ExperimentOptions& options);
Result<Findings> RunCuckooBins(const ExperimentOptions& options);
Result<Findings> RunCuckooZipf(const ExperimentOptions& options);
// Section 5: Theorems 9, 10 and 12.
Result<Findings> RunCuckooRepeated(const ExperimentOptions& options);
Result<Findings> RunCuckooUnfixable(const ExperimentOptions& options);

// Returns the share of false positives among queries of absent keys, each of
// which is adapted to.
Result<double> PositiveShare(AnyFilter& filter,
                             std::span<const KeyHash> queries);
// The hashes of a filter that FilterOf makes of `seed`.
std::vector<KeyHash> HashAll(std::span<const uint64_t> keys, uint64_t seed);

// "0.0123 %"
std::string Percent(double share);

// Returns a filter with the keys, or kFull where they did not fit.
Result<AnyFilter> FilterOf(std::string_view spec, uint64_t slots, uint64_t seed,
                           std::span<const uint64_t> keys);
// As FilterOf, of `count` random keys; takes another seed where they did not
// fit, as the paper's rebuild does, and counts it in `rebuilds`.
Result<AnyFilter> RandomFilterOf(std::string_view spec, uint64_t slots,
                                 uint64_t count, uint64_t seed,
                                 uint64_t* rebuilds = nullptr);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_CUCKOO_EXPERIMENTS_H_
