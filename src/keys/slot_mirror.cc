#include "tamis/internal/keys/slot_mirror.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace tamis::internal {
namespace {

Result<AlignedBuffer> AllocateSlots(uint64_t slots) {
  if (slots > std::numeric_limits<uint64_t>::max() / SlotMirror::kSlotBytes) {
    return Status(StatusCode::kOutOfMemory,
                  "can't mirror " + std::to_string(slots) + " slots");
  }
  return AlignedBuffer::Allocate(slots * SlotMirror::kSlotBytes);
}

}  // namespace

Result<SlotMirror> SlotMirror::Create(uint64_t slots) {
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer buffer, AllocateSlots(slots));
  return SlotMirror(std::move(buffer));
}

Result<SlotMirror> SlotMirror::FromBytes(std::span<const std::byte> bytes,
                                         uint64_t slots) {
  if (bytes.size() / kSlotBytes != slots || bytes.size() % kSlotBytes != 0) {
    return Status(StatusCode::kCorrupt,
                  "mirror of " + std::to_string(bytes.size()) + " bytes for " +
                      std::to_string(slots) + " slots");
  }
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer buffer, AllocateSlots(slots));
  if (!bytes.empty()) std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return SlotMirror(std::move(buffer));
}

void SlotMirror::OnShift(SlotRange moved, int by) {
  assert(by == 1 || by == -1);
  if (moved.empty()) return;
  assert(by == 1 ? moved.limit < slots() : moved.begin > 0);
  const uint64_t to = by == 1 ? moved.begin + 1 : moved.begin - 1;
  std::memmove(Entry(to), Entry(moved.begin), moved.size() * kSlotBytes);
  Clear(by == 1 ? moved.begin : moved.limit - 1);
}

Status SlotMirror::OnGrow(uint64_t slots) {
  if (slots <= this->slots()) return {};
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer grown, AllocateSlots(slots));
  if (buffer_.size_bytes() != 0) {
    std::memcpy(grown.data(), buffer_.data(), buffer_.size_bytes());
  }
  buffer_ = std::move(grown);
  return {};
}

}  // namespace tamis::internal
