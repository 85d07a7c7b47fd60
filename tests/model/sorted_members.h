// SortedMembers: the truth that a tamis filter is compared with, a multiset of
// hashes in order, so that it can say who is in a range.

#ifndef TAMIS_TESTS_MODEL_SORTED_MEMBERS_H_
#define TAMIS_TESTS_MODEL_SORTED_MEMBERS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "tamis/key_hash.h"
#include "tamis/key_source.h"

namespace tamis::testing {

class SortedMembers {
 public:
  bool empty() const { return size_ == 0; }
  uint64_t size() const { return size_; }
  bool Contains(KeyHash hash) const { return counts_.contains(hash); }
  // Each member once, and how often it is there.
  const std::map<KeyHash, uint64_t>& counts() const { return counts_; }

  void Add(KeyHash hash) {
    ++counts_[hash];
    ++size_;
  }
  // REQUIRES: it is there
  void Remove(KeyHash hash) {
    const auto found = counts_.find(hash);
    if (--found->second == 0) counts_.erase(found);
    --size_;
  }
  // All of a range, each as often as it is there.
  std::vector<KeyHash> In(const HashRange& range) const {
    std::vector<KeyHash> members;
    for (auto at = counts_.lower_bound(range.low);
         at != counts_.end() && at->first <= range.high; ++at) {
      members.insert(members.end(), at->second, at->first);
    }
    return members;
  }
  // REQUIRES of both: !empty()
  template <typename Random>
  KeyHash Any(Random& random) const {
    const auto at = counts_.lower_bound({random(), random()});
    return at == counts_.end() ? counts_.begin()->first : at->first;
  }
  // So many members at most, each at most as often as it is there.
  template <typename Random>
  std::vector<KeyHash> Some(uint64_t most, Random& random) const {
    std::map<KeyHash, uint64_t> some;
    for (uint64_t i = 1 + random() % most; i > 0; --i) {
      const KeyHash member = Any(random);
      some[member] = 1 + random() % counts_.at(member);
    }
    std::vector<KeyHash> keys;
    for (const auto& [key, count] : some) keys.insert(keys.end(), count, key);
    return keys;
  }

 private:
  std::map<KeyHash, uint64_t> counts_;
  uint64_t size_ = 0;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_SORTED_MEMBERS_H_
