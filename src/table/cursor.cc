// QuotientTable::Cursor: reads the entries of a table in order, line by line.

#include <algorithm>
#include <bit>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

void QuotientTable::Cursor::GoToLine(uint64_t line, int index) {
  if (line >= table_->num_lines()) {
    left_ = 0;
    return;
  }
  slot_line_ = line;
  index_ = index;
  line_ = table_->line(line);
  run_ends_ = shape_.ReadHeader(line_).run_end;
}

void QuotientTable::Cursor::EnterNextRun() {
  while (occupied_left_ == 0) {
    if (++home_line_ >= table_->num_lines()) {
      left_ = 0;
      return;
    }
    occupied_left_ = shape_.ReadOccupied(table_->line(home_line_));
  }
  const int index = std::countr_zero(occupied_left_);
  occupied_left_ &= occupied_left_ - 1;
  home_ = shape_.FirstHome(home_line_) + static_cast<unsigned>(index);
  if (home_ >= table_->homes()) left_ = 0;
  // Its entries start at its own slot or later.
  if (home_line_ > slot_line_) {
    GoToLine(home_line_, index);
  } else if (home_line_ == slot_line_) {
    index_ = std::max(index_, index);
  }
}

}  // namespace tamis::internal
