// Checked<F>: a filter with the truth beside it.
//
// It has the operations of the filter, applies each to the filter and to an
// exact multiset, and compares:
//
//   (C1) no false negative: MayContain is true for every member;
//   (C2) size() is the number of members, with multiplicity;
//   (C3) an operation that failed has changed neither, and stats() and the
//        accessors agree;
//   (C4) CheckInvariants holds.
//
// A violation comes back as kCorrupt with a message that starts with
// "checked:".  Every other status is the filter's own answer, and fine.
// F is any filter, or AnyFilter; what it cannot do is kUnsupported.
//
// Checked only erases members: the filters promise nothing otherwise.

#ifndef TAMIS_TESTS_MODEL_CHECKED_H_
#define TAMIS_TESTS_MODEL_CHECKED_H_

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/hash_multiset.h"
#include "tamis/any_filter.h"
#include "tamis/filter.h"

namespace tamis::testing {

// Returns what `filter` can do: AnyFilter knows when running, a type knows
// when compiling.
template <FilterType F>
Capabilities CapabilitiesOf(const F& filter) {
  if constexpr (requires { filter.capabilities(); }) {
    return filter.capabilities();
  } else {
    return tamis::CapabilitiesOf<F>();
  }
}

inline std::string ToString(KeyHash hash) {
  std::ostringstream text;
  text << std::hex << hash.high << ":" << hash.low;
  return text.str();
}

template <FilterType F>
class Checked {
 public:
  // REQUIRES: the filter is empty.
  explicit Checked(F filter) : filter_(std::move(filter)) {}

  const F& filter() const { return filter_; }
  const HashMultiset& truth() const { return truth_; }

  Status Insert(KeyHash hash) {
    const Status status = filter_.Insert(hash);
    if (status.ok()) truth_.Add(hash);
    TAMIS_RETURN_IF_ERROR(CheckSize("Insert"));
    if (status.ok()) TAMIS_RETURN_IF_ERROR(CheckMember(hash, "Insert"));
    return status;
  }

  // Also compares both forms of MayContain for one key.
  Result<bool> MayContain(KeyHash hash) const {
    const bool answer = filter_.MayContain(hash);
    bool batch = !answer;
    filter_.MayContain(std::span(&hash, 1), std::span(&batch, 1));
    if (batch != answer) return Violation("batch of one differs", hash);
    if (!answer && truth_.Contains(hash)) {
      return Violation("false negative", hash);
    }
    return answer;
  }

  // REQUIRES: truth().Contains(hash)
  Status Erase(KeyHash hash) {
    if constexpr (ErasableFilter<F>) {
      const Status status = filter_.Erase(hash);
      if (status.code() == StatusCode::kNotFound) {
        return Violation("Erase did not find a member", hash);
      }
      if (status.ok()) truth_.Remove(hash);
      TAMIS_RETURN_IF_ERROR(CheckSize("Erase"));
      return status;
    }
    return Unsupported();
  }

  // Adapts to `hash`, which may be a member: then the answer is kIsMember
  // (kNotFixed, if the filter can't know) or a violation.
  Result<AdaptOutcome> Adapt(KeyHash hash) {
    if constexpr (AdaptiveFilter<F>) {
      const bool before = filter_.MayContain(hash);
      const Result<AdaptOutcome> outcome = filter_.Adapt(hash);
      TAMIS_RETURN_IF_ERROR(CheckSize("Adapt"));
      if (truth_.Contains(hash)) {
        TAMIS_RETURN_IF_ERROR(CheckMember(hash, "Adapt"));
        const bool refused =
            CapabilitiesOf(filter_).knows_members
                ? outcome.status().code() == StatusCode::kIsMember
                : outcome.ok() && *outcome == AdaptOutcome::kNotFixed;
        if (!refused) {
          return Violation("Adapt of a member was not refused", hash);
        }
      } else if (outcome.ok()) {
        TAMIS_RETURN_IF_ERROR(CheckOutcome(hash, before, *outcome));
      }
      return outcome;
    }
    return Unsupported();
  }

  Status Expand() {
    if constexpr (ExpandableFilter<F>) return Resized(filter_.Expand());
    return Unsupported();
  }
  Status Contract() {
    if constexpr (ExpandableFilter<F>) return Resized(filter_.Contract());
    return Unsupported();
  }

