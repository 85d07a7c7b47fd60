// SlotMirror: for each slot of a table, the hash of the key stored there.
//
// This is the papers' array R, the simplest remote representation: in memory,
// exact, in step with the table.
//
//   table    [ fp ][    ][ fp ][ fp ] ...   a few bits a slot
//   mirror   [ h0 ][ 00 ][ h2 ][ h3 ] ...   16 bytes a slot: low, then high,
//                                           both little-endian
//
// It does not know which slots are free: any hash is a valid one, so occupancy
// is the table's business.  A free slot is kept all zeros all the same, so
// that equal filters have equal bytes.
//
// Two kinds of tables drive it.  A quotient table shifts ranges and speaks
// through SideData; a cuckoo table moves and swaps single slots.
//
// Cost: every function is a few word moves, OnShift one memmove.
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_KEYS_SLOT_MIRROR_H_
#define TAMIS_INTERNAL_KEYS_SLOT_MIRROR_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/table/side_data.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class SlotMirror final : public SideData {
 public:
  static constexpr uint64_t kSlotBytes = sizeof(KeyHash);

  SlotMirror() = default;  // of no slots
  // Returns a mirror of free slots, or kOutOfMemory.
  static Result<SlotMirror> Create(uint64_t slots);
  // Returns what bytes() gave, copied or mapped; kCorrupt if that is not
  // `slots` long.
  static Result<SlotMirror> FromBytes(const OuterBytes& bytes, uint64_t slots);

  uint64_t slots() const { return buffer_.size_bytes() / kSlotBytes; }
  uint64_t size_bits() const { return 8 * buffer_.size_bytes(); }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }

  // REQUIRES of all below: every slot named is < slots()
  KeyHash at(uint64_t slot) const {
    const std::byte* entry = Entry(slot);
    return {LoadWord(entry + 8), LoadWord(entry)};
  }
  void Set(uint64_t slot, KeyHash hash) {
    StoreWord(Entry(slot), hash.low);
    StoreWord(Entry(slot) + 8, hash.high);
  }
  void Prefetch(uint64_t slot) const { internal::Prefetch(Entry(slot)); }
  void Clear(uint64_t slot) { Set(slot, KeyHash()); }
  // Takes the hash from one slot to another and leaves the first free.
  // REQUIRES: from != to
  void Move(uint64_t from, uint64_t to) {
    assert(from != to);
    Set(to, at(from));
    Clear(from);
  }
  void Swap(uint64_t a, uint64_t b) {
    const KeyHash kept = at(a);
    Set(a, at(b));
    Set(b, kept);
  }

  // REQUIRES: by is +1 or -1, and the range moved stays within the slots
  void OnShift(SlotRange moved, int by) override;
  // Never makes it smaller.
  Status OnGrow(uint64_t slots) override;

 private:
  explicit SlotMirror(AlignedBuffer buffer) : buffer_(std::move(buffer)) {}

  const std::byte* Entry(uint64_t slot) const {
    assert(slot < slots());
    return buffer_.data() + slot * kSlotBytes;
  }
  std::byte* Entry(uint64_t slot) {
    assert(slot < slots());
    return buffer_.data() + slot * kSlotBytes;
  }

  AlignedBuffer buffer_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_KEYS_SLOT_MIRROR_H_
