// What a quotient table says of its runs, written once for every line shape.
//
// The common case, a run that ends in its home's line, is a rank and a select.
// For the rest, run ends are counted from a line whose spill is exact:
//
//   spill      .     3    255   255      255: that or more
//   line       |-----|-----|-----|       counting from the second one on
//
// Nothing here changes the table, or reads outside of its lines, whatever they
// say.

#ifndef TAMIS_TABLE_TABLE_READER_H_
#define TAMIS_TABLE_TABLE_READER_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "bits/prefix_equal.h"
#include "tamis/internal/bits/select.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

template <typename Shape>
class TableReader {
 public:
  using LineSlot = typename Shape::LineSlot;

  TableReader(const Shape& shape, QuotientTable& table)
      : shape_(shape), table_(table) {}

  SlotRange FindRun(uint64_t home) const {
    const LineSlot at = shape_.LocateHome(home);
    __builtin_prefetch(table_.line(at.line + 1));
    const LineHeader header = shape_.ReadHeader(table_.line(at.line));
    const LineRanks ranks = Rank(header, at.index);
    const uint64_t end = RunEnd(ranks);
    if (header.spill >= shape_.slots() || (ranks.rank != 0 && end == 0)) {
      return FindLongRun(home);
    }
    const auto index = static_cast<unsigned>(at.index);
    const auto spill = static_cast<unsigned>(header.spill);
    const unsigned limit =
        ranks.rank == 0 ? spill
                        : static_cast<unsigned>(std::countr_zero(end)) + 1;
    const uint64_t first = shape_.FirstSlot(at.line);
    if (((header.occupied >> index) & 1) == 0) {
      const uint64_t slot = first + std::max(limit, index);
      return {slot, slot};
    }
    const uint64_t before = ranks.run_ends & (end - 1);
    const auto begin = static_cast<unsigned>(64 - std::countl_zero(before));
    return {first + std::max({begin, spill, index}), first + limit};
  }

  // Returns the first free slot from where an entry is to be inserted.
  uint64_t FindFree(uint64_t home, SlotRange run, uint64_t from) const {
    // A run that would start at its own home finds that slot free.
    if (run.empty() && from == shape_.SlotOfHome(home)) return from;
    return FindFree(from);
  }

  // Returns the first free slot from `from` on, or num_slots() if there is
  // none.
  uint64_t FindFree(uint64_t from) const {
    LineSlot at = shape_.LocateSlot(from);
    uint64_t wanted = ~LowBits(static_cast<unsigned>(at.index));
    for (; at.line < table_.num_lines(); ++at.line, wanted = ~uint64_t{0}) {
      const uint64_t free =
          FreeSlots(shape_.ReadHeader(table_.line(at.line))) & wanted;
      if (free != 0) {
        return shape_.FirstSlot(at.line) +
               static_cast<unsigned>(std::countr_zero(free));
      }
    }
    return table_.num_slots();
  }

  // Returns how many of the slots before `limit` are free.
  uint64_t CountFree(uint64_t limit) const {
    const LineSlot end = shape_.LocateSlot(limit);
    uint64_t count = 0;
    for (uint64_t l = 0; l <= end.line && l < table_.num_lines(); ++l) {
      uint64_t free = FreeSlots(shape_.ReadHeader(table_.line(l)));
      if (l == end.line) free &= LowBits(static_cast<unsigned>(end.index));
      count += static_cast<uint64_t>(std::popcount(free));
    }
    return count;
  }

  // Returns the slot that is free once the entry in slot p is erased.
  uint64_t FreedBy(uint64_t p) const { return FindUnmoved(p + 1) - 1; }

  uint64_t ReadSlot(uint64_t slot) const {
    const LineSlot at = shape_.LocateSlot(slot);
    return shape_.ReadSlot(table_.line(at.line), at.index);
  }
  // Returns where in its sorted run `value` belongs, behind its equals.
  uint64_t SortedSlot(SlotRange run, uint64_t value) const {
    uint64_t slot = run.limit;
    while (slot > run.begin && ReadSlot(slot - 1) > value) --slot;
    return slot;
  }

 protected:
  int LastIndex() const { return shape_.slots() - 1; }

