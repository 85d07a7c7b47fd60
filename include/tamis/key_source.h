// Key sources: what an adaptive filter may ask of the set it stands for.
//
// A filter forgets its keys.  To fix a false positive it must learn which
// member a fingerprint belongs to, and nothing but the set itself (a database,
// or a copy of its hashes) can tell.  There are three ways to know:
//
//   mirror   the filter keeps the hash of each slot's key beside it, 16 bytes
//            a slot (internal/keys/slot_mirror.h).  Exact and self-contained.
//   source   the filter keeps nothing; it asks the set for all members in a
//            range of hashes.  The set must be sorted by hash: a home, or a
//            fingerprint, is then one interval, so one seek in a database.
//   caller   the filter keeps nothing and asks nobody; whoever calls Adapt
//            brings the members that its own read returned (AdaptsWithMembers
//            in filter.h).
//
// The contract of a source:
//   (S1) ForEachInRange(low, high, visit) calls visit(hash) for every member
//        in [low, high], ascending; one inserted twice, twice.  It stops when
//        visit says so, which is no error.  It may fail: then the filter is
//        as it was, and hands on the status.
//   (S2) The filter contains the source, always: a key goes into the filter
//        first and into the source second, out of the source first and out of
//        the filter last.
//   (S3) It outlives the filter.
// A source that lacks members is safe: what has no known partner stays as it
// is.  One with a key that the filter lacks can take another member's entry for
// it, and that member is lost; the filter reports what it notices as kCorrupt.
// The same holds for a list that the caller brings.
//
// Thread safety: as the filter's.  The source may be changed by others while
// the filter reads it, as long as (S2) holds.

#ifndef TAMIS_KEY_SOURCE_H_
#define TAMIS_KEY_SOURCE_H_

#include <concepts>
#include <cstdint>
#include <map>
#include <type_traits>

#include "tamis/key_hash.h"
#include "tamis/status.h"

namespace tamis {

struct HashRange {  // both ends belong to it
  KeyHash low;
  KeyHash high;

  bool Contains(KeyHash hash) const { return low <= hash && hash <= high; }
  friend bool operator==(const HashRange&, const HashRange&) = default;
};
inline constexpr HashRange kAllHashes = {{0, 0}, {~uint64_t{0}, ~uint64_t{0}}};

// What ForEachInRange calls: a borrowed function of one KeyHash.  One that
// returns a bool stops the visits by false; one that returns nothing goes on.
class HashVisitor {
 public:
  template <typename Function>
  requires std::invocable<Function&, KeyHash> &&
      (!std::same_as<std::remove_cvref_t<Function>, HashVisitor>)
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      HashVisitor(Function&& function)
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, KeyHash hash) {
          auto& call = *static_cast<std::remove_reference_t<Function>*>(object);
          if constexpr (std::same_as<decltype(call(hash)), bool>) {
            return call(hash);
          } else {
            call(hash);
            return true;
          }
        }) {}

  // False: that was enough.
  bool operator()(KeyHash hash) const { return call_(object_, hash); }

 private:
  void* object_;
  bool (*call_)(void*, KeyHash);
};

template <typename S>
concept OrderedKeySource = requires(const S& source, KeyHash low, KeyHash high,
                                    HashVisitor visit) {
  { source.ForEachInRange(low, high, visit) } -> std::same_as<Status>;
};

// A borrowed source of any type.  Empty by default: no source.
class KeySourceRef {
 public:
  KeySourceRef() = default;
  template <OrderedKeySource S>
  requires(!std::same_as<S, KeySourceRef>)
      // NOLINTNEXTLINE(google-explicit-constructor)
      KeySourceRef(const S& source)
      : object_(&source),
        for_each_([](const void* object, KeyHash low, KeyHash high,
                     HashVisitor visit) {
          return static_cast<const S*>(object)->ForEachInRange(low, high,
                                                               visit);
        }) {}

  explicit operator bool() const { return object_ != nullptr; }
  // REQUIRES: not empty
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    return for_each_(object_, low, high, visit);
  }

 private:
  const void* object_ = nullptr;
  Status (*for_each_)(const void*, KeyHash, KeyHash, HashVisitor) = nullptr;
};

// The source in memory, a sorted multiset of hashes: for tests, for small
// sets, and as the model of what a database has to do.
class SortedSource {
 public:
  void Add(KeyHash hash) { ++counts_[hash]; }
  // Removes one occurrence; false if there is none.
  bool Remove(KeyHash hash) {
    const auto at = counts_.find(hash);
    if (at == counts_.end()) return false;
    if (--at->second == 0) counts_.erase(at);
    return true;
  }
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    for (auto at = counts_.lower_bound(low);
         at != counts_.end() && at->first <= high; ++at) {
      for (uint64_t i = 0; i < at->second; ++i) {
        if (!visit(at->first)) return {};
      }
    }
    return {};
  }

 private:
  std::map<KeyHash, uint64_t> counts_;
};
static_assert(OrderedKeySource<SortedSource>);

namespace internal {

// What Adapt with the caller's members says to an old count of erases.
inline Status ErasedSinceTheRead() {
  return {StatusCode::kStale,
          "a key was erased since the members were read: read them again"};
}

}  // namespace internal

}  // namespace tamis

#endif  // TAMIS_KEY_SOURCE_H_
