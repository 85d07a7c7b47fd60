// HashList: a set of whole hashes in the host's memory.
//
//   places   [ hash ][ free ][ hash ][ hash ][ free ] ...
//
// A hash is at the place that its low word says, or behind it; all places in
// between are taken (linear probing, at most 4 of 5 places are).  A free place is
// KeyHash(); that hash itself is noted beside the places.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_HASH_LIST_H_
#define TAMIS_INTERNAL_FILTERS_HASH_LIST_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
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
    for (uint64_t at = PlaceOf(hash); places[at] != KeyHash(); at = After(at)) {
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
  uint64_t PlaceOf(KeyHash hash) const {
    return MultiplyHigh(hash.low, places_);
  }
  uint64_t After(uint64_t at) const { return at + 1 == places_ ? 0 : at + 1; }
  void Put(KeyHash hash);
  Status Reserve(uint64_t count);

  AlignedBuffer buffer_;
  uint64_t places_ = 0;
  uint64_t size_ = 0;
  bool has_zero_ = false;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_HASH_LIST_H_
