// SharedFilter: the filter of a family, for many threads, and its pages.
//
// This is the only file of the store that knows which filter there is.

#ifndef TAMIS_STORE_SRC_SHARED_FILTER_H_
#define TAMIS_STORE_SRC_SHARED_FILTER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/store_options.h"
#include "tamis/tamis_filter.h"

namespace tamis::internal {

// The bytes of one part of the filter, and which hashes it is about.
struct FilterPage {
  HashRange range;
  std::string bytes;
};

class SharedFilter {
 public:
  // An empty filter; `keys` are about to come, if that is known.
  static Result<std::unique_ptr<SharedFilter>> Create(
      const StoreFilterOptions& options, uint64_t keys, const Hasher& hasher);
  // REQUIRES: the pages are in the order of their ranges.
  static Result<std::unique_ptr<SharedFilter>> FromPages(
      std::vector<FilterPage> pages, bool check_invariants);

  explicit SharedFilter(TamisFilter filter) : filter_(std::move(filter)) {}

  bool MayContain(KeyHash hash) const {
    const std::shared_lock lock(mutex_);
    return filter_.MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    const std::shared_lock lock(mutex_);
    filter_.MayContain(hashes, results);
  }
  Status Insert(KeyHash hash) {
    const std::unique_lock lock(mutex_);
    return filter_.Insert(hash);
  }
  Status Erase(KeyHash hash) {
    const std::unique_lock lock(mutex_);
    return filter_.Erase(hash);
  }
  Status BulkLoad(std::span<const KeyHash> hashes) {
    const std::unique_lock lock(mutex_);
    return filter_.BulkLoad(hashes);
  }
  uint64_t num_erases(KeyHash) const {
    const std::shared_lock lock(mutex_);
    return filter_.num_erases();
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const {
    const std::shared_lock lock(mutex_);
    return filter_.CollisionRange(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) {
    const std::unique_lock lock(mutex_);
    return filter_.Adapt(absent, members, num_erases);
  }
  Status Rejuvenate(std::span<const KeyHash> members) {
    const std::unique_lock lock(mutex_);
    return filter_.Rejuvenate(members);
  }

  // All pages, in order.  REQUIRES: nobody changes the set of keys meanwhile.
  Result<std::vector<FilterPage>> Pages() const;

  uint64_t size() const {
    const std::shared_lock lock(mutex_);
    return filter_.size();
  }
  FilterStats stats() const {
    const std::shared_lock lock(mutex_);
    return filter_.stats();
  }
  const Hasher& hasher() const { return filter_.hasher(); }
  // Reads that gave up and said maybe.
  uint64_t num_forced_maybes() const { return 0; }
  Status CheckInvariants() const {
    const std::shared_lock lock(mutex_);
    return filter_.CheckInvariants();
  }

 private:
  mutable std::shared_mutex mutex_;
  TamisFilter filter_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_SHARED_FILTER_H_
