// Harness<F>: an adaptive quotient filter with its set beside it, under either
// key source, as an application would keep them.

#ifndef TAMIS_TESTS_FILTERS_QUOTIENT_HARNESS_H_
#define TAMIS_TESTS_FILTERS_QUOTIENT_HARNESS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filters/quotient/utaf.h"
#include "model/hash_multiset.h"
#include "tamis/exaf.h"
#include "tamis/taf.h"

namespace tamis::testing {

enum class KeysIn { kMirror, kSource };

// One of the numbers that a filter reports.
inline double Detail(const FilterStats& stats, const std::string& name) {
  for (const auto& [key, value] : stats.details) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no detail " << name;
  return 0;
}

template <typename F>
class Harness {
 public:
  Harness(AdaptiveOptions options, KeysIn keys, uint64_t seed = 1)
      : keys_(keys),
        source_(std::make_unique<SortedSource>()),
        filter_(Make(options, seed)) {}

  F& filter() { return filter_; }
  const HashMultiset& truth() const { return truth_; }
  KeyHash Hash(uint64_t key) const { return filter_.hasher().Hash(key); }

  // Into the filter first, out of it last.
  Status Insert(KeyHash hash) {
    TAMIS_RETURN_IF_ERROR(filter_.Insert(hash));
    source_->Add(hash);
    truth_.Add(hash);
    return {};
  }
  Status Erase(KeyHash hash) {
    const bool listed = source_->Remove(hash);
    const Status status = filter_.Erase(hash);
    if (status.ok()) {
      truth_.Remove(hash);
    } else if (listed) {
      source_->Add(hash);
    }
    return status;
  }
  // Adds the keys of another, small, filter.
  Status Merge(Harness& other) {
    return AddAll(other.truth_.members(),
                  [&] { return filter_.Merge(other.filter_); });
  }
  Status BulkLoad(const std::vector<KeyHash>& hashes) {
    return AddAll(hashes, [&] { return filter_.BulkLoad(hashes); });
  }
  Status Reload() {
    const auto snapshot = filter_.ToSnapshot();
    TAMIS_ASSIGN_OR_RETURN(
        filter_, keys_ == KeysIn::kMirror
                     ? F::FromSnapshot(snapshot)
                     : F::FromSnapshot(snapshot, {.source = *source_}));
    return {};
  }
  // The first false negative or broken invariant.
  Status Check() const {
    for (const KeyHash hash : truth_.members()) {
      if (!filter_.MayContain(hash)) {
        return {StatusCode::kCorrupt, "false negative"};
      }
    }
    if (filter_.size() != truth_.size()) {
      return {StatusCode::kCorrupt, "size " + std::to_string(filter_.size()) +
                                        " of " + std::to_string(truth_.size()) +
                                        " members"};
    }
    return filter_.CheckInvariants();
  }
  // Adapts to x if it is a false positive; says whether it was.
  Result<bool> AdaptIfWrong(KeyHash x) {
    if (truth_.Contains(x) || !filter_.MayContain(x)) return false;
    TAMIS_ASSIGN_OR_RETURN(const AdaptOutcome outcome, filter_.Adapt(x));
    const bool still = filter_.MayContain(x);
    if (still != (outcome == AdaptOutcome::kNotFixed)) {
      return Status(StatusCode::kCorrupt,
                    "Adapt says " + std::string(ToString(outcome)));
    }
    return true;
  }

 private:
  // Adds the hashes to filter, source and truth, or to none.
  template <typename AddToFilter>
  Status AddAll(const std::vector<KeyHash>& hashes, AddToFilter add) {
    TAMIS_RETURN_IF_ERROR(add());
    for (const KeyHash hash : hashes) {
      source_->Add(hash);
      truth_.Add(hash);
    }
    return {};
  }
  F Make(AdaptiveOptions options, uint64_t seed) const {
    if (keys_ == KeysIn::kSource) options.source = *source_;
    return F::Create(options, Hasher(Seed{seed, ~seed})).value();
  }

  KeysIn keys_;
  std::unique_ptr<SortedSource> source_;  // stays where it is when moved
  F filter_;
  HashMultiset truth_;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_QUOTIENT_HARNESS_H_
