// CachedFilter: any filter that does not learn, and a cache of its mistakes.
//
//   Result<AnyFilter> filter = AnyFilter::Create(
//       "cached(bloom:bits=12):bytes=65536,policy=lru", {.keys = 1'000'000});
//
//   MayContain(x)   the filter says no       no
//                   else, x in the cache     no, a known false positive
//                   else                     yes
//   Adapt(x)        puts x into the cache
//
// Where queries repeat, a few kilobytes save most of the reads that a static
// filter wastes, and nothing lies beside it: no mirror, no key source.
//
// Guarantee: no false negative, as long as Adapt is told of absent keys alone.
// The filter can't know: a member that it is told of is hidden, which is a
// false negative (as dangerous as Erase of a key that is not in the set).  A
// key that becomes a member later is taken out of the cache: by Insert,
// BulkLoad and Merge; by Merge all that the other filter may contain.
// Cost: an absent key costs what the filter inside costs; a positive answer one
// more line or two.
// Adversary: one who finds more false positives than the cache has room for
// gets them all wrong again by asking for them in turn.
// Full: the cache drops what its policy says; the filter is full as it is.
// Memory: what `bytes` says for the cache, beside the filter's own; all counts
// as memory that look-ups need.
//
// What it can do besides (Erase, Merge) is what the filter inside can.  That
// must not adapt itself, and is no cached one.
//
// Invariants (CheckInvariants): those of the filter, and (K1) to (K3) of
// internal/filters/cached/mistake_cache.h.
//
// Spec: cached(SPEC):bytes=65536,policy=lru; cached alone is cached(rsqf).
// Thread safety: const functions may run concurrently with one another: a
// look-up changes nothing but atomic notes of use.  Those are not saved.

#ifndef TAMIS_CACHED_H_
#define TAMIS_CACHED_H_

#include <cstdint>
#include <span>
#include <utility>

#include "tamis/any_filter.h"
#include "tamis/filter.h"
#include "tamis/internal/filters/cached/mistake_cache.h"
#include "tamis/key_hash.h"
#include "tamis/sizing.h"

namespace tamis {

class CachedFilter {
 public:
  static constexpr bool kKnowsMembers = false;

  static Result<CachedFilter> Create(const Spec& spec, uint64_t slots,
                                     const Hasher& hasher = Hasher());
  // cached(rsqf), with the room of its cache beside what `wanted` says.
  static Result<CachedFilter> Create(const KeysAndRate& wanted,
                                     const Hasher& hasher = Hasher()) {
    return internal::CreateSized<CachedFilter>("cached", wanted, hasher);
  }
  static Result<CachedFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                           const LoadOptions& options = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  Status BulkLoad(std::span<const KeyHash> hashes);
  Status Erase(KeyHash hash);
  Status Merge(const CachedFilter& other);
  bool MayContain(KeyHash hash) const {
    return filter_.MayContain(hash) && !cache_.Find(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // REQUIRES: `absent` is not in the set
  Result<AdaptOutcome> Adapt(KeyHash absent);

  uint64_t size() const { return filter_.size(); }
  uint64_t capacity() const { return filter_.capacity(); }
  uint64_t SizeBits() const { return filter_.SizeBits() + cache_.SizeBits(); }
  double ExpectedFpr() const { return filter_.ExpectedFpr(); }
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return filter_.hasher(); }
  Capabilities capabilities() const;
  Status CheckInvariants() const;

 private:
  CachedFilter(AnyFilter filter, internal::MistakeCache cache,
               uint64_t cache_bytes)
      : filter_(std::move(filter)),
        cache_(std::move(cache)),
        cache_bytes_(cache_bytes) {}
  Spec WithInner(const Spec& inner) const;

  AnyFilter filter_;
  internal::MistakeCache cache_;
  uint64_t cache_bytes_;  // as asked for
  uint64_t adapts_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_CACHED_H_
