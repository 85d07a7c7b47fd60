// The operations of a quotient table, written once for every line shape.
//
// With q the own slot of an entry's home, p the slot it goes to and u the first free slot
// from p on, inserting moves the entries of [p, u) up by one, and exactly the
// lines that begin in (q, u] get one more spill.  Erasing is the reverse, with
// u the last slot whose entry is not at its home's own place:
//
//   insert X at p      q . . p . . . u           lines begin at |
//   before             a b c|d e f g|.           spill of the 2nd and 3rd: as
//   after              a b c|X d e f|g           before, plus one each

#ifndef TAMIS_TABLE_TABLE_OPS_H_
#define TAMIS_TABLE_TABLE_OPS_H_

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "bits/prefix_equal.h"
#include "tamis/internal/bits/select.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

template <typename Shape>
class TableOps {
 public:
  using LineSlot = typename Shape::LineSlot;

  TableOps(const Shape& shape, QuotientTable& table)
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

  // Inserts an entry at slot p.
  // REQUIRES: p is in or at the end of `run`, u is the first free slot from p
  void Insert(uint64_t home, SlotRange run, uint64_t p, uint64_t u,
              uint64_t value) {
    const LineSlot at = shape_.LocateSlot(p);
    const LineSlot free = shape_.LocateSlot(u);
    const LineSlot home_at = shape_.LocateHome(home);
    if (home_at.line == free.line) {
      InsertInHomeLine(home_at, run, p, at.index, free.index, value);
      return;
    }
    for (uint64_t l = free.line; l > at.line; --l) {
      MoveUpFromLineBefore(l, l == free.line ? free.index : LastIndex());
    }
    const bool ends_run = p == run.limit;
    InsertInLine(at, free.line == at.line ? free.index : LastIndex(), value,
                 ends_run);
    // All lines after the home's have more spill; the loop above has seen to
    // those behind `at`.
    for (uint64_t l = home_at.line + 1; l <= at.line; ++l) {
      ChangeHeader(l, [](LineHeader& header) { AddSpill(header); });
    }
    if (run.empty()) {
      ChangeHeader(home_at.line, [&](LineHeader& header) {
        header.occupied |= uint64_t{1} << home_at.index;
      });
    } else if (ends_run) {
      SetRunEnd(p - 1, false);
    }
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

  // Returns the slot that is free once the entry in slot p is erased.
  uint64_t FreedBy(uint64_t p) const { return FindUnmoved(p + 1) - 1; }

  // Erases; returns the slot that is free now.
  uint64_t Erase(uint64_t home, SlotRange run, uint64_t p) {
    const uint64_t u = FreedBy(p);
    const LineSlot last = shape_.LocateSlot(u);
    LineSlot at = shape_.LocateSlot(p);
    for (; at.line < last.line; ++at.line, at.index = 0) {
      MoveDownFromLineAfter(at);
    }
    EraseInLine(at, last.index);
    const LineSlot home_at = shape_.LocateHome(home);
    if (run.size() == 1) {
      ChangeHeader(home_at.line, [&](LineHeader& header) {
        header.occupied &= ~(uint64_t{1} << home_at.index);
      });
    } else if (p == run.limit - 1) {
      SetRunEnd(p - 1, true);
    }
    SubtractSpills(home_at.line, last.line);
    return u;
  }

  uint64_t ReadSlot(uint64_t slot) const {
    const LineSlot at = shape_.LocateSlot(slot);
    return shape_.ReadSlot(table_.line(at.line), at.index);
  }
  void WriteSlot(uint64_t slot, uint64_t value) {
    const LineSlot at = shape_.LocateSlot(slot);
    shape_.WriteSlot(table_.line(at.line), at.index, value);
  }

  // Returns where in its sorted run `value` belongs, behind its equals.
  uint64_t SortedSlot(SlotRange run, uint64_t value) const {
    uint64_t slot = run.limit;
    while (slot > run.begin && ReadSlot(slot - 1) > value) --slot;
    return slot;
  }

 private:
  int LastIndex() const { return shape_.slots() - 1; }

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

  // Insert, where all that changes is in the home's line: the common case,
  // with the header read and written once.
  void InsertInHomeLine(LineSlot home, SlotRange run, uint64_t p, int index,
                        int free, uint64_t value) {
    std::byte* line = table_.line(home.line);
    LineHeader header = shape_.ReadHeader(line);
    const bool ends_run = p == run.limit;
    // An entry behind the others of its run takes the mark from the last.
    const uint64_t taken = uint64_t{ends_run && !run.empty()}
                           << ((index - 1) & 63);
    header.occupied |= uint64_t{1} << home.index;
    header.run_end = OpenRunEnd(header.run_end & ~taken, index, free, ends_run);
    if (free != index) shape_.MoveSlotsUp(line, index, free);
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, index, value);
  }

