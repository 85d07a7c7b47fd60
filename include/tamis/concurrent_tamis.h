// ConcurrentTamis: the tamis filter for any number of threads, reading and
// writing at once.
//
// Shards that split, as in sharded_tamis.h.  Each has a mutex for its writers
// and a sequence counter for its readers:
//
//   writer    lock; work out the new lines aside;
//             counter odd; store the words that differ; counter even; unlock
//   reader    counter even?  read the line; counter as before?  answer.
//             Otherwise again, up to 8 times; then the answer is *maybe*
//
// A filter may say maybe, so readers never wait: not for a writer that grows a
// shard (the new table is made aside, the old one read meanwhile), and not for
// one that was descheduled at a bad moment.  How often that costs a forced maybe
// is counted in stats.  A caller whose "yes" is dear gives a time to try for.
//
//   guarantee   no false negative: a key whose Insert returned before a look-up
//               began is found by it
//   Adapt       takes the members that the caller read; a count of erases, read
//               before them, tells whether they are members still
//   memory      what readers may still be reading is freed a little later
//   blocking    Insert, Erase, Adapt and the like wait for writers of the same
//               shard, num_erases(hash) and CollisionRange too
//
// Thread safety: all functions but moving and destroying it, from any thread.
// See docs/design/sharded.md.

#ifndef TAMIS_CONCURRENT_TAMIS_H_
#define TAMIS_CONCURRENT_TAMIS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/sharded_tamis.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis {

namespace internal {
class ConcurrentShards;
}  // namespace internal

class ConcurrentTamis {
 public:
  using Members = TamisFilter::Members;
  using Options = ShardedTamis::Options;

  static Result<ConcurrentTamis> Create(const Options& options,
                                        const Hasher& hasher = Hasher());
  static Result<ConcurrentTamis> Create(const KeysAndRate& wanted,
                                        const Hasher& hasher = Hasher()) {
    return internal::CreateSized<ConcurrentTamis>("tamis:threads=yes", wanted,
                                                  hasher);
  }
  // `spec` is the TamisFilter's with threads=yes.
  static Result<ConcurrentTamis> Create(const Spec& spec, uint64_t slots,
                                        const Hasher& hasher,
                                        KeySourceRef source = {});
  static bool IsFor(const Spec& spec);
  // From the form for one thread.
  static Result<ConcurrentTamis> From(ShardedTamis filter);
  ConcurrentTamis(ConcurrentTamis&& other) noexcept;
  ConcurrentTamis& operator=(ConcurrentTamis&& other) noexcept;
  ~ConcurrentTamis();

  // A copy of the state, shard by shard: each as it was at one time.
  internal::Snapshot ToSnapshot() const;
  static Result<ConcurrentTamis> FromSnapshot(
      const internal::Snapshot& snapshot, const LoadOptions& load = {});
  // As ShardedTamis's; the writers of a shard wait while it is visited.
  Status ForEachShard(
      const std::function<Status(const HashRange&, std::string_view bytes)>&
          visit) const;
  // The same for the shard of one hash, and which hashes that is about just now.
  Status VisitShard(
      KeyHash hash,
      const std::function<Status(const HashRange&, std::string_view bytes)>&
          visit) const;
  HashRange ShardRange(KeyHash hash) const;
  static Result<ConcurrentTamis> FromShards(std::span<const ShardPage> pages,
                                            const Options& options,
                                            const LoadOptions& load = {});

  Status Insert(KeyHash hash);
  Status Erase(KeyHash hash);
  bool MayContain(KeyHash hash) const;
  // The same, trying for so long before it is forced to say maybe.
  bool MayContain(KeyHash hash, std::chrono::nanoseconds retry) const;
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Inserts, and says what MayContain would have said just before.
  Result<bool> TestAndInsert(KeyHash hash);
  // Inserts all, with several threads; after an error some of them stay.
  Status BulkLoad(std::span<const KeyHash> hashes);
  // Adds all keys of `other`, or none, as ShardedTamis::Merge; writers wait.
  Status Merge(const ConcurrentTamis& other);

  // Erases until now: of all shards, or up to the last of a hash's shard.  Read
  // before the members are.
  uint64_t num_erases() const;
  uint64_t num_erases(KeyHash hash) const;
  std::optional<HashRange> CollisionRange(KeyHash hash) const;
  // kStale if the shard of `absent` has had an erase since either count was
  // `num_erases`.
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases);
  // With the members that the mirror or the source names.
  Result<AdaptOutcome> Adapt(KeyHash absent);
  void Forget(uint64_t extensions);
  Status Rejuvenate(KeyHash hash);
  Status Rejuvenate(std::span<const KeyHash> members);
  Status RejuvenateAll();

  // One step, or its reverse, of every shard.
  Status Expand();
  Status Contract();

  uint64_t size() const;
  uint64_t capacity() const;
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  // Look-ups that said maybe because writers were in the way.
  uint64_t num_forced() const;
  Spec spec() const;
  const Hasher& hasher() const;
  const Options& options() const;
  Status CheckInvariants() const;
  Capabilities capabilities() const;

 private:
  explicit ConcurrentTamis(std::unique_ptr<internal::ConcurrentShards> shards);
  // Of the shard of a hash; returns its range.
  Result<HashRange> RejuvenateFromSource(KeyHash first);
  Status LoadRange(std::span<const KeyHash> sorted, size_t threads);
  static std::vector<std::pair<internal::ShardPlace, TamisFilter>> LeavesOf(
      ShardedTamis::Shards shards);

  std::unique_ptr<internal::ConcurrentShards> shards_;
};

}  // namespace tamis

#endif  // TAMIS_CONCURRENT_TAMIS_H_
