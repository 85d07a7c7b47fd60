// cached(SPEC): a filter that never learns, and a cache of its known mistakes.
//
// What people use today where an adaptive filter would do: part of the memory
// goes into a small cache of keys that were found to be false positives.
//
//   cached(bloom:bits=11.9):entries=4096,policy=lru
//
//   MayContain(x)   the filter says no       no
//                   else, x in the cache     no, a known false positive
//                   else                     yes
//   Adapt(x)        puts x into the cache
//
// The cache is set-associative: the hash of a key chooses one of entries/8
// sets, which holds up to 8 keys.
//
//   set   [ hash | hash | hash | hash | hash | hash | hash | hash ]
//
//   policy=lru    a set is ordered by last use; a new key takes the place of
//                 the one that was not asked for longest.  128 bits an entry
//   policy=topk   Space-Saving (Metwally et al. 2005) in each set: an entry has
//                 a count; a hit adds 1, a new key takes the place of the
//                 smallest count c and has c + 1.  A key among the most frequent
//                 of its set stays.  160 bits an entry
//
// An entry is the whole 128-bit hash.  Anything shorter could equal a member's
// and hide it: a false negative.  Insert takes the new member out of the cache.
//
// It is here to be compared with and no part of the library: a hit changes the
// order of the cache, so MayContain, though const, is not for two threads.

#ifndef TAMIS_TOOLS_COMPARE_CACHED_FILTER_H_
#define TAMIS_TOOLS_COMPARE_CACHED_FILTER_H_

#include <cstdint>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/parameter.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis::tools {

// What cached(SPEC) takes of a user; a budget makes `entries` of the share.
inline constexpr Parameter kCachedParameters[] = {
    WholeNumber("share", 5, {1, 99}, "percent of the memory for the cache"),
    OneOf("policy", "lru|topk", "which mistakes the cache keeps")};

class MistakeCache {
 public:
  enum class Policy { kLru, kTopK };
  static constexpr uint64_t kWays = 8;

  // `entries` is rounded down to whole sets, but to one at least.
  MistakeCache(uint64_t entries, Policy policy);

  // Says whether `hash` is cached, and counts that as a use of it.
  bool Find(KeyHash hash);
  void Add(KeyHash hash);
  void Remove(KeyHash hash);

  uint64_t entries() const { return hashes_.size(); }
  Policy policy() const { return policy_; }
  uint64_t SizeBits() const { return entries() * BitsPerEntry(policy_); }
  static uint64_t BitsPerEntry(Policy policy) {
    return policy == Policy::kLru ? 128 : 160;
  }

 private:
  uint64_t SetOf(KeyHash hash) const;
  // Returns where in its set `hash` is; kWays if it is not.
  uint64_t WayOf(uint64_t set, KeyHash hash) const;
  void MoveToFront(uint64_t set, uint64_t way);
  uint64_t LeastCounted(uint64_t set) const;

  Policy policy_;
  std::vector<KeyHash> hashes_;   // KeyHash() where there is none
  std::vector<uint32_t> counts_;  // kTopK only; they stop at the highest
};

// Makes what `spec` names: AnyFilter::Create, and cached(SPEC) besides, with
// `slots` slots of the filter inside.
Result<AnyFilter> CreateComparable(const Spec& spec, uint64_t slots,
                                   const Hasher& hasher);

// Reads `policy` of a cached spec.
Result<MistakeCache::Policy> PolicyOf(const Spec& spec);
// The reverse: the spec of a cache of so many entries around the filter `inner`.
Spec CachedSpec(const Spec& inner, uint64_t entries,
                MistakeCache::Policy policy);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_CACHED_FILTER_H_
