// Key sources: what an adaptive filter may ask of the set it stands for.
//
// A filter forgets its keys.  To fix a false positive it must learn which
// member a fingerprint belongs to, and nothing but the set itself (a database,
// or a copy of its hashes) can tell.  There are two ways to ask:
//
//   mirror   the filter keeps the hash of each slot's key beside it, 16 bytes
//            a slot (internal/keys/slot_mirror.h).  Exact and self-contained.
//   source   the filter keeps nothing; it asks the set for all members in a
//            range of hashes.  The set must be sorted by hash: a home, or a
//            fingerprint, is then one interval, so one seek in a database.
//
// The contract of a source:
//   (S1) ForEachInRange(low, high, visit) calls visit(hash) for every member
//        in [low, high], ascending; one inserted twice, twice.
//   (S2) The owner adds a key to it before Insert, and removes it after Erase.
//   (S3) It changes at no other time, and outlives the filter.
// A source that breaks it can make the filter forget members; the filter
// reports what it notices as kCorrupt.
//
// Thread safety: as the filter's.

#ifndef TAMIS_KEY_SOURCE_H_
#define TAMIS_KEY_SOURCE_H_

#include <concepts>
#include <cstdint>
#include <map>
#include <type_traits>

#include "tamis/key_hash.h"

namespace tamis {

// What ForEachInRange calls: a borrowed function of one KeyHash.
class HashVisitor {
 public:
  template <typename Function>
  requires std::invocable<Function&, KeyHash> &&
      (!std::same_as<std::remove_cvref_t<Function>, HashVisitor>)
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      HashVisitor(Function&& function)
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, KeyHash hash) {
          (*static_cast<std::remove_reference_t<Function>*>(object))(hash);
        }) {}

  void operator()(KeyHash hash) const { call_(object_, hash); }

 private:
  void* object_;
  void (*call_)(void*, KeyHash);
};

template <typename S>
concept OrderedKeySource = requires(const S& source, KeyHash low, KeyHash high,
                                    HashVisitor visit) {
  source.ForEachInRange(low, high, visit);
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
          static_cast<const S*>(object)->ForEachInRange(low, high, visit);
        }) {}

  explicit operator bool() const { return object_ != nullptr; }
  // REQUIRES: not empty
  void ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    for_each_(object_, low, high, visit);
  }

 private:
  const void* object_ = nullptr;
  void (*for_each_)(const void*, KeyHash, KeyHash, HashVisitor) = nullptr;
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
  void ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    for (auto at = counts_.lower_bound(low);
         at != counts_.end() && at->first <= high; ++at) {
      for (uint64_t i = 0; i < at->second; ++i) visit(at->first);
    }
  }

 private:
  std::map<KeyHash, uint64_t> counts_;
};
static_assert(OrderedKeySource<SortedSource>);

}  // namespace tamis

#endif  // TAMIS_KEY_SOURCE_H_
