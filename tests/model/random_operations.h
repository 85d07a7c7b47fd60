// Random sequences of operations on a Checked filter.
//
//   RandomOperations<F> operations(Checked<F>(filter), hooks, options);
//   Status status = operations.Run(choices, 2000);
//
// Each step draws an operation by its weight among those that the filter has,
// draws its arguments, applies it to the filter and to the truth, and compares
// them.  Everything is drawn from one `Choices`: a seeded generator in tests,
// the input's bytes in a fuzzer.  A failure names the step and the operation.
//
// Keys come from a universe not much larger than the filter, so that keys are
// inserted twice, erased and inserted again.  Erased are members only.
// Hooks say how to make another, empty filter like this one (for merge and
// bulk load), and how to save and load one.

#ifndef TAMIS_TESTS_MODEL_RANDOM_OPERATIONS_H_
#define TAMIS_TESTS_MODEL_RANDOM_OPERATIONS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/checked.h"
#include "tamis/kind.h"

namespace tamis::testing {

// Returns a number below its argument, which is not 0.
using Choices = std::function<uint64_t(uint64_t limit)>;

inline Choices SeededChoices(uint64_t seed) {
  return [random = std::mt19937_64(seed)](uint64_t limit) mutable {
    return random() % limit;
  };
}

enum class Operation {
  kInsert,
  kErase,
  kQuery,
  kAdapt,
  kAdaptMember,
  kExpand,
  kContract,
  kMerge,
  kBulkLoad,
  kReload,
};
inline constexpr std::array<const char*, 10> kOperationNames = {
    "insert", "erase",    "query", "adapt",     "adapt a member",
    "expand", "contract", "merge", "bulk load", "reload"};

struct RandomOptions {
  // In the order of Operation; 0 leaves an operation out.
  std::array<uint64_t, 10> weights = {400, 200, 100, 200, 10, 4, 4, 5, 5, 10};
  // Every `phase` steps the weights of insert and erase change places, so
  // that the filter is filled, emptied and filled again.
  uint64_t phase = 400;
  uint64_t universe = 4000;      // number of different keys
  uint64_t max_capacity = 8192;  // Expand only below it
  // CheckAll is linear: after every step while the capacity is at most
  // `small_capacity`, else every `check_every` steps and at the end.
  uint64_t small_capacity = 1000;
  uint64_t check_every = 2000;
};

template <FilterType F>
struct RandomHooks {
  std::function<Result<F>()> make_empty;
  std::function<Result<F>(const F&)> reload;
};

// Adapt of a member would hide it: that can't be tried.
inline bool TrustsAdapt(const Spec& spec) {
  const auto kind = FindKind(spec);
  return kind.ok() && (*kind)->trusts_adapt;
}

template <FilterType F>
class RandomOperations {
 public:
  RandomOperations(Checked<F> checked, RandomHooks<F> hooks,
                   const RandomOptions& options = {})
      : checked_(std::move(checked)),
        hooks_(std::move(hooks)),
        options_(options) {
    const Capabilities can = CapabilitiesOf(checked_.filter());
    Keep(can.erase, Operation::kErase);
    Keep(can.adapt, Operation::kAdapt);
    Keep(can.adapt && !TrustsAdapt(checked_.filter().spec()),
         Operation::kAdaptMember);
    Keep(can.expand, Operation::kExpand);
    Keep(can.expand, Operation::kContract);
    Keep(can.merge && hooks_.make_empty, Operation::kMerge);
    Keep(can.bulk_load && hooks_.make_empty, Operation::kBulkLoad);
    Keep(static_cast<bool>(hooks_.reload), Operation::kReload);
  }

  const Checked<F>& checked() const { return checked_; }
  uint64_t steps() const { return steps_; }
  // How often an operation succeeded: a test that never did anything is none.
  uint64_t done(Operation operation) const {
    return done_[static_cast<size_t>(operation)];
  }

  // Takes `steps` steps; returns the first violation.
  Status Run(Choices choices, uint64_t steps) {
    for (uint64_t i = 0; i < steps; ++i) {
      TAMIS_RETURN_IF_ERROR(Step(choices));
    }
    return checked_.CheckAll();
  }

  Status Step(Choices& choose) {
    const Operation operation = Draw(choose);
    ++steps_;
    Status status = Apply(operation, choose);
    if (status.ok()) ++done_[static_cast<size_t>(operation)];
    if (!IsViolation(status) && CheckIsDue()) status = checked_.CheckAll();
    if (!IsViolation(status)) return {};
    return status.WithContext("step " + std::to_string(steps_) + ", " +
                              kOperationNames[static_cast<size_t>(operation)]);
  }

 private:
  void Keep(bool keep, Operation operation) {
    if (!keep) options_.weights[static_cast<size_t>(operation)] = 0;
  }

