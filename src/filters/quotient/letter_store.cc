#include "tamis/internal/filters/quotient/letter_store.h"

#include <cstring>

namespace tamis::internal {

Status LetterStore::OnGrow(uint64_t slots) {
  if (GroupsFor(slots) <= num_groups()) return {};
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer grown, Allocate(slots, group_bytes_));
  std::memcpy(grown.data(), buffer_.data(), buffer_.size_bytes());
  buffer_ = std::move(grown);
  return {};
}

Result<AlignedBuffer> LetterStore::Copy() const {
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer copy, Zeros());
  std::memcpy(copy.data(), buffer_.data(), buffer_.size_bytes());
  return copy;
}

Status LetterStore::Load(std::span<const std::byte> bytes, uint64_t slots) {
  if (GroupsFor(slots) > num_groups() ||
      bytes.size() != this->bytes(slots).size()) {
    return {StatusCode::kCorrupt, std::to_string(bytes.size()) +
                                      " bytes of letters for " +
                                      std::to_string(slots) + " slots"};
  }
  if (!bytes.empty()) std::memcpy(buffer_.data(), bytes.data(), bytes.size());
  return {};
}

bool PlainLetters::AllZero(uint64_t group) const {
  uint64_t all = 0;
  for (int i = 0; i < kGroupSlots; i += 8) {
    all |= LoadWord(buffer_.data() + group * kGroupSlots + i);
  }
  return all == 0;
}

GroupLetters PlainLetters::Group(uint64_t group) const {
  GroupLetters letters;
  for (int i = 0; i < kGroupSlots; ++i) {
    letters.Set(i, at(group * kGroupSlots + static_cast<unsigned>(i)));
  }
  return letters;
}

void PlainLetters::Store(uint64_t group, const GroupLetters& letters,
                         uint64_t /*code*/) {
  std::byte* bytes = buffer_.data() + group * kGroupSlots;
  for (int i = 0; i < kGroupSlots; ++i) {
    bytes[i] = static_cast<std::byte>(letters.at(i));
  }
}

}  // namespace tamis::internal
