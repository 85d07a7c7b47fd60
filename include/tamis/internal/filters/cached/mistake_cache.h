// MistakeCache: known false positives, exactly, in so many bytes.
//
//   set   [ hash | hash | hash | hash | hash | hash | hash | hash ]   8 ways
//   uses  [  1   |  0   |  1   |  ...                             ]   a byte each
//
// The low word of a hash chooses a set.  An entry is the whole 128-bit hash:
// anything shorter could equal a member's and hide it, a false negative.
//
// Find notes the use of an entry in its byte, and that is all it changes, by
// relaxed atomic stores: look-ups may run concurrently.  What the notes mean is
// decided when a key is added, which needs exclusive access:
//
//   lru     the entries used since the set was last changed move to its front,
//           in their order; the last one makes room.  136 bits an entry
//   clock   the last one makes room, unless it was used: then it moves to the
//           front, and the next one is looked at.  136 bits an entry
//   topk    Space-Saving (Metwally et al. 2005): an entry's count grows by its
//           uses, of 255 at most; the smallest count c makes room, and the new
//           key has c + 1.  A frequent key stays.  168 bits an entry
//
// Invariants (CheckInvariants):
//   (K1) Every hash is in the set that it chooses.
//   (K2) No hash is there twice.
//   (K3) A free place is KeyHash(), its count 0; but for topk, all free places
//        of a set are behind its entries.
//
// Thread safety: Find and Contains may run concurrently with one another.

#ifndef TAMIS_INTERNAL_FILTERS_CACHED_MISTAKE_CACHE_H_
#define TAMIS_INTERNAL_FILTERS_CACHED_MISTAKE_CACHE_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class MistakeCache {
 public:
  enum class Policy { kLru, kClock, kTopK };
  static constexpr uint64_t kWays = 8;

  // Returns an empty cache of as many whole sets as `size_bytes` hold, and one
  // at least; or kOutOfMemory.
  static Result<MistakeCache> Create(uint64_t size_bytes, Policy policy);
  // The same with what `hashes` (low word, high word) and `counts` (topk alone)
  // say; kCorrupt if they are not of its size.
  static Result<MistakeCache> FromBytes(uint64_t size_bytes, Policy policy,
                                        std::span<const std::byte> hashes,
                                        std::span<const std::byte> counts);

  uint64_t entries() const { return entries_; }
  uint64_t used() const;  // of the entries
  Policy policy() const { return policy_; }
  uint64_t SizeBits() const { return entries_ * 8 * BytesPerEntry(policy_); }
  static uint64_t BytesPerEntry(Policy policy) {
    return policy == Policy::kTopK ? 21 : 17;
  }

  // Says whether `hash` is cached, and notes that as a use of it.
  bool Find(KeyHash hash) const {
    const uint64_t at = PlaceOf(hash);
    if (at == kNone) return false;
    NoteUse(at);
    return true;
  }
  bool Contains(KeyHash hash) const { return PlaceOf(hash) != kNone; }

  // Adds a hash that is not there; false for KeyHash(), which it can't hold.
  bool Add(KeyHash hash);
  void Remove(KeyHash hash);
  // Removes all that `gone` says.
  template <typename Gone>
  void RemoveIf(const Gone& gone) {
    for (uint64_t set = 0; set < entries_; set += kWays) {
      for (uint64_t way = kWays; way-- > 0;) {
        const KeyHash hash = hashes()[set + way];
        if (hash != KeyHash() && gone(hash)) RemoveAt(set, way);
      }
    }
  }

  // For files: as words, low and high, and as counts.
  std::vector<uint64_t> Words() const;
  std::vector<uint32_t> Counts() const;

  Status CheckInvariants() const;

 private:
  static constexpr uint64_t kNone = ~uint64_t{0};

  MistakeCache() = default;

  const KeyHash* hashes() const {
    return reinterpret_cast<const KeyHash*>(hashes_.data());
  }
  KeyHash* hashes() { return reinterpret_cast<KeyHash*>(hashes_.data()); }
  const uint32_t* counts() const {
    return reinterpret_cast<const uint32_t*>(counts_.data());
  }
  uint32_t* counts() { return reinterpret_cast<uint32_t*>(counts_.data()); }
  std::atomic_ref<uint8_t> UseOf(uint64_t at) const {
    // The notes are no part of what the cache stands for.
    auto* uses =
        reinterpret_cast<uint8_t*>(const_cast<std::byte*>(uses_.data()));
    return std::atomic_ref<uint8_t>(uses[at]);
  }
  void NoteUse(uint64_t at) const {
    constexpr uint8_t kMost = 255;
    const auto use = UseOf(at);
    const uint8_t before = use.load(std::memory_order_relaxed);
    const bool counts = policy_ == Policy::kTopK;
    if (before == (counts ? kMost : 1)) return;  // the line stays clean
    use.store(static_cast<uint8_t>(before + 1), std::memory_order_relaxed);
  }
  uint64_t SetOf(KeyHash hash) const {
    return MultiplyHigh(hash.low, entries_ / kWays) * kWays;
  }
  uint64_t PlaceOf(KeyHash hash) const {
    if (hash == KeyHash()) return kNone;
    const uint64_t set = SetOf(hash);
    for (uint64_t at = set; at < set + kWays; ++at) {
      if (hashes()[at] == hash) return at;
    }
    return kNone;
  }
  bool TakeUse(uint64_t at);
  void MoveToFront(uint64_t set, uint64_t way);
  void MakeRoomByLru(uint64_t set);
  void MakeRoomByClock(uint64_t set);
  void AddCounted(uint64_t set, KeyHash hash);
  void RemoveAt(uint64_t set, uint64_t way);

  Policy policy_ = Policy::kLru;
  uint64_t entries_ = 0;
  AlignedBuffer hashes_;
  AlignedBuffer counts_;  // kTopK only
  AlignedBuffer uses_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CACHED_MISTAKE_CACHE_H_
