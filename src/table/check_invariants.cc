// CheckInvariants: walks the table from the first slot to the last, with
// nothing but the occupied and run_end bits, and compares what it finds with
// everything that is stored.

#include <algorithm>
#include <string>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {
namespace {

class Checker {
 public:
  Checker(const QuotientTable& table, QuotientTable::Marking marking)
      : table_(table),
        shape_(table.shape()),
        mark_bit_(marking == QuotientTable::Marking::kYes ? shape_.MarkBit()
                                                          : -1) {}

  Status Check() {
    for (uint64_t l = 0; l < table_.num_lines(); ++l) {
      TAMIS_RETURN_IF_ERROR(CheckSpill(l));
      TAMIS_RETURN_IF_ERROR(CheckSpare(l));
      uint64_t homes = shape_.ReadOccupied(table_.line(l));
      for (; homes != 0; homes &= homes - 1) {
        TAMIS_RETURN_IF_ERROR(
            FollowRun(l, static_cast<unsigned>(std::countr_zero(homes))));
      }
    }
    TAMIS_RETURN_IF_ERROR(CheckFree(limit_, table_.num_slots()));
    if (entries_ != table_.size()) {
      return Violation("(I5): runs hold " + std::to_string(entries_) +
                       " entries, size() is " + std::to_string(table_.size()));
    }
    return {};
  }

 private:
  static Status Violation(std::string what) {
    return {StatusCode::kCorrupt, std::move(what)};
  }

  // All runs of earlier lines have been followed, up to limit_.
  Status CheckSpill(uint64_t l) const {
    const uint64_t first = shape_.FirstSlot(l);
    const uint64_t used = std::max(limit_, first) - first;
    const int spill = shape_.ReadHeader(table_.line(l)).spill;
    if (static_cast<uint64_t>(spill) == std::min<uint64_t>(kMaxSpill, used)) {
      return {};
    }
    return Violation("(I3): spill of line " + std::to_string(l) + " is " +
                     std::to_string(spill) + ", earlier runs use " +
                     std::to_string(used) + " of its slots");
  }

  Status CheckSpare(uint64_t l) const {
    const std::byte* line = table_.line(l);
    for (int bit = shape_.HeaderBits(); bit < shape_.first_slot_bit(); ++bit) {
      if (bit != mark_bit_ && ReadBits(line, bit, 1) != 0) {
        return Violation("(I6): spare bit " + std::to_string(bit) +
                         " of line " + std::to_string(l) + " is set");
      }
    }
    return {};
  }

  Status CheckFree(uint64_t begin, uint64_t limit) const {
    for (uint64_t slot = begin; slot < limit; ++slot) {
      if (IsRunEnd(slot)) {
        return Violation("(I1): slot " + std::to_string(slot) +
                         " ends a run that no home owns");
      }
      if (Value(slot) != 0) {
        return Violation("(I6): free slot " + std::to_string(slot) +
                         " is not 0");
      }
    }
    return {};
  }

  Status FollowRun(uint64_t l, unsigned index) {
    const uint64_t home = shape_.FirstHome(l) + index;
    if (index >= static_cast<unsigned>(shape_.homes()) ||
        home >= table_.homes()) {
      return Violation("(I4): home " + std::to_string(index) + " of line " +
                       std::to_string(l) + " is occupied; there are " +
                       std::to_string(table_.homes()) + ", " +
                       std::to_string(shape_.homes()) + " a line");
    }
    const uint64_t begin = std::max(limit_, shape_.FirstSlot(l) + index);
    TAMIS_RETURN_IF_ERROR(CheckFree(limit_, begin));
    uint64_t slot = begin;
    while (slot < table_.num_slots() && !IsRunEnd(slot)) ++slot;
    if (slot >= table_.num_slots()) {
      return Violation("(I1): the run of home " + std::to_string(home) +
                       ", from slot " + std::to_string(begin) +
                       " on, has no end");
    }
    limit_ = slot + 1;
    entries_ += limit_ - begin;
    return {};
  }

  bool IsRunEnd(uint64_t slot) const {
    const auto at = shape_.LocateSlot(slot);
    return (shape_.ReadHeader(table_.line(at.line)).run_end >> at.index & 1) !=
           0;
  }
  uint64_t Value(uint64_t slot) const {
    const auto at = shape_.LocateSlot(slot);
    return shape_.ReadSlot(table_.line(at.line), at.index);
  }

  const QuotientTable& table_;
  const LineShape<0>& shape_;
  int mark_bit_;          // not a spare bit
  uint64_t limit_ = 0;    // one past the last slot of the runs followed
  uint64_t entries_ = 0;  // in them
};

}  // namespace

Status QuotientTable::CheckInvariants(Marking marking) const {
  assert(marking == Marking::kNo || shape_.HasMark());
  return Checker(*this, marking).Check();
}

Status QuotientTable::CheckSortedRuns() const {
  uint64_t last_home = 0;
  uint64_t last_value = 0;
  for (Cursor at(*this); !at.done(); at.Next()) {
    if (at.home() == last_home && at.value() < last_value) {
      return {StatusCode::kCorrupt, "slot " + std::to_string(at.slot()) +
                                        " is not in the order of its run"};
    }
    last_home = at.home();
    last_value = at.value();
  }
  return {};
}

}  // namespace tamis::internal
