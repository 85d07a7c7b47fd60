// HashList: a set of whole hashes in the host's memory.
//
//   places   [ hash ][ free ][ hash ][ hash ][ free ] ...   a power of two
//
// A hash is at the place that its low word says, or behind it; all places in
// between are taken (linear probing, at most half of them).  A free place is
// KeyHash(); that hash itself is noted beside the places.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_HASH_LIST_H_
#define TAMIS_INTERNAL_FILTERS_HASH_LIST_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/key_hash.h"
#include "tamis/status.h"

namespace tamis::internal {

class HashList {
 public:
  uint64_t size() const { return size_; }
  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }

  bool Contains(KeyHash hash) const {
    if (size_ == 0) return false;
    if (hash == KeyHash()) return has_zero_;
    const KeyHash* const places = Places();
    for (uint64_t at = hash.low & mask_; places[at] != KeyHash();
         at = (at + 1) & mask_) {
      if (places[at] == hash) return true;
    }
    return false;
  }
  // Adds hashes that it does not have yet.  kOutOfMemory: nothing has changed.
  Status Add(std::span<const KeyHash> hashes);

  // All of them, ascending.
  std::vector<KeyHash> Sorted() const;

 private:
  const KeyHash* Places() const {
    return reinterpret_cast<const KeyHash*>(buffer_.data());
  }
  KeyHash* Places() { return reinterpret_cast<KeyHash*>(buffer_.data()); }
  void Put(KeyHash hash);
  Status Reserve(uint64_t count);

  AlignedBuffer buffer_;
  uint64_t mask_ = 0;
  uint64_t size_ = 0;
  bool has_zero_ = false;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_HASH_LIST_H_
