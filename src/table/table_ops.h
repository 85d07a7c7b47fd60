// The operations that change a quotient table, written once for every line
// shape; table_reader.h has those that look.
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
#include <optional>
#include <type_traits>

#include "bits/greater_bytes.h"
#include "table/table_reader.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

// Where an entry goes in its run: behind those that are not greater, or last.
enum class Order { kSorted, kLast };

template <typename Shape>
class TableOps : public TableReader<Shape> {
  using Base = TableReader<Shape>;

 public:
  using LineSlot = typename Base::LineSlot;

  using Base::Base;
  using Base::FindFree;
  using Base::FreedBy;

  // Inserts an entry in its order where all that changes is in the home's line:
  // the common case, with the header read and written once.  Returns the slots
  // that moved up; none, and nothing has changed, if the place or the free slot
  // is in another line.
  template <Order kOrder>
  std::optional<SlotRange> InsertInHomeLine(uint64_t home, uint64_t value) {
    const LineSlot at = shape_.LocateHome(home);
    std::byte* line = table_.line(at.line);
    __builtin_prefetch(line + kLineBytes);  // one of three inserts needs it
    const LineHeader header = shape_.ReadHeader(line);
    const LineRanks ranks = Rank(header, at.index);
    const uint64_t first = shape_.FirstSlot(at.line);
    if (IsFree(header, ranks, at.index)) {
      const uint64_t own = uint64_t{1} << at.index;
      shape_.WriteHeader(
          line, {header.occupied | own, header.run_end | own, header.spill});
      shape_.WriteSlot(line, at.index, value);
      const uint64_t slot = first + static_cast<unsigned>(at.index);
      return SlotRange{slot, slot};
    }
    const InLine place = FindInLine<kOrder>(line, header, ranks, at, value);
    const uint64_t free = FreeSlots(header) & ~LowBits(place.index);
    if (free == 0) return std::nullopt;
    const auto u = static_cast<unsigned>(std::countr_zero(free));
    InsertInLine(line, header, place, u, value);
    return SlotRange{first + place.index, first + u};
  }

  // The same where only the free slot is in another line.
  template <Order kOrder>
  std::optional<SlotRange> InsertFromHomeLine(uint64_t home, uint64_t value) {
    const LineSlot at = shape_.LocateHome(home);
    std::byte* line = table_.line(at.line);
    const LineHeader header = shape_.ReadHeader(line);
    const InLine place =
        FindInLine<kOrder>(line, header, Rank(header, at.index), at, value);
    if (place.index > static_cast<unsigned>(LastIndex())) return std::nullopt;
    const uint64_t u = FindFree(shape_.FirstSlot(at.line + 1));
    if (u == table_.num_slots()) return std::nullopt;
    const LineSlot free = shape_.LocateSlot(u);
    for (uint64_t l = free.line; l > at.line; --l) {
      MoveUpFromLineBefore(l, l == free.line ? free.index : LastIndex());
    }
    InsertInLine(line, header, place, static_cast<unsigned>(LastIndex()),
                 value);
    return SlotRange{shape_.FirstSlot(at.line) + place.index, u};
  }

  // Inserts an entry at slot p.
  // REQUIRES: p is in or at the end of `run`, u is the first free slot from p
  void Insert(uint64_t home, SlotRange run, uint64_t p, uint64_t u,
              uint64_t value) {
    const LineSlot at = shape_.LocateSlot(p);
    const LineSlot free = shape_.LocateSlot(u);
    const LineSlot home_at = shape_.LocateHome(home);
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

  void WriteSlot(uint64_t slot, uint64_t value) {
    const LineSlot at = shape_.LocateSlot(slot);
    shape_.WriteSlot(table_.line(at.line), at.index, value);
  }

 private:
  static constexpr bool kBytes = std::is_same_v<Shape, LineShape<8>>;

  // Where an entry goes, in the line of its home.
  struct InLine {
    unsigned index;  // behind the line if it does not go there
    uint64_t own;    // the bit of its home
    uint64_t taken;  // the bit of the entry that ends its run no more, if any
    bool ends_run;
  };
  template <Order kOrder>
  InLine FindInLine(const std::byte* line, const LineHeader& header,
                    const LineRanks& ranks, LineSlot home,
                    uint64_t value) const {
    const uint64_t end = RunEnd(ranks);
    // One past the runs up to this home; behind the line if they go on.
    const unsigned behind =
        ranks.rank == 0 ? static_cast<unsigned>(header.spill)
                        : static_cast<unsigned>(std::countr_zero(end)) + 1;
    const unsigned limit = std::max(behind, static_cast<unsigned>(home.index));
    const uint64_t own = uint64_t{1} << home.index;
    const uint64_t is_occupied = (header.occupied >> home.index) & 1;
    uint64_t stops = ~LowBits(limit);
    if constexpr (kOrder == Order::kSorted) {
      const uint64_t is_here = is_occupied & static_cast<uint64_t>(end != 0);
      const uint64_t run = SlotsUpTo(ranks, end) & (uint64_t{0} - is_here);
      stops |= GreaterSlots(line, run, value);
    }
    const auto index = static_cast<unsigned>(std::countr_zero(stops));
    const bool ends_run = index == limit;
    // An entry behind the others of its run takes the mark from the last.
    const uint64_t taken = (is_occupied & uint64_t{ends_run})
                           << ((index - 1) & 63);
    return {index, own, taken, ends_run};
  }

  // Puts an entry there; those from there to slot u move up, into u.
  void InsertInLine(std::byte* line, LineHeader header, const InLine& place,
                    unsigned u, uint64_t value) {
    const auto index = static_cast<int>(place.index);
    header.occupied |= place.own;
    header.run_end = OpenRunEnd(header.run_end & ~place.taken, index,
                                static_cast<int>(u), place.ends_run);
    shape_.MoveSlotsUp(line, index, static_cast<int>(u));
    shape_.WriteHeader(line, header);
    shape_.WriteSlot(line, index, value);
  }

  // Returns the slots in `run`, all of one line, whose entry is greater.
  uint64_t GreaterSlots(const std::byte* line, uint64_t run,
                        uint64_t value) const {
    if constexpr (kBytes) {
      return (GreaterBytes(line, static_cast<uint8_t>(value)) >>
              (shape_.first_slot_bit() / 8)) &
             run;
    }
    uint64_t greater = 0;
    for (uint64_t left = run; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      greater |= uint64_t{shape_.ReadSlot(line, index) > value} << index;
    }
    return greater;
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

  using Base::Advance;
  using Base::FreeSlots;
  using Base::IsFree;
  using Base::LastIndex;
  using Base::shape_;
  using Base::SpillLimit;
  using Base::table_;
};

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_TABLE_OPS_H_
