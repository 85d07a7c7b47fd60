// BinTable: the packed memory of every cuckoo filter.
//
// A table of slots of w bits, w <= 57, packed without a gap; b consecutive
// slots are a *bin*.  Slot i is bits [i w, (i + 1) w) of the bit string:
//
//   w = 12, b = 4:   byte  0        1        2        3        4        5
//                    | slot 0   | slot 1   | slot 2   | slot 3   | next bin
//                    lanes of one 48-bit bin word, slot 0 the lowest
//
// The value 0 means a free slot, so a fresh table is empty and occupancy costs
// no bit of its own; filters never store a 0.
//
// A bin that fits a 64-bit load at any of its places (all w <= 16 for b = 4)
// is compared as one word, all lanes at once (HasZeroLane).  Others go slot by
// slot.
//
// Invariants:
//   (T1) bits past the last slot are 0.
//
// Cost: one load, shift and mask for a slot or a bin.
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_TABLE_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_TABLE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/bits/words.h"
#include "tamis/result.h"

namespace tamis::internal {

inline constexpr uint64_t kNoSlot = ~uint64_t{0};

// `lanes` lanes of `width` bits side by side in a word, from the lowest bit.
//   width 4, lanes 3:   ones 0001 0001 0001    tops 1000 1000 1000
struct Lanes {
  Lanes() = default;
  // REQUIRES: lanes * width <= 64
  constexpr Lanes(int lanes, int lane_width) : width(lane_width) {
    assert(lanes * lane_width <= 64);
    for (int lane = 0; lane < lanes; ++lane) {
      ones |= uint64_t{1} << (lane * width);
    }
    tops = ones << (width - 1);
  }

  // Returns a word with `value` in every lane.  REQUIRES: it fits a lane
  constexpr uint64_t Broadcast(uint64_t value) const { return value * ones; }

  // Says whether some lane of `word` is 0.
  //   word          a 0 7      of 4 bits each
  //   - ones        9 f 6      a zero lane borrows, and gets its top bit
  //   & ~word&tops  0 8 0      kept where the top bit was clear before
  // Lanes above a zero one may be marked by the borrow that left it, never
  // lanes below: so "any mark" is exact, which is all that is asked.
  constexpr bool HasZeroLane(uint64_t word) const {
    return ZeroLanes(word) != 0;
  }
  // Returns those marks.  Bits of `word` above the lanes do not matter.
  constexpr uint64_t ZeroLanes(uint64_t word) const {
    return (word - ones) & ~word & tops;
  }

  // Returns `word` with 1 in place of every 0 lane.  Adding all ones but the
  // top to a lane without its top bit carries into the top bit unless it is 0.
  uint64_t ZerosToOnes(uint64_t word) const {
    const uint64_t nonzero = (((word & ~tops) + (tops - ones)) | word) & tops;
    return word | ((~nonzero & tops) >> (width - 1));
  }

  uint64_t ones = 0;  // the lowest bit of each lane
  uint64_t tops = 0;  // the highest bit of each lane
  int width = 0;
};

// A layout of bins that is known when compiling.  With it, the address of a bin
// is a shift and an addition, and all masks are constants.  AnyBins is the
// layout that is not known.
template <int kSlotBits, int kSlotsPerBin>
struct FixedBins {
  static constexpr int kWidth = kSlotBits;
  static constexpr uint64_t kBinBits = uint64_t{kWidth} * kSlotsPerBin;
  static constexpr Lanes kLanes{kSlotsPerBin, kWidth};
  // Bytes of the load that has all of a bin, wherever in a byte it begins.  The
  // fewer, the more rarely it reaches into a second line.
  static constexpr int kLoadBytes = kBinBits + kBinBits % 8 <= 16 ? 2 : 8;
  static constexpr bool kIsAligned = kBinBits == 8 * kLoadBytes;

  // Where bin `bin` begins: a byte, and a bit in it.  In nibbles, because a
  // compiler may not simplify bin * bits / 8, which could overflow.
  static constexpr uint64_t ByteOf(uint64_t bin) {
    if constexpr (kBinBits % 8 == 0) return bin * (kBinBits / 8);
    return bin * (kBinBits / 4) / 2;
  }
  static constexpr uint64_t ShiftOf(uint64_t bin) {
    return kBinBits % 8 == 0 ? 0 : bin % 2 * 4;
  }
  static_assert(kBinBits % 4 == 0 && kBinBits <= 64,
                "a bin must be readable as one word");
};
struct AnyBins {};

class BinTable {
 public:
  static constexpr uint64_t kMaxSlots = uint64_t{1} << 48;
  static constexpr int kMaxWidth = 57;

  // Returns a table of free slots, or kInvalidArgument or kOutOfMemory.
  // REQUIRES: slots_per_bin >= 1, 2 <= width <= kMaxWidth
  static Result<BinTable> Create(uint64_t bins, int slots_per_bin, int width);
  // Returns the table whose bytes() these are; kCorrupt if they can't be.
  // Files of version 1 have them without the last 8.
  static Result<BinTable> FromBytes(const OuterBytes& bytes, uint64_t bins,
                                    int slots_per_bin, int width);

