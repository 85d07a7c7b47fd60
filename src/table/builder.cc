// QuotientTable::Builder: fills an empty table in order, each line once.

#include <algorithm>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

Status QuotientTable::Builder::Append(uint64_t home, uint64_t value) {
  assert(home >= home_ && home < table_->homes_);
  if (table_->size_ == table_->max_size_) return table_->FullStatus();
  const auto home_at = shape_.LocateHome(home);
  const uint64_t slot =
      std::max(next_slot_, shape_.FirstSlot(home_at.line) +
                               static_cast<unsigned>(home_at.index));
  const auto at = shape_.LocateSlot(slot);
  if (at.line >= table_->num_lines()) {
    TAMIS_RETURN_IF_ERROR(table_->GrowTail(nullptr));
  }
  if (home != home_ || table_->size_ == 0) {
    CloseRun();
    if (home_at.line != homes_line_) WriteHomes(home_at.line);
    occupied_ |= uint64_t{1} << home_at.index;
  }
  if (at.line != ends_line_) WriteEnds(at.line);
  shape_.WriteSlot(table_->line(at.line), at.index, value);
  if (home_at.line != at.line) AddSpills(home_at.line);
  last_index_ = at.index;
  home_ = home;
  next_slot_ = slot + 1;
  ++table_->size_;
  return {};
}

void QuotientTable::Builder::Finish() {
  CloseRun();
  WriteHomes(homes_line_);
  WriteEnds(ends_line_);
}

void QuotientTable::Builder::CloseRun() {
  if (table_->size_ != 0) run_ends_ |= uint64_t{1} << last_index_;
}

void QuotientTable::Builder::AddSpills(uint64_t home_line) {
  ++spill_;
  // Lines between, which the run jumped over, are wholly used by others.  So
  // those far behind have as much spill as can be told, and stay as they are.
  const auto far = static_cast<uint64_t>(kMaxSpill / shape_.slots() + 1);
  const uint64_t first =
      std::max(home_line + 1, ends_line_ - std::min(far, ends_line_));
  for (uint64_t l = first; l < ends_line_; ++l) {
    ChangeHeader(l, [](LineHeader& header) {
      header.spill = std::min(header.spill + 1, kMaxSpill);
    });
  }
}

void QuotientTable::Builder::WriteHomes(uint64_t next_line) {
  ChangeHeader(homes_line_,
               [&](LineHeader& header) { header.occupied |= occupied_; });
  homes_line_ = next_line;
  occupied_ = 0;
}

void QuotientTable::Builder::WriteEnds(uint64_t next_line) {
  ChangeHeader(ends_line_, [&](LineHeader& header) {
    header.run_end |= run_ends_;
    header.spill = static_cast<int>(std::min<uint64_t>(
        kMaxSpill, static_cast<uint64_t>(header.spill) + spill_));
  });
  ends_line_ = next_line;
  run_ends_ = 0;
  spill_ = 0;
}

template <typename Change>
void QuotientTable::Builder::ChangeHeader(uint64_t index, Change&& change) {
  std::byte* line = table_->line(index);
  LineHeader header = shape_.ReadHeader(line);
  change(header);
  shape_.WriteHeader(line, header);
}

}  // namespace tamis::internal
