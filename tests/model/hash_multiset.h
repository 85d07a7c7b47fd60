// HashMultiset: the truth that a filter is compared with.
//
// A multiset of hashes from which a random member can be drawn in constant
// time: the members stand in a vector, in no particular order, and a map says
// at which places each one stands.

#ifndef TAMIS_TESTS_MODEL_HASH_MULTISET_H_
#define TAMIS_TESTS_MODEL_HASH_MULTISET_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tamis/key_hash.h"

namespace tamis::testing {

struct HashOfKeyHash {
  size_t operator()(const KeyHash& hash) const { return hash.low; }
};

class HashMultiset {
 public:
  void Add(KeyHash hash) {
    places_[hash].push_back(members_.size());
    members_.push_back(hash);
  }

  // Removes one occurrence; the last member moves to its place.
  // Returns false if there is none.
  bool Remove(KeyHash hash) {
    const auto found = places_.find(hash);
    if (found == places_.end()) return false;
    const size_t hole = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) places_.erase(found);
    MoveLastTo(hole);
    return true;
  }

  bool Contains(KeyHash hash) const { return places_.contains(hash); }
  uint64_t size() const { return members_.size(); }
  bool empty() const { return members_.empty(); }
  KeyHash At(uint64_t index) const { return members_[index]; }
  const std::vector<KeyHash>& members() const { return members_; }

 private:
  void MoveLastTo(size_t hole) {
    const size_t last = members_.size() - 1;
    if (hole != last) {
      std::vector<size_t>& places = places_[members_[last]];
      const auto moved = std::find(places.begin(), places.end(), last);
      assert(moved != places.end());
      *moved = hole;
      members_[hole] = members_[last];
    }
    members_.pop_back();
  }

  std::vector<KeyHash> members_;
  std::unordered_map<KeyHash, std::vector<size_t>, HashOfKeyHash> places_;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_HASH_MULTISET_H_