  Status Merge(const Checked& other) {
    if constexpr (MergeableFilter<F>) {
      const Status status = filter_.Merge(other.filter_);
      if (status.ok()) AddAll(other.truth_.members());
      TAMIS_RETURN_IF_ERROR(CheckSize("Merge"));
      return status;
    }
    return Unsupported();
  }

  Status BulkLoad(const std::vector<KeyHash>& hashes) {
    if constexpr (BulkFilter<F>) {
      if (!CapabilitiesOf(filter_).bulk_load) return Unsupported();
      const Status status = filter_.BulkLoad(hashes);
      if (status.ok()) AddAll(hashes);
      TAMIS_RETURN_IF_ERROR(CheckSize("BulkLoad"));
      return status;
    }
    return Unsupported();
  }

  // Puts another filter in its place, which must stand for the same set: one
  // that was saved and loaded, say.
  Status Replace(F filter) {
    filter_ = std::move(filter);
    return CheckSize("Replace");
  }

  // Checks all of (C1) to (C4).  Linear.
  Status CheckAll() const {
    if (const Status status = filter_.CheckInvariants(); !status.ok()) {
      return status.WithContext("checked: CheckInvariants");
    }
    TAMIS_RETURN_IF_ERROR(CheckSize("CheckAll"));
    return CheckMembers();
  }

  // Checks (C1) for all members, by batches.
  Status CheckMembers() const {
    constexpr size_t kBatch = 256;
    bool results[kBatch];
    const std::span<const KeyHash> all(truth_.members());
    for (size_t begin = 0; begin < all.size(); begin += kBatch) {
      const auto batch =
          all.subspan(begin, std::min(kBatch, all.size() - begin));
      filter_.MayContain(batch, std::span(results, batch.size()));
      for (size_t i = 0; i < batch.size(); ++i) {
        if (!results[i]) return Violation("false negative", batch[i]);
        TAMIS_RETURN_IF_ERROR(CheckMember(batch[i], "CheckMembers"));
      }
    }
    return {};
  }

 private:
  static Status Unsupported() {
    return {StatusCode::kUnsupported, "the filter has no such operation"};
  }
  Status Violation(const std::string& what, KeyHash hash) const {
    return {StatusCode::kCorrupt, "checked: " + what + ": hash " +
                                      ToString(hash) + ", filter " +
                                      filter_.spec().ToString() + " of " +
                                      std::to_string(truth_.size()) + " keys"};
  }

  Status CheckMember(KeyHash hash, const char* after) const {
    if (filter_.MayContain(hash)) return {};
    return Violation(std::string("false negative after ") + after, hash);
  }

  Status CheckSize(const char* after) const {
    const uint64_t size = filter_.size();
    const FilterStats stats = filter_.stats();
    if (size == truth_.size() && stats.size == size) return {};
    return {StatusCode::kCorrupt,
            std::string("checked: after ") + after + " size() is " +
                std::to_string(size) + " and stats().size is " +
                std::to_string(stats.size) + ", but there are " +
                std::to_string(truth_.size()) + " members"};
  }

  // Only kNotFixed may leave a false positive; that kFixed and kReset remove
  // it is a statistical promise, which the conformance suite tests.
  Status CheckOutcome(KeyHash hash, bool before, AdaptOutcome outcome) const {
    if (before == (outcome == AdaptOutcome::kNothingToFix)) {
      return Violation("Adapt says '" + std::string(ToString(outcome)) +
                           "', but MayContain was " +
                           (before ? "true" : "false"),
                       hash);
    }
    if (outcome != AdaptOutcome::kNotFixed && filter_.MayContain(hash)) {
      return Violation("Adapt says '" + std::string(ToString(outcome)) +
                           "', but MayContain is true",
                       hash);
    }
    return {};
  }

  Status Resized(Status status) {
    TAMIS_RETURN_IF_ERROR(CheckSize("Expand or Contract"));
    TAMIS_RETURN_IF_ERROR(CheckMembers());
    return status;
  }

  void AddAll(const std::vector<KeyHash>& hashes) {
    for (const KeyHash hash : hashes) truth_.Add(hash);
  }

  F filter_;
  HashMultiset truth_;
};

// Says whether a status is a violation found by Checked, rather than the
// filter's own answer.
inline bool IsViolation(const Status& status) {
  return status.code() == StatusCode::kCorrupt;
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_CHECKED_H_
