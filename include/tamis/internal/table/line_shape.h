// The unit of storage of a quotient table: one cache line of S slots, with the
// two bits per slot that say which entry belongs to which home.
//
// A key of home q is stored in q's own slot, or in the nearest later one when
// that is taken.  Entries of equal home are adjacent and form a *run*; runs stand in
// the order of their homes.  Two bit vectors locate them, one indexed by home
// and one by slot:
//
//   slot       0  1  2  3  4  5  6  7
//   occupied   .  1  .  1  1  .  .  .    homes 1, 3 and 4 own a run
//   run_end    .  .  1  .  1  1  .  .    and those runs end in slots 2, 4, 5
//   entry      .  a  b  c  d  e  .  .    run 1 = ab,  run 3 = cd,  run 4 = e
//
// The k-th set bit of `occupied` and the k-th of `run_end` speak of the same
// run, so finding a run is a rank and a select.  `spill`, the number of slots
// from the start of the line that runs of earlier lines use, restarts the count
// in every line.  It has 8 bits; 255 stands for "255 or more", and the table
// then counts from an earlier line.
//
// In bits, for slots of width w (the example: w = 8, S = 50):
//
//   0          S          2S      2S+8          512 - S w                   512
//   | occupied | run_end  | spill | 0s, mark    | slot 0 | slot 1 | ... |
//   0          50         100     108           112                         512
//
//   mark: one bit for the filter's own use, in one word with run_end and spill,
//   so that a look-up has it at hand; only where that bit is spare.
//
//   shape_numbers.h says how many slots a line has.
//
// A table may use fewer homes of a line than it has slots: H <= S.  Home h is
// then in line h / H, at place h % H, and `occupied` is 0 from bit H on.  With
// fewer homes a line the same homes take more lines, so a table grows by S / H
// without a change to any entry.  Homes and slots are numbered apart:
//
//   S = 8, H = 6     line 0            line 1
//   slot             0 1 2 3 4 5 6 7   8 9 10 11 12 13 14 15
//   home             0 1 2 3 4 5 . .   6 7  8  9 10 11  .  .
//
// LineShape<8> and others know their numbers when compiling, and have H = S;
// LineShape<0> carries them, for any width and H, and SteppedShape<8> only H.  Everything below is written
// once, for both.

#ifndef TAMIS_INTERNAL_TABLE_LINE_SHAPE_H_
#define TAMIS_INTERNAL_TABLE_LINE_SHAPE_H_

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/lanes.h"
#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/packed_match.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/table/shape_numbers.h"

namespace tamis::internal {

struct LineHeader {
  uint64_t occupied;  // bit i: home i of this line owns a run (i < H)
  uint64_t run_end;   // bit i: slot i of this line holds the last of a run
  int spill;          // 0 to 255
};

template <int kWidth>  // 0: any, chosen at run time
class LineShape {
 public:
  static constexpr int kFixedWidth = kWidth;

  // REQUIRES: 2 <= homes <= SlotsPerLine(width); equal if kWidth is not 0
  constexpr LineShape(int width, int homes) : numbers_(width, homes) {}
  constexpr explicit LineShape(int width)
      : LineShape(width, SlotsPerLine(width)) {}

  constexpr int width() const { return numbers_.WidthBits(); }
  constexpr int slots() const { return numbers_.Slots(); }
  constexpr int homes() const { return numbers_.Homes(); }  // H
  constexpr uint64_t home_reciprocal() const {
    return numbers_.HomeReciprocal();
  }
  // The width, if a shape that knows it when compiling will do; else 0.
  constexpr int fixed_width() const { return homes() == slots() ? width() : 0; }
  constexpr int first_slot_bit() const { return kLineBits - slots() * width(); }