  // Returns one past the last slot used by the runs of homes <= `home`, or the
  // first slot of the home's line, whichever is later.
  uint64_t RunLimit(uint64_t home) const {
    const LineSlot at = shape_.LocateHome(home);
    const LineHeader header = shape_.ReadHeader(table_.line(at.line));
    const auto runs = static_cast<uint64_t>(std::popcount(
        header.occupied & LowBits(static_cast<unsigned>(at.index) + 1)));
    return Advance(SpillLimit(at.line), runs);
  }

  // Returns one past the last slot used by the runs of lines before `index`,
  // or that line's first slot.  Where the spill is saturated, counts from the
  // nearest earlier line whose spill is not; line 0 has none (and is the last
  // to be looked at, whatever unchecked lines say).
  uint64_t SpillLimit(uint64_t index) const {
    uint64_t runs = 0;
    uint64_t from = index;
    LineHeader header = shape_.ReadHeader(table_.line(from));
    while (header.spill == kMaxSpill && from > 0) {
      header = shape_.ReadHeader(table_.line(--from));
      runs += static_cast<uint64_t>(std::popcount(header.occupied));
    }
    const uint64_t limit =
        shape_.FirstSlot(from) + static_cast<unsigned>(header.spill);
    return std::max(Advance(limit, runs), shape_.FirstSlot(index));
  }

  // Returns one past the runs-th run end from slot `from` on; `from` if that
  // is none.  In lines that break (I1) there may be fewer: then all slots.
  uint64_t Advance(uint64_t from, uint64_t runs) const {
    if (runs == 0) return from;
    LineSlot at = shape_.LocateSlot(from);
    for (; at.line < table_.num_lines(); ++at.line, at.index = 0) {
      const uint64_t ends = shape_.ReadHeader(table_.line(at.line)).run_end &
                            ~LowBits(static_cast<unsigned>(at.index));
      const auto found = static_cast<uint64_t>(std::popcount(ends));
      if (runs <= found) {
        return shape_.FirstSlot(at.line) +
               static_cast<unsigned>(
                   Select(ends, static_cast<unsigned>(runs - 1))) +
               1;
      }
      runs -= found;
    }
    return table_.num_slots();
  }

  // A slot is free if every run opened up to it was closed before it.
  uint64_t FreeSlots(const LineHeader& header) const {
    const uint64_t used = LowBits(static_cast<unsigned>(header.spill));
    const uint64_t ends = header.run_end & ~used;
    return PrefixEqual(header.occupied, ends << 1) & ~used &
           LowBits(static_cast<unsigned>(shape_.slots()));
  }

  // Is the slot at `index` free?  As FreeSlots, for one.
  static bool IsFree(const LineHeader& header, const LineRanks& ranks,
                     int index) {
    const auto closed = static_cast<unsigned>(
        std::popcount(ranks.run_ends & LowBits(static_cast<unsigned>(index))));
    return ranks.rank == closed && header.spill <= index;
  }

  // Returns the first slot from `from` on that is free or holds the first
  // entry of its own home: no run of a smaller home reaches it.
  uint64_t FindUnmoved(uint64_t from) const {
    LineSlot at = shape_.LocateSlot(from);
    uint64_t wanted = ~LowBits(static_cast<unsigned>(at.index));
    for (; at.line < table_.num_lines(); ++at.line, wanted = ~uint64_t{0}) {
      const LineHeader header = shape_.ReadHeader(table_.line(at.line));
      const uint64_t used = LowBits(static_cast<unsigned>(header.spill));
      const uint64_t ends = header.run_end & ~used;
      const uint64_t unmoved = PrefixEqual(header.occupied << 1, ends << 1) &
                               ~used & wanted &
                               LowBits(static_cast<unsigned>(shape_.slots()));
      if (unmoved != 0) {
        return shape_.FirstSlot(at.line) +
               static_cast<unsigned>(std::countr_zero(unmoved));
      }
    }
    return table_.num_slots();
  }

  const Shape& shape_;
  QuotientTable& table_;

 private:
  // FindRun for a run that does not end in its home's line.
  SlotRange FindLongRun(uint64_t home) const {
    const LineSlot at = shape_.LocateHome(home);
    const uint64_t occupied = shape_.ReadOccupied(table_.line(at.line));
    const uint64_t own =
        shape_.FirstSlot(at.line) + static_cast<unsigned>(at.index);
    const uint64_t limit = std::max(RunLimit(home), own);
    if (((occupied >> at.index) & 1) == 0) return {limit, limit};
    const uint64_t before = home == 0 ? 0 : RunLimit(home - 1);
    return {std::max(before, own), limit};
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_TABLE_READER_H_
