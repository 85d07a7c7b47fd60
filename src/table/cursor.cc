// QuotientTable::Cursor: reads the entries of a table in order, line by line.

#include <algorithm>
#include <bit>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

bool QuotientTable::Cursor::NextHome() {
  while (occupied_left_ == 0) {
    if (++home_line_ >= table_->num_lines()) return false;
    occupied_left_ = shape_.ReadOccupied(table_->line(home_line_));
  }
  const auto index = static_cast<unsigned>(std::countr_zero(occupied_left_));
  occupied_left_ &= occupied_left_ - 1;
  home_ = shape_.FirstHome(home_line_) + index;
  // Its entries start at its own slot or later.
  slot_ = std::max(slot_, shape_.FirstSlot(home_line_) + index);
  return home_ < table_->homes();
}

void QuotientTable::Cursor::Advance() {
  if (left_ == 0) return;
  slot_ = next_slot_;
  if (!in_run_ && !NextHome()) left_ = 0;
  if (slot_ >= table_->num_slots()) left_ = 0;
  if (left_ == 0) return;
  const auto at = shape_.LocateSlot(slot_);
  const uint64_t ends = shape_.ReadHeader(table_->line(at.line)).run_end;
  in_run_ = ((ends >> at.index) & 1) == 0;
  next_slot_ = slot_ + 1;
}

}  // namespace tamis::internal