  uint64_t bins() const { return bins_; }
  uint64_t slots() const { return bins_ * slots_per_bin_; }
  uint64_t slots_per_bin() const { return slots_per_bin_; }
  int width() const { return width_; }
  const Lanes& lanes() const { return lanes_; }
  uint64_t size_bits() const { return 8 * SizeBytes(slots(), width_); }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }
  Status CheckWritable() const { return buffer_.CheckWritable(); }

  // REQUIRES: slot < slots()
  uint64_t Get(uint64_t slot) const {
    assert(slot < slots());
    return LoadBits(slot * static_cast<unsigned>(width_)) & slot_mask_;
  }
  // REQUIRES: slot < slots(), value < 2^width
  void Set(uint64_t slot, uint64_t value);

  // Whether a bin can be read as one word of lanes().
  bool bins_are_words() const { return bins_are_words_; }
  // Returns the bin's slots as lanes.  REQUIRES: bins_are_words()
  uint64_t BinWord(uint64_t bin) const {
    assert(bins_are_words_ && bin < bins_);
    return LoadBits(bin * bin_bits_) & bin_mask_;
  }

  // Returns the first slot of `bin` that holds `value` (0: is free), or
  // kNoSlot.
  uint64_t FindInBin(uint64_t bin, uint64_t value) const {
    const uint64_t begin = bin * slots_per_bin_;
    for (uint64_t slot = begin; slot < begin + slots_per_bin_; ++slot) {
      if (Get(slot) == value) return slot;
    }
    return kNoSlot;
  }
  // Says whether some slot of `bin` holds `value`.
  bool BinContains(uint64_t bin, uint64_t value) const {
    if (bins_are_words_) [[likely]] {
      return lanes_.HasZeroLane(BinWord(bin) ^ lanes_.Broadcast(value));
    }
    return FindInBin(bin, value) != kNoSlot;
  }
  // Marks the slots of `bin` that hold `value`, not exactly those (see
  // HasZeroLane) but not 0 if and only if there is one.
  // REQUIRES: `Bins` is the table's layout
  template <typename Bins>
  uint64_t MarkEqual(uint64_t bin, uint64_t value) const {
    if constexpr (std::is_same_v<Bins, AnyBins>) {
      return BinContains(bin, value) ? 1 : 0;
    } else {
      assert(Bins::kBinBits == bin_bits_);
      const uint64_t word = LoadFixed<Bins>(bin);
      return Bins::kLanes.ZeroLanes(word ^ Bins::kLanes.Broadcast(value));
    }
  }
  // Brings the lines that a look-up in the bin reads to the cache: those of the
  // first and of the last byte of its load.
  template <typename Bins = AnyBins>
  void Prefetch(uint64_t bin) const {
    if constexpr (std::is_same_v<Bins, AnyBins>) {
      const std::byte* first = buffer_.data() + bin * bin_bits_ / 8;
      internal::Prefetch(first);
      internal::Prefetch(first + 7);
    } else {
      const std::byte* first = buffer_.data() + Bins::ByteOf(bin);
      internal::Prefetch(first);
      if (!Bins::kIsAligned) internal::Prefetch(first + Bins::kLoadBytes - 1);
    }
  }

  // Counts the slots in use; linear.
  uint64_t CountOccupied() const;
  // (T1), or what breaks it.
  Status CheckInvariants() const;

 private:
  static uint64_t SizeBytes(uint64_t slots, int width) {
    return (slots * static_cast<unsigned>(width) + 7) / 8;
  }
  // Returns at least 57 bits from bit `begin` on.
  uint64_t LoadBits(uint64_t begin) const {
    return LoadWord(buffer_.data() + begin / 8) >> (begin % 8);
  }
  // Returns the bits of the bin, and others above them.
  template <typename Bins>
  uint64_t LoadFixed(uint64_t bin) const {
    const std::byte* bytes = buffer_.data() + Bins::ByteOf(bin);
    if constexpr (Bins::kLoadBytes == 8) {
      return LoadWord(bytes) >> Bins::ShiftOf(bin);
    } else {
      const auto low = static_cast<uint64_t>(bytes[0]);
      const auto high = static_cast<uint64_t>(bytes[1]);
      return (low | (high << 8)) >> Bins::ShiftOf(bin);
    }
  }

  // For LoadBits, which reads a word wherever a slot begins.
  static constexpr uint64_t kSlackBytes = 8;

  Status SetShape(uint64_t bins, int slots_per_bin, int width);

  AlignedBuffer buffer_;  // the slots, then kSlackBytes of zeros
  uint64_t bins_ = 0;
  uint64_t slots_per_bin_ = 0;
  uint64_t bin_bits_ = 0;
  uint64_t slot_mask_ = 0;
  uint64_t bin_mask_ = 0;
  Lanes lanes_;
  int width_ = 0;
  bool bins_are_words_ = false;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_TABLE_H_
