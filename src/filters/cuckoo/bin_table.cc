#include "tamis/internal/filters/cuckoo/bin_table.h"

#include <cstring>
#include <string>
#include <utility>

namespace tamis::internal {

Result<BinTable> BinTable::Create(uint64_t bins, int slots_per_bin, int width) {
  assert(slots_per_bin >= 1 && width >= 2 && width <= kMaxWidth);
  const auto per_bin = static_cast<uint64_t>(slots_per_bin);
  if (bins == 0 || bins > kMaxSlots / per_bin) {
    return Status(StatusCode::kInvalidArgument,
                  "a cuckoo table can't have " + std::to_string(bins) +
                      " bins of " + std::to_string(slots_per_bin) +
                      " slots; 1 to 2^48 slots are possible");
  }
  BinTable table;
  table.bins_ = bins;
  table.slots_per_bin_ = per_bin;
  table.width_ = width;
  table.bin_bits_ = per_bin * static_cast<unsigned>(width);
  table.slot_mask_ = LowBits(static_cast<unsigned>(width));
  // Bins start at multiples of the largest power of two in bin_bits_, so the
  // furthest that one can start inside a byte is 8 minus that.
  const uint64_t step = table.bin_bits_ & (~table.bin_bits_ + 1);
  const uint64_t furthest = step >= 8 ? 0 : 8 - step;
  table.bins_are_words_ = table.bin_bits_ + furthest <= 64;
  if (table.bins_are_words_) {
    table.bin_mask_ = LowBits(static_cast<unsigned>(table.bin_bits_));
    table.lanes_ = Lanes(slots_per_bin, width);
  }
  TAMIS_ASSIGN_OR_RETURN(
      table.buffer_,
      AlignedBuffer::Allocate(SizeBytes(table.slots(), width) + 8));
  return table;
}

Result<BinTable> BinTable::FromBytes(std::span<const std::byte> bytes,
                                     uint64_t bins, int slots_per_bin,
                                     int width) {
  const auto per_bin = static_cast<uint64_t>(slots_per_bin);
  if (bins == 0 || bins > kMaxSlots / per_bin ||
      bytes.size() != SizeBytes(bins * per_bin, width)) {
    return Status(StatusCode::kCorrupt,
                  "a table of " + std::to_string(bytes.size()) +
                      " bytes can't be " + std::to_string(bins) + " bins of " +
                      std::to_string(slots_per_bin) + " slots of " +
                      std::to_string(width) + " bits");
  }
  TAMIS_ASSIGN_OR_RETURN(BinTable table, Create(bins, slots_per_bin, width));
  std::memcpy(table.buffer_.data(), bytes.data(), bytes.size());
  return table;
}

void BinTable::Set(uint64_t slot, uint64_t value) {
  assert(slot < slots() && (value & ~slot_mask_) == 0);
  const uint64_t begin = slot * static_cast<unsigned>(width_);
  std::byte* bytes = buffer_.data() + begin / 8;
  const uint64_t word = LoadWord(bytes);
  StoreWord(bytes,
            (word & ~(slot_mask_ << (begin % 8))) | (value << (begin % 8)));
}

uint64_t BinTable::CountOccupied() const {
  uint64_t occupied = 0;
  for (uint64_t slot = 0; slot < slots(); ++slot) occupied += Get(slot) != 0;
  return occupied;
}

Status BinTable::CheckInvariants() const {
  const uint64_t end = slots() * static_cast<unsigned>(width_);
  if (LoadBits(end) != 0) {
    return {StatusCode::kCorrupt, "(T1): bits are set past the last slot"};
  }
  return {};
}

}  // namespace tamis::internal
