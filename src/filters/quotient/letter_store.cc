#include "tamis/internal/filters/quotient/letter_store.h"

namespace tamis::internal {
namespace {

// The places first to last, as a mask.
uint64_t Places(int first, int last) {
  return LowBits(static_cast<unsigned>(last) + 1) &
         ~LowBits(static_cast<unsigned>(first));
}

}  // namespace

uint32_t MoveLettersUp(GroupLetters& letters, int first, int last,
                       uint32_t incoming) {
  const uint32_t pushed_out = letters.at(last);
  const uint64_t places = Places(first, last);
  const auto begin = letters.values.begin();
  std::copy_backward(begin + first, begin + last, begin + last + 1);
  letters.nonzero = (letters.nonzero & ~places) |
                    (((letters.nonzero & places) << 1) & places);
  letters.Set(first, incoming);
  return pushed_out;
}

uint32_t MoveLettersDown(GroupLetters& letters, int first, int last,
                         uint32_t incoming) {
  const uint32_t pushed_out = letters.at(first);
  const uint64_t places = Places(first, last);
  const auto begin = letters.values.begin();
  std::copy(begin + first + 1, begin + last + 1, begin + first);
  letters.nonzero = (letters.nonzero & ~places) |
                    (((letters.nonzero & places) >> 1) & places);
  letters.Set(last, incoming);
  return pushed_out;
}

GroupLetters PlainLetters::Group(uint64_t group) const {
  GroupLetters letters;
  for (int i = 0; i < kGroupSlots; ++i) {
    letters.Set(i, at(group * kGroupSlots + static_cast<unsigned>(i)));
  }
  return letters;
}

bool PlainLetters::Store(uint64_t group, const GroupLetters& letters) {
  std::byte* bytes = buffer_.data() + group * kGroupSlots;
  for (int i = 0; i < kGroupSlots; ++i) {
    bytes[i] = static_cast<std::byte>(letters.at(i));
  }
  return true;
}

void PlainLetters::Shift(SlotRange moved, int by,
                         std::vector<PendingGroup>& /*pending*/) {
  std::byte* bytes = buffer_.data();
  if (by > 0) {
    std::memmove(bytes + moved.begin + 1, bytes + moved.begin, moved.size());
    bytes[moved.begin] = std::byte{0};
  } else {
    std::memmove(bytes + moved.begin - 1, bytes + moved.begin, moved.size());
    bytes[moved.limit - 1] = std::byte{0};
  }
}

Status PlainLetters::OnGrow(uint64_t slots) {
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer grown,
      AlignedBuffer::Allocate(GroupsFor(slots) * kGroupSlots));
  std::memcpy(grown.data(), buffer_.data(), buffer_.size_bytes());
  buffer_ = std::move(grown);
  return {};
}

Status PlainLetters::Load(const OuterBytes& bytes, uint64_t slots) {
  const uint64_t size = GroupsFor(slots) * kGroupSlots;
  if (bytes.size() != slots && bytes.size() != size) {
    return {StatusCode::kCorrupt, std::to_string(bytes.size()) +
                                      " bytes of selectors for " +
                                      std::to_string(slots) + " slots"};
  }
  if (bytes.map) {
    TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::From(bytes, size));
    return {};
  }
  assert(size <= buffer_.size_bytes());
  if (bytes.size() != 0) {
    std::memcpy(buffer_.data(), bytes.bytes.data(), bytes.size());
  }
  return {};
}

}  // namespace tamis::internal
