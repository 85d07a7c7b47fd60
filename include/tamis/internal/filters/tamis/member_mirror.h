// MemberMirror: the hashes of all members, in order, in memory.
//
// It is a key source (key_source.h) that the filter keeps itself: exact and
// simple, at some 20 bytes a member.  Hashes are dealt to buckets by their
// first bits, 32 to 64 in each, sorted; twice the buckets when they are full.
//
//   first bits   000        001        010     ...
//   bucket       [h h h]    [h h h h]  [h h]
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tamis/key_hash.h"

namespace tamis::internal {

class MemberMirror {
 public:
  uint64_t size() const { return size_; }
  void Add(KeyHash hash) {
    if (size_ >= kPerBucket * buckets_.size()) Split();
    Bucket& bucket = buckets_[IndexOf(hash)];
    bucket.insert(std::upper_bound(bucket.begin(), bucket.end(), hash), hash);
    ++size_;
  }
  bool Contains(KeyHash hash) const {
    const Bucket& bucket = buckets_[IndexOf(hash)];
    return std::binary_search(bucket.begin(), bucket.end(), hash);
  }
  // REQUIRES: Contains(hash)
  void Remove(KeyHash hash) {
    Bucket& bucket = buckets_[IndexOf(hash)];
    bucket.erase(std::lower_bound(bucket.begin(), bucket.end(), hash));
    --size_;
  }
  // Returns all members in [low, high], ascending.
  std::vector<KeyHash> Range(KeyHash low, KeyHash high) const {
    std::vector<KeyHash> found;
    for (size_t i = IndexOf(low); i <= IndexOf(high); ++i) {
      const Bucket& bucket = buckets_[i];
      auto at = std::lower_bound(bucket.begin(), bucket.end(), low);
      for (; at != bucket.end() && *at <= high; ++at) found.push_back(*at);
    }
    return found;
  }
  std::vector<KeyHash> All() const {
    return Range({0, 0}, {~uint64_t{0}, ~uint64_t{0}});
  }
  uint64_t SizeBits() const {
    uint64_t bytes = buckets_.capacity() * sizeof(Bucket);
    for (const Bucket& bucket : buckets_) {
      bytes += bucket.capacity() * sizeof(KeyHash);
    }
    return 8 * bytes;
  }

 private:
  using Bucket = std::vector<KeyHash>;
  static constexpr uint64_t kPerBucket = 64;

  size_t IndexOf(KeyHash hash) const {
    return bits_ == 0 ? 0 : static_cast<size_t>(hash.high >> (64 - bits_));
  }
  void Split() {
    std::vector<Bucket> old(2 * buckets_.size());
    old.swap(buckets_);
    ++bits_;
    for (const Bucket& bucket : old) {
      for (const KeyHash hash : bucket) buckets_[IndexOf(hash)].push_back(hash);
    }
  }

  int bits_ = 0;
  uint64_t size_ = 0;
  std::vector<Bucket> buckets_ = std::vector<Bucket>(1);
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_MEMBER_MIRROR_H_
