// UseFilter: every operation on a filter that came from outside, and what must
// hold whoever wrote it.
//
// The members are not known, so nothing is said of them; but the filter claims
// to be in order (CheckInvariants), and so must be after every operation.  Keys
// that are inserted here must be found until they are erased.

#ifndef TAMIS_TESTS_MODEL_USE_FILTER_H_
#define TAMIS_TESTS_MODEL_USE_FILTER_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"

namespace tamis::testing {

class FilterUser {
 public:
  explicit FilterUser(AnyFilter& filter) : filter_(filter) {}

  // Returns the first thing that is not as it must be.
  Status UseAll() {
    TAMIS_RETURN_IF_ERROR(Ask());
    TAMIS_RETURN_IF_ERROR(Check("insert", InsertSome()));
    TAMIS_RETURN_IF_ERROR(Check("adapt", AdaptSome()));
    if (filter_.capabilities().rejuvenate && !mine_.empty()) {
      TAMIS_RETURN_IF_ERROR(
          Check("rejuvenate", filter_.Rejuvenate(mine_.front())));
    }
    // Either may be refused, but then nothing has changed.
    if (filter_.capacity() <= kLargest) (void)filter_.Expand().ok();
    TAMIS_RETURN_IF_ERROR(Check("expand", {}));
    (void)filter_.Contract().ok();
    TAMIS_RETURN_IF_ERROR(Check("contract", {}));
    TAMIS_RETURN_IF_ERROR(Check("merge", MergeACopy()));
    TAMIS_RETURN_IF_ERROR(Check("erase", EraseMine()));
    (void)filter_.BulkLoad(Keys(1000, 5)).ok();
    TAMIS_RETURN_IF_ERROR(Check("bulk load", {}));
    return Ask();
  }

 private:
  static constexpr uint64_t kLargest = 5000;

  static Status Wrong(const std::string& what) {
    return {StatusCode::kCorrupt, what};
  }
  std::vector<KeyHash> Keys(uint64_t first, uint64_t count) const {
    std::vector<KeyHash> hashes;
    for (uint64_t i = 0; i < count; ++i) {
      hashes.push_back(filter_.hasher().Hash(first + i));
    }
    return hashes;
  }

  Status Check(const std::string& operation, const Status& status) const {
    if (!status.ok()) return status.WithContext(operation);
    const Status state = filter_.CheckInvariants();
    if (!state.ok()) return state.WithContext("after " + operation);
    if (filter_.CountEach(mine_) == mine_.size()) return {};
    return Wrong("after " + operation + ": a false negative");
  }

  Status Ask() const {
    const std::vector<KeyHash> hashes = Keys(0, 150);
    std::array<bool, 150> results{};
    filter_.MayContain(hashes, results);
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (results[i] != filter_.MayContain(hashes[i])) {
        return Wrong("a batch answers otherwise than one by one");
      }
    }
    (void)filter_.stats();
    return {};
  }

  Status InsertSome() {
    for (const KeyHash hash : Keys(500, 12)) {
      const uint64_t size = filter_.size();
      const bool inserted = filter_.Insert(hash).ok();
      if (filter_.size() != size + (inserted ? 1 : 0)) return Wrong("size");
      if (inserted) mine_.push_back(hash);
    }
    return {};
  }

  Status AdaptSome() {
    if (!filter_.capabilities().adapt) return {};
    for (const KeyHash hash : Keys(100'000, 100)) {
      if (!filter_.MayContain(hash)) continue;
      const Result<AdaptOutcome> outcome = filter_.Adapt(hash);
      if (outcome.ok() && *outcome == AdaptOutcome::kFixed &&
          filter_.MayContain(hash)) {
        return Wrong("a fixed key is still a false positive");
      }
    }
    return {};
  }

  Status MergeACopy() {
    TAMIS_ASSIGN_OR_RETURN(const auto bytes, Serialize(filter_));
    TAMIS_ASSIGN_OR_RETURN(const AnyFilter copy, DeserializeAny(bytes));
    if (filter_.size() > kLargest) return {};
    (void)filter_.Merge(copy).ok();
    return {};
  }

  Status EraseMine() {
    if (!filter_.capabilities().erase) return {};
    for (; !mine_.empty(); mine_.pop_back()) {
      TAMIS_RETURN_IF_ERROR(filter_.Erase(mine_.back()));
    }
    return {};
  }

  AnyFilter& filter_;
  std::vector<KeyHash> mine_;
};

inline Status UseFilter(AnyFilter& filter) {
  return FilterUser(filter).UseAll();
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_USE_FILTER_H_
