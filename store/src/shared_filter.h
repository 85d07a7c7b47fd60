// SharedFilter: the filter of a family, for many threads, and its pages.
//
// This is the only file of the store that knows which filter there is:
//   growing        a ConcurrentTamis, one page a shard; readers never wait
//   made to size   a TamisFilter behind a lock for readers and writers, one page

#ifndef TAMIS_STORE_SRC_SHARED_FILTER_H_
#define TAMIS_STORE_SRC_SHARED_FILTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/store_options.h"

namespace tamis::internal {

// The bytes of one part of the filter, and which hashes it is about.
struct FilterPage {
  HashRange range;
  std::string bytes;
};

// Fails unless the pages follow each other from the first hash to the last.
Status CheckTiling(std::span<const FilterPage> pages);

class SharedFilter {
 public:
  // An empty filter; `keys` are about to come, if that is known.
  static Result<std::unique_ptr<SharedFilter>> Create(
      const StoreFilterOptions& options, uint64_t keys, const Hasher& hasher);
  // REQUIRES: the pages are in the order of their ranges, without a gap.
  static Result<std::unique_ptr<SharedFilter>> FromPages(
      const StoreFilterOptions& options, const std::vector<FilterPage>& pages,
      bool check_invariants);
  virtual ~SharedFilter() = default;

  virtual bool MayContain(KeyHash hash) const = 0;
  virtual void MayContain(std::span<const KeyHash> hashes,
                          std::span<bool> results) const = 0;
  virtual Status Insert(KeyHash hash) = 0;
  virtual Status Erase(KeyHash hash) = 0;
  virtual Status BulkLoad(std::span<const KeyHash> hashes) = 0;
  // Read before the members are; see Adapt of TamisFilter.
  virtual uint64_t num_erases(KeyHash hash) const = 0;
  virtual std::optional<HashRange> CollisionRange(KeyHash hash) const = 0;
  virtual Result<AdaptOutcome> Adapt(KeyHash absent,
                                     std::span<const KeyHash> members,
                                     uint64_t num_erases) = 0;
  virtual Status Rejuvenate(std::span<const KeyHash> members) = 0;

  // The hashes of the shard that holds `hash`, as it is now: others may split
  // it or join it with its neighbour.
  virtual HashRange ShardRange(KeyHash hash) const = 0;
  // The page of that shard.
  virtual Result<FilterPage> PageOf(KeyHash hash) const = 0;
  // All pages, in order.  REQUIRES: nobody changes the set of keys meanwhile.
  Result<std::vector<FilterPage>> AllPages() const;

  virtual uint64_t size() const = 0;
  virtual FilterStats stats() const = 0;
  virtual const Hasher& hasher() const = 0;
  // Reads that gave up and said maybe.
  virtual uint64_t num_forced_maybes() const = 0;
  virtual Status CheckInvariants() const = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_SHARED_FILTER_H_