  bool CheckIsDue() const {
    return checked_.filter().capacity() <= options_.small_capacity ||
           steps_ % options_.check_every == 0;
  }

  Operation Draw(Choices& choose) const {
    std::array<uint64_t, 10> weights = options_.weights;
    if (weights[1] != 0 && steps_ / options_.phase % 2 == 1) {
      std::swap(weights[0], weights[1]);
    }
    uint64_t sum = 0;
    for (const uint64_t weight : weights) sum += weight;
    uint64_t ticket = choose(sum);
    size_t operation = 0;
    while (ticket >= weights[operation]) ticket -= weights[operation++];
    return static_cast<Operation>(operation);
  }

  Status Apply(Operation operation, Choices& choose) {
    switch (operation) {
      case Operation::kInsert:
        return checked_.Insert(AnyKey(choose));
      case Operation::kErase:
        return WithMember(choose, [&](KeyHash h) { return checked_.Erase(h); });
      case Operation::kQuery:
        return checked_.MayContain(AnyKey(choose)).status();
      case Operation::kAdapt:
        return Adapt(choose);
      case Operation::kAdaptMember:
        return WithMember(
            choose, [&](KeyHash h) { return checked_.Adapt(h).status(); });
      case Operation::kExpand:
        return MayGrow() ? checked_.Expand() : Skipped();
      case Operation::kContract:
        return checked_.Contract();
      case Operation::kMerge:
        return Merge(choose);
      case Operation::kBulkLoad:
        return BulkLoad(choose);
      case Operation::kReload:
        return Reload();
    }
    return {};
  }

  static Status Skipped() {
    return {StatusCode::kUnsupported, "not possible at this step"};
  }
  bool MayGrow() const {
    return checked_.filter().capacity() < options_.max_capacity;
  }
  KeyHash AnyKey(Choices& choose) const {
    return checked_.filter().hasher().Hash(choose(options_.universe));
  }

  template <typename Function>
  Status WithMember(Choices& choose, Function function) {
    const HashMultiset& truth = checked_.truth();
    return truth.empty() ? Skipped() : function(truth.At(choose(truth.size())));
  }

  // Looks for a false positive, in the universe and beyond, and adapts to it.
  // Most tries find none and adapt to a key that needs nothing.
  Status Adapt(Choices& choose) {
    constexpr int kTries = 100;
    KeyHash hash = AnyKey(choose);
    const uint64_t first = choose(~uint64_t{0});
    for (int i = 0; i < kTries && !IsFalsePositive(hash); ++i) {
      hash = checked_.filter().hasher().Hash(first + static_cast<uint64_t>(i));
    }
    if (checked_.truth().Contains(hash)) return Skipped();
    return checked_.Adapt(hash).status();
  }
  bool IsFalsePositive(KeyHash hash) const {
    return checked_.filter().MayContain(hash) &&
           !checked_.truth().Contains(hash);
  }

  // Returns a few keys, at most an eighth of the capacity.
  std::vector<KeyHash> SomeKeys(Choices& choose) const {
    std::vector<KeyHash> keys(choose(checked_.filter().capacity() / 8 + 1));
    for (KeyHash& key : keys) key = AnyKey(choose);
    return keys;
  }

  Status Merge(Choices& choose) {
    TAMIS_ASSIGN_OR_RETURN(F empty, hooks_.make_empty());
    Checked<F> other(std::move(empty));
    for (const KeyHash key : SomeKeys(choose)) {
      const Status status = other.Insert(key);
      if (IsViolation(status)) return status;
    }
    return checked_.Merge(other);
  }

  // Into an empty filter, compared there, and into the filter itself.
  Status BulkLoad(Choices& choose) {
    TAMIS_ASSIGN_OR_RETURN(F empty, hooks_.make_empty());
    Checked<F> fresh(std::move(empty));
    const std::vector<KeyHash> keys = SomeKeys(choose);
    const Status status = fresh.BulkLoad(keys);
    if (IsViolation(status)) return status;
    TAMIS_RETURN_IF_ERROR(fresh.CheckAll());
    return checked_.BulkLoad(keys);
  }

  Status Reload() {
    Result<F> loaded = hooks_.reload(checked_.filter());
    if (!loaded.ok()) {
      return {StatusCode::kCorrupt,
              "can't be loaded: " + loaded.status().ToString()};
    }
    TAMIS_RETURN_IF_ERROR(checked_.Replace(std::move(loaded).value()));
    return checked_.CheckMembers();
  }

  Checked<F> checked_;
  RandomHooks<F> hooks_;
  RandomOptions options_;
  uint64_t steps_ = 0;
  std::array<uint64_t, 10> done_ = {};
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_RANDOM_OPERATIONS_H_