  // A home or slot of the table, as a line and a place in it.
  struct LineSlot {
    uint64_t line;
    int index;
  };
  constexpr LineSlot LocateSlot(uint64_t slot) const {
    return Divide(slot, slots(), numbers_.SlotReciprocal());
  }
  constexpr LineSlot LocateHome(uint64_t home) const {
    return Divide(home, homes(), home_reciprocal());
  }
  // Returns a home's own slot: where its run starts unless it is pushed on.
  constexpr uint64_t SlotOfHome(uint64_t home) const {
    if (kWidth != 0) return home;
    const LineSlot at = LocateHome(home);
    return FirstSlot(at.line) + static_cast<unsigned>(at.index);
  }
  constexpr uint64_t FirstHome(uint64_t line) const {
    return line * static_cast<uint64_t>(homes());
  }
  constexpr uint64_t FirstSlot(uint64_t line) const {
    return line * static_cast<uint64_t>(slots());
  }

  LineHeader ReadHeader(const std::byte* line) const {
    const uint64_t mask = LowBits(static_cast<unsigned>(slots()));
    const uint64_t rest = LoadWord(line + EndsByte());
    if (HeaderInTwoWords()) {
      return {LoadWord(line) & mask, (rest >> EndsShift()) & mask,
              static_cast<int>((rest >> (EndsShift() + slots())) & 0xff)};
    }
    return {LoadWord(line) & mask, ReadRunEnd(line) & mask, ReadSpill(line)};
  }
  uint64_t ReadOccupied(const std::byte* line) const {
    return LoadWord(line) & LowBits(static_cast<unsigned>(slots()));
  }
  // Writes all of the header.  Loads, where a slot shares a word with it, come
  // before the first store: a load that overlaps a store just made has to wait
  // for it to reach the cache.
  void WriteHeader(std::byte* line, const LineHeader& header) const {
    const auto spill = static_cast<uint64_t>(header.spill);
    const uint64_t first =
        header.occupied | (slots() < 64 ? header.run_end << slots() : 0);
    if (HeaderBits() <= 64) {
      const uint64_t mask = LowBits(static_cast<unsigned>(HeaderBits()));
      const uint64_t all = first | (spill << (2 * slots() % 64));
      StoreWord(line, (LoadWord(line) & ~mask) | all);
      return;
    }
    if (HeaderInTwoWords()) {
      const int rest_bits = HeaderBits() - 8 * EndsByte();
      const uint64_t others = LoadWord(line + EndsByte()) &
                              ~LowBits(static_cast<unsigned>(rest_bits));
      const uint64_t rest = (header.occupied >> (8 * EndsByte() % 64)) |
                            (header.run_end << EndsShift()) |
                            (spill << (EndsShift() + slots()));
      StoreWord(line, first);
      StoreWord(line + EndsByte(), others | rest);
      return;
    }
    StoreWord(line, first);
    const int half = slots() / 2;
    WriteBits(line, slots() + half, slots() - half, header.run_end >> half);
    WriteBits(line, slots(), half,
              header.run_end & LowBits(static_cast<unsigned>(half)));
    WriteBits(line, 2 * slots(), 8, spill);
  }

  // The bit of a line that a filter may use as it likes, if there is one: the
  // top one of the word that run_end and spill are read from.  WriteHeader
  // leaves it as it is.
  constexpr int MarkBit() const { return 8 * EndsByte() + 63; }
  constexpr bool HasMark() const {
    return HeaderBits() <= MarkBit() && MarkBit() < first_slot_bit();
  }
  // REQUIRES of both: HasMark()
  bool IsMarked(const std::byte* line) const {
    assert(HasMark());
    return LoadWord(line + EndsByte()) >> 63 != 0;
  }
  void Mark(std::byte* line) const {
    assert(HasMark());
    std::byte* word = line + EndsByte();
    StoreWord(word, LoadWord(word) | (uint64_t{1} << 63));
  }
  // Where the header ends, the mark not included.
  constexpr int HeaderBits() const { return 2 * slots() + 8; }

