// GrowthRun: one filter grown from a small start, measured before each
// doubling, as all figures of the InfiniFilter paper are.
//
// A *phase* begins with a doubling (or a new link) and ends when the filter is
// as full as its threshold allows.  At the end of a phase absent keys are
// asked for, one by one, to measure time and false positives.

#ifndef TAMIS_LAB_REPRODUCE_GROWTH_RUN_H_
#define TAMIS_LAB_REPRODUCE_GROWTH_RUN_H_

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/reproduce/experiment.h"
#include "tamis/any_filter.h"
#include "tamis/result.h"

namespace tamis::tools {

struct GrowthPhase {
  int number;  // doublings so far
  uint64_t keys;
  uint64_t false_positives;
  uint64_t queries;
  double expected_fpr;  // by the filter's own formula
  double bits_per_key;
  double query_ns;   // one by one, absent keys
  double batch_ns;   // the same in a batch
  double insert_ns;  // average over the phase, with its expansion
  double delete_ns;  // of members of all ages, from a copy; if asked for

  double Fpr() const {
    return static_cast<double>(false_positives) / static_cast<double>(queries);
  }
  // How many standard deviations the measured rate is away from `fpr`, which
  // is a mean over all sets of keys; `set_variance` is that of one set's rate.
  double DeviationsFrom(double fpr, double set_variance = 0) const;
};

struct GrowthOptions {
  uint64_t start_slots = 1024;
  uint64_t max_keys = uint64_t{1} << 20;
  uint64_t queries = 200'000;
  uint64_t seed = 1;
  bool deletes = false;  // measure them, of filters that can
};

struct GrowthRun {
  std::string spec;
  std::vector<GrowthPhase> phases;
  std::string end;  // why it stopped before max_keys; empty if it did not
};

// Grows the filter that `spec` names.
Result<GrowthRun> RunGrowth(std::string_view spec,
                            const GrowthOptions& options);

// The same for a filter made by the caller, which may do more between inserts:
// `insert` inserts `count` keys from number `first` on.
using InsertKeys =
    std::function<Status(AnyFilter&, uint64_t first, uint64_t count)>;
Result<GrowthRun> RunGrowth(AnyFilter filter, const GrowthOptions& options,
                            const InsertKeys& insert);

// Makes an empty filter for a run with this seed.
Result<AnyFilter> GrowthFilter(std::string_view spec, uint64_t slots,
                               uint64_t seed);

// Inserts one by one: InsertEach fetches ahead for some filters and not for
// others, so that its times would not compare them.
Status InsertPlainly(AnyFilter& filter, std::span<const KeyHash> hashes);

// Key number `index` of a run; absent keys are numbered from kAbsent on.
inline constexpr uint64_t kAbsent = uint64_t{1} << 48;
uint64_t GrowthKey(uint64_t seed, uint64_t index);
std::vector<KeyHash> GrowthHashes(const AnyFilter& filter, uint64_t seed,
                                  uint64_t first, uint64_t count);

// The options of a run at quick or paper scale.
GrowthOptions GrowthOptionsFor(const ExperimentOptions& options);

// The four plots that the paper's figures consist of, over the number of keys:
// look-ups, inserts, false positive rate and memory.  `what` begins their
// titles.
class GrowthCharts {
 public:
  explicit GrowthCharts(const std::string& what);

  struct Point {
    double keys;
    double query_ns;
    double insert_ns;
    double fpr;
    double bits_per_key;
  };
  void Add(const std::string& name, std::span<const Point> points);
  void Add(const GrowthRun& run);
  void MoveTo(Findings& result);

 private:
  std::array<Chart, 4> charts_;
};

// Adds a table of a run's phases, with the columns that all figures share.
void AddPhases(const GrowthRun& run, Findings& result);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_GROWTH_RUN_H_
