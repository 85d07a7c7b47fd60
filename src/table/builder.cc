#include <algorithm>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

Status QuotientTable::Builder::Append(uint64_t home, uint64_t value) {
  assert(home >= home_ && home < table_->homes_);
  if (table_->size_ == table_->homes_) return table_->FullStatus();
  const uint64_t slot = std::max(next_slot_, home);
  const auto at = shape_.Locate(slot);
  if (at.line >= table_->num_lines()) {
    TAMIS_RETURN_IF_ERROR(table_->GrowTail(nullptr));
  }
  const auto home_at = shape_.Locate(home);
  if (home != home_ || table_->size_ == 0) {
    if (table_->size_ != 0) CloseRun();
    std::byte* line = table_->line(home_at.line);
    shape_.WriteOccupied(
        line, shape_.ReadOccupied(line) | (uint64_t{1} << home_at.index));
  }
  shape_.WriteSlot(table_->line(at.line), at.index, value);
  for (uint64_t l = home_at.line + 1; l <= at.line; ++l) {
    std::byte* line = table_->line(l);
    const int spill = shape_.ReadHeader(line).spill;
    if (spill < kMaxSpill) shape_.WriteSpill(line, spill + 1);
  }
  home_ = home;
  next_slot_ = slot + 1;
  ++table_->size_;
  return {};
}

void QuotientTable::Builder::Finish() {
  if (table_->size_ != 0) CloseRun();
}

void QuotientTable::Builder::CloseRun() {
  const auto at = shape_.Locate(next_slot_ - 1);
  std::byte* line = table_->line(at.line);
  const LineHeader header = shape_.ReadHeader(line);
  shape_.WriteEnds(line, header.run_end | (uint64_t{1} << at.index),
                   header.spill);
}

}  // namespace tamis::internal
