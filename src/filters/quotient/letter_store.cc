#include "tamis/internal/filters/quotient/letter_store.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

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

Status LetterStore::Load(const OuterBytes& bytes, uint64_t slots) {
  const uint64_t size = SizeBytes(slots, group_bytes_);
  const uint64_t size_in_version1 =
      group_bytes_ == kGroupSlots ? slots : GroupsFor(slots) * group_bytes_;
  if (bytes.size() != size && bytes.size() != size_in_version1) {
    return {StatusCode::kCorrupt, std::to_string(bytes.size()) +
                                      " bytes of letters for " +
                                      std::to_string(slots) + " slots"};
  }
  if (bytes.map) {
    TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::From(bytes, size));
    largest_ = std::numeric_limits<uint32_t>::max();
    return {};
  }
  assert(size <= buffer_.size_bytes());
  // What is behind the codes belongs to the next group, or to none.
  const uint64_t whole = GroupsFor(slots) * group_bytes_;
  if (bytes.size() > whole && bytes.bytes[whole] != std::byte{0}) {
    return {StatusCode::kCorrupt, "the byte behind the codes must be zero"};
  }
  const uint64_t copied = std::min(bytes.size(), whole);
  if (copied != 0) std::memcpy(buffer_.data(), bytes.bytes.data(), copied);
  for (uint64_t group = 0; group < GroupsFor(slots); ++group) {
    if (!AllZero(group)) RaiseLargest(Group(group));
  }
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
                         CodeWord /*code*/) {
  RaiseLargest(letters);
  std::byte* bytes = buffer_.data() + group * kGroupSlots;
  for (int i = 0; i < kGroupSlots; ++i) {
    bytes[i] = static_cast<std::byte>(letters.at(i));
  }
}

}  // namespace tamis::internal