  uint64_t ReadSlot(const std::byte* line, int index) const {
    if (width() == 8) {
      return std::to_integer<uint64_t>(line[SlotByte(index)]);
    }
    return ReadBits(line, SlotBit(index), width());
  }
  void WriteSlot(std::byte* line, int index, uint64_t value) const {
    if (width() == 8) {
      line[SlotByte(index)] = static_cast<std::byte>(value);
    } else {
      WriteBits(line, SlotBit(index), width(), value);
    }
  }
  // Writes the first slots of a line whose slots are all 0, word by word.
  void WriteFirstSlots(std::byte* line,
                       std::span<const uint64_t> values) const {
    int word = first_slot_bit() / 64;
    int used = first_slot_bit() % 64;
    uint64_t bits = LoadWord(line + 8 * word);
    for (const uint64_t value : values) {
      bits |= value << used;
      used += width();
      if (used < 64) continue;
      StoreWord(line + 8 * word++, bits);
      used -= 64;
      bits = used == 0 ? 0 : value >> (width() - used);
    }
    if (used > 0) StoreWord(line + 8 * word, bits);
  }
  // Moves the entries of slots [begin, limit) to the next slot, or to the one
  // before.
  void MoveSlotsUp(std::byte* line, int begin, int limit) const {
    if constexpr (kWidth == 8 || kWidth == 16) {
      constexpr int kBytes = kWidth / 8;
      MoveBytesUp<kBytes>(line, SlotByte(begin), SlotByte(limit));
    } else {
      MoveBitsUp(line, SlotBit(begin), SlotBit(limit), width());
    }
  }
  void MoveSlotsDown(std::byte* line, int begin, int limit) const {
    if constexpr (kWidth == 8 || kWidth == 16) {
      constexpr int kBytes = kWidth / 8;
      MoveBytesDown<kBytes>(line, SlotByte(begin), SlotByte(limit));
    } else {
      MoveBitsDown(line, SlotBit(begin), SlotBit(limit), width());
    }
  }

  // Can all slots of a line be compared at once?
  static constexpr bool kFastMatch =
      kWidth == 8 || kWidth == 16 || IsPacked(kWidth);
  // Returns the slots of the line, used or not, whose bits are `value`.
  uint64_t MatchLine(const std::byte* line, uint64_t value) const
      requires(kFastMatch) {
    if constexpr (kWidth == 8) {
      return MatchBytes(line, static_cast<uint8_t>(value)) >>
             (first_slot_bit() / 8);
    } else if constexpr (kWidth == 16) {
      return MatchPairs(line, static_cast<uint16_t>(value)) >>
             (first_slot_bit() / 16);
    } else {
      return MatchPacked<kWidth, SlotsPerLine(kWidth)>(line, value);
    }
  }
  // Returns the slots whose bits are the top byte of `word`, or the next.
  uint64_t MatchLineOfTwo(const std::byte* line, uint64_t word) const
      requires(kWidth == 8) {
    return MatchTopBytes(line, word) >> (first_slot_bit() / 8);
  }
  // Returns the slots in `among` whose entry is `value`.
  uint64_t MatchSlots(const std::byte* line, uint64_t among,
                      uint64_t value) const {
    if constexpr (kFastMatch) return MatchLine(line, value) & among;
#ifdef TAMIS_HAS_BMI2
    return MatchSlotsByWord(line, among, value);
#else
    return MatchSlotsPortable(line, among, value);
#endif
  }
  uint64_t MatchSlotsPortable(const std::byte* line, uint64_t among,
                              uint64_t value) const {
    uint64_t found = 0;
    for (uint64_t left = among; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      found |= uint64_t{ReadSlot(line, index) == value} << index;
    }
    return found;
  }
#ifdef TAMIS_HAS_BMI2
  // Slots are compared by the word, from the last one on: those of a run are
  // adjacent, and seldom more than a word holds.
  uint64_t MatchSlotsByWord(const std::byte* line, uint64_t among,
                            uint64_t value) const {
    const uint64_t ones = numbers_.SlotOnes();
    const uint64_t seen = _pext_u64(ones, ones);
    const int lanes = std::popcount(ones);
    uint64_t found = 0;
    uint64_t left = among;
    do {
      // Of no slots, the first is compared in vain: cheaper than a branch.
      const int last = 63 - std::countl_zero(left | 1);
      const uint64_t word = LoadSlotsUpTo(line, last) >> (64 - lanes * width());
      const uint64_t equal = EqualLanes(word, ones, width(), value);
      found |= std::rotl(_pext_u64(equal, ones), last + 1 - lanes) & left;
      left &= ~std::rotl(seen, last + 1 - lanes);
    } while (left != 0);
    return found;
  }
#endif
  // Returns a word whose top bits are slot `last` and, below it, those before;
  // at least 57 bits of it.  No slot ends in the first word of a line, so that
  // there is always a whole word to load.
  uint64_t LoadSlotsUpTo(const std::byte* line, int last) const {
    const int end = SlotBit(last + 1);
    const int end_byte = (end + 7) / 8;
    return LoadWord(line + end_byte - 8) << (8 * end_byte - end);
  }