  // Returns the run ends of a line after slots [index, free) moved up and an
  // entry, the end of its run or not, came in at `index`.
  static uint64_t OpenRunEnd(uint64_t run_end, int index, int free,
                             bool is_end) {
    const uint64_t below = LowBits(static_cast<unsigned>(index));
    const uint64_t moved = LowBits(static_cast<unsigned>(free)) & ~below;
    const uint64_t kept = below | ~LowBits(static_cast<unsigned>(free) + 1);
    return (run_end & kept) | ((run_end & moved) << 1) |
           (uint64_t{is_end} << index);
  }

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

  // Moves slots [0, limit) of line `l` up; the last slot of the line before
  // comes in at the bottom.  The line begins behind the home: one more spill.
  void MoveUpFromLineBefore(uint64_t l, int limit) {
    std::byte* line = table_.line(l);
    const std::byte* before = table_.line(l - 1);
    LineHeader header = shape_.ReadHeader(line);
    const uint64_t carry = shape_.ReadHeader(before).run_end >> LastIndex();
    shape_.MoveSlotsUp(line, 0, limit);
    header.run_end = OpenRunEnd(header.run_end, 0, limit, carry != 0);
    AddSpill(header);
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, 0, shape_.ReadSlot(before, LastIndex()));
  }

  // Moves slots [at.index, limit) of a line up and puts the entry there.
  void InsertInLine(LineSlot at, int limit, uint64_t value, bool ends_run) {
    std::byte* line = table_.line(at.line);
    LineHeader header = shape_.ReadHeader(line);
    shape_.MoveSlotsUp(line, at.index, limit);
    header.run_end = OpenRunEnd(header.run_end, at.index, limit, ends_run);
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, at.index, value);
  }

  // Moves the slots above at.index down over it; slot 0 of the next line comes
  // in at the top.
  void MoveDownFromLineAfter(LineSlot at) {
    std::byte* line = table_.line(at.line);
    const std::byte* after = table_.line(at.line + 1);
    LineHeader header = shape_.ReadHeader(line);
    const uint64_t carry = shape_.ReadHeader(after).run_end & 1;
    shape_.MoveSlotsDown(line, at.index + 1, shape_.slots());
    header.run_end = CloseRunEnd(header.run_end, at.index, LastIndex()) |
                     (carry << LastIndex());
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, LastIndex(), shape_.ReadSlot(after, 0));
  }

  // Moves slots (at.index, last] down over at.index, and clears the last.
  void EraseInLine(LineSlot at, int last) {
    std::byte* line = table_.line(at.line);
    LineHeader header = shape_.ReadHeader(line);
    shape_.MoveSlotsDown(line, at.index + 1, last + 1);
    header.run_end = CloseRunEnd(header.run_end, at.index, last);
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, last, 0);
  }

  // Returns the run ends of a line after slots (index, last] moved down over
  // `index`; slot `last` ends none.
  static uint64_t CloseRunEnd(uint64_t run_end, int index, int last) {
    const uint64_t below = LowBits(static_cast<unsigned>(index));
    const uint64_t moved = LowBits(static_cast<unsigned>(last)) & ~below;
    const uint64_t kept = below | ~LowBits(static_cast<unsigned>(last) + 1);
    return (run_end & kept) | ((run_end >> 1) & moved);
  }

  template <typename Change>
  void ChangeHeader(uint64_t l, Change&& change) {
    std::byte* line = table_.line(l);
    LineHeader header = shape_.ReadHeader(line);
    change(header);
    shape_.WriteHeader(line, header);
  }
  void SetRunEnd(uint64_t slot, bool is_end) {
    const LineSlot at = shape_.LocateSlot(slot);
    const uint64_t bit = uint64_t{1} << at.index;
    ChangeHeader(at.line, [&](LineHeader& header) {
      header.run_end = (header.run_end & ~bit) | (is_end ? bit : 0);
    });
  }
  static void AddSpill(LineHeader& header) {
    header.spill = std::min(header.spill + 1, kMaxSpill);
  }

  // Subtracts one from the spill of lines (home_line, last].  A saturated one
  // is counted anew, from the exact limit of the line before.
  void SubtractSpills(uint64_t home_line, uint64_t last) {
    if (home_line == last) return;
    uint64_t limit = SpillLimit(home_line);
    for (uint64_t l = home_line + 1; l <= last; ++l) {
      const uint64_t first = shape_.FirstSlot(l);
      ChangeHeader(l, [&](LineHeader& header) {
        if (header.spill < kMaxSpill) {
          limit = first + static_cast<unsigned>(--header.spill);
          return;
        }
        const auto runs = static_cast<uint64_t>(
            std::popcount(shape_.ReadOccupied(table_.line(l - 1))));
        limit = std::max(first, Advance(limit, runs));
        header.spill =
            static_cast<int>(std::min<uint64_t>(kMaxSpill, limit - first));
      });
    }
  }

  const Shape& shape_;
  QuotientTable& table_;
};

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_TABLE_OPS_H_
