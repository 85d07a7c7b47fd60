#include <algorithm>
#include <bit>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

void QuotientTable::Cursor::Advance() {
  if (left_ == 0) return;
  slot_ = next_slot_;
  if (!in_run_) {
    // The next home that owns a run; its entries start at it or later.
    while (occupied_left_ == 0) {
      occupied_left_ = shape_.ReadOccupied(table_->line(++home_line_));
    }
    const auto index = static_cast<unsigned>(std::countr_zero(occupied_left_));
    occupied_left_ &= occupied_left_ - 1;
    home_ = shape_.FirstHome(home_line_) + index;
    slot_ = std::max(slot_, shape_.FirstSlot(home_line_) + index);
  }
  const auto at = shape_.LocateSlot(slot_);
  const uint64_t ends = shape_.ReadHeader(table_->line(at.line)).run_end;
  in_run_ = ((ends >> at.index) & 1) == 0;
  next_slot_ = slot_ + 1;
}

}  // namespace tamis::internal