 protected:
  // Divides by S or H, by multiplying with its rounded-up reciprocal: exact
  // below 2^58, where a compiler has to care for all of 64 bits.
  static constexpr LineSlot Divide(uint64_t number, int by,
                                   uint64_t reciprocal) {
    const uint64_t line = MultiplyHigh(number, reciprocal);
    return {line, static_cast<int>(number - line * static_cast<uint64_t>(by))};
  }

 private:
  // Where run_end begins, as a byte and a shift.
  constexpr int EndsByte() const { return slots() / 8; }
  constexpr int EndsShift() const { return slots() % 8; }
  // Does one load at EndsByte() give both run_end and spill?
  constexpr bool HeaderInTwoWords() const {
    return EndsShift() + slots() + 8 <= 64;
  }
  uint64_t ReadRunEnd(const std::byte* line) const {
    const int half = slots() / 2;
    return ReadBits(line, slots(), half) |
           (ReadBits(line, slots() + half, slots() - half) << half);
  }
  int ReadSpill(const std::byte* line) const {
    return static_cast<int>(ReadBits(line, 2 * slots(), 8));
  }
  constexpr int SlotBit(int index) const {
    return first_slot_bit() + index * width();
  }
  constexpr int SlotByte(int index) const { return SlotBit(index) / 8; }

  [[no_unique_address]] ShapeNumbers<kWidth> numbers_;
};

// A width that is known when compiling, and an H that is not: all that a look-up
// needs of a table of fewer homes than slots.
template <int kWidth>
class SteppedShape : public LineShape<kWidth> {
 public:
  explicit constexpr SteppedShape(const LineShape<0>& any)
      : LineShape<kWidth>(kWidth),
        homes_(any.homes()),
        home_reciprocal_(any.home_reciprocal()) {}
  constexpr auto LocateHome(uint64_t home) const {
    return LineShape<kWidth>::Divide(home, homes_, home_reciprocal_);
  }

 private:
  int homes_;
  uint64_t home_reciprocal_;
};

// Calls `function` with the line shape of `any`'s width: a fixed one where there
// is a fast path, otherwise `any` itself.  Only the fastest is inlined, so that
// a caller's loop has its registers to itself.
template <typename Function, typename Shape>
[[gnu::noinline]] decltype(auto) CallOutOfLine(Function&& function,
                                               const Shape& shape) {
  return function(shape);
}
template <typename Function>
inline decltype(auto) WithShape(const LineShape<0>& any, Function&& function) {
  if (any.fixed_width() == 8) [[likely]]
    return function(LineShape<8>(8));
  if (any.fixed_width() == 16)
    return CallOutOfLine(function, LineShape<16>(16));
  return CallOutOfLine(function, any);
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_LINE_SHAPE_H_
