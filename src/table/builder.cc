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
    ChangeHeader(home_at.line, [&](LineHeader& header) {
      header.occupied |= uint64_t{1} << home_at.index;
    });
  }
  shape_.WriteSlot(table_->line(at.line), at.index, value);
  for (uint64_t l = home_at.line + 1; l <= at.line; ++l) {
    ChangeHeader(l, [](LineHeader& header) {
      header.spill = std::min(header.spill + 1, kMaxSpill);
    });
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
  ChangeHeader(at.line, [&](LineHeader& header) {
    header.run_end |= uint64_t{1} << at.index;
  });
}

template <typename Change>
void QuotientTable::Builder::ChangeHeader(uint64_t index, Change&& change) {
  std::byte* line = table_->line(index);
  LineHeader header = shape_.ReadHeader(line);
  change(header);
  shape_.WriteHeader(line, header);
}

}  // namespace tamis::internal
