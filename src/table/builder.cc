// QuotientTable::Builder: fills an empty table in order, each line once.

#include <algorithm>
#include <span>

#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {

void QuotientTable::Builder::EnterRun(uint64_t home) {
  const auto at = shape_.LocateHome(home);
  if (index_ == kBeforeFirst) {
    index_ = 0;
  } else {
    run_ends_ |= uint64_t{1} << (index_ - 1);
  }
  if (at.line != homes_line_) WriteHomes(at.line);
  occupied_ |= uint64_t{1} << at.index;
  home_ = home;
  if (at.line > slot_line_) WriteLine(at.line);
  if (at.line == slot_line_) GoToIndex(at.index);
}

void QuotientTable::Builder::Finish() {
  if (index_ <= 0) return;  // no entry, or no memory
  run_ends_ |= uint64_t{1} << (index_ - 1);
  WriteHomes(homes_line_);
  WriteLine(slot_line_);
}

void QuotientTable::Builder::AddSpills() {
  ++spill_;
  // Lines between, which the run jumped over, are wholly used by others.  So
  // those far behind have as much spill as can be told, and stay as they are.
  const auto far = static_cast<uint64_t>(kMaxSpill / shape_.slots() + 1);
  const uint64_t first =
      std::max(homes_line_ + 1, slot_line_ - std::min(far, slot_line_));
  for (uint64_t l = first; l < slot_line_; ++l) {
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

void QuotientTable::Builder::WriteLine(uint64_t next_line) {
  ChangeHeader(slot_line_, [&](LineHeader& header) {
    header.run_end |= run_ends_;
    header.spill = static_cast<int>(std::min<uint64_t>(
        kMaxSpill, static_cast<uint64_t>(header.spill) + spill_));
  });
  shape_.WriteFirstSlots(table_->line(slot_line_),
                         std::span(values_).first(static_cast<size_t>(index_)));
  slot_line_ = next_line;
  index_ = 0;
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
