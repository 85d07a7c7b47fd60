// Letter stores: one letter per slot of a table, in an array beside it.
//
// A letter says how a slot was adapted: a selector, or an extension.  0 is "not
// at all".  Slots are taken in groups of 64, whatever the table's lines are:
//
//   CodedLetters   56 bits per group, an arithmetic code: 0.875 bits a slot
//                  | group 0, 7 bytes | group 1, 7 bytes | ... | 1 byte unused
//                  It can overflow: a group may hold only so much.
//   PlainLetters   8 bits per slot; never overflows.
//
// Both follow the table's shifts.  A letter that crosses from one group to the
// next can make the code of that group overflow; Shift reports such groups with
// what they should hold, and leaves it to the filter, which knows what letters
// mean, to drop some and Store the rest.
//
// Free slots have letter 0.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/codes/run_coder.h"
#include "tamis/internal/table/side_data.h"
#include "tamis/result.h"

namespace tamis::internal {

// A group whose letters do not fit, for now.
struct PendingGroup {
  uint64_t group;
  GroupLetters letters;
};

inline uint64_t GroupOf(uint64_t slot) { return slot / kGroupSlots; }
inline int PlaceInGroup(uint64_t slot) {
  return static_cast<int>(slot % kGroupSlots);
}
inline uint64_t GroupsFor(uint64_t slots) {
  return (slots + kGroupSlots - 1) / kGroupSlots;
}

// Moves letters [first, last) of a group one place up, or (first, last] one
// down; `incoming` enters at the end that is left.  Returns the letter that is
// pushed out at the other end.
uint32_t MoveLettersUp(GroupLetters& letters, int first, int last,
                       uint32_t incoming);
uint32_t MoveLettersDown(GroupLetters& letters, int first, int last,
                         uint32_t incoming);

template <typename Model>
class CodedLetters {
 public:
  static Result<CodedLetters> Create(uint64_t slots, const Model& model) {
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer buffer, Allocate(slots));
    return CodedLetters(std::move(buffer), model);
  }

  const RunCoder<Model>& coder() const { return coder_; }
  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }
  uint64_t num_groups() const { return buffer_.size_bytes() / kCodeBytes; }
  // The bytes that hold the letters of `slots` slots.
  std::span<const std::byte> bytes(uint64_t slots) const {
    return buffer_.bytes().first(GroupsFor(slots) * kCodeBytes);
  }

  void Prefetch(uint64_t slot) const {
    internal::Prefetch(buffer_.data() + GroupOf(slot) * kCodeBytes);
  }
  uint64_t Code(uint64_t group) const {
    return LoadWord(buffer_.data() + group * kCodeBytes) & LowBits(kCodeBits);
  }
  uint32_t at(uint64_t slot) const {
    return coder_.DecodeAt(Code(GroupOf(slot)), PlaceInGroup(slot));
  }
  bool AllZero(uint64_t group) const { return Code(group) == 0; }
  GroupLetters Group(uint64_t group) const {
    return coder_.Decode(Code(group));
  }
  // False if they do not fit; then nothing has changed.
  bool Store(uint64_t group, const GroupLetters& letters) {
    const std::optional<uint64_t> code = coder_.Encode(letters);
    if (code.has_value()) SetCode(group, *code);
    return code.has_value();
  }
  void ClearAll() { std::memset(buffer_.data(), 0, buffer_.size_bytes()); }

  // Follows SideData::OnShift.  Groups that do not fit any more are appended
  // to `pending`, and keep their old code until they are stored.
  void Shift(SlotRange moved, int by, std::vector<PendingGroup>& pending) {
    by > 0 ? ShiftUp(moved, pending) : ShiftDown(moved, pending);
  }
  // REQUIRES: slots is not less than it was
  Status OnGrow(uint64_t slots) {
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer grown, Allocate(slots));
    std::memcpy(grown.data(), buffer_.data(), buffer_.size_bytes());
    buffer_ = std::move(grown);
    return {};
  }
  // Takes what bytes() gave; kCorrupt if it is not of that length.
  Status Load(std::span<const std::byte> bytes, uint64_t slots);
  // Is each code word the one that its letters have?
  Status CheckCodes() const;

 private:
  static constexpr uint64_t kCodeBytes = kCodeBits / 8;

  CodedLetters(AlignedBuffer buffer, const Model& model)
      : buffer_(std::move(buffer)), coder_(model) {}

  // One more byte, so that the last word can be read whole.
  static Result<AlignedBuffer> Allocate(uint64_t slots) {
    return AlignedBuffer::Allocate(GroupsFor(slots) * kCodeBytes + 1);
  }
  void SetCode(uint64_t group, uint64_t code) {
    std::byte* at = buffer_.data() + group * kCodeBytes;
    StoreWord(at, (LoadWord(at) & ~LowBits(kCodeBits)) | code);
  }
  void StoreOrAppend(uint64_t group, const GroupLetters& letters,
                     std::vector<PendingGroup>& pending) {
    if (!Store(group, letters)) pending.push_back({group, letters});
  }
  void ShiftUp(SlotRange moved, std::vector<PendingGroup>& pending);
  void ShiftDown(SlotRange moved, std::vector<PendingGroup>& pending);

  AlignedBuffer buffer_;
  RunCoder<Model> coder_;
};

// The slots of `group` in [begin, last], as places in the group.
struct PlaceRange {
  int first;
  int last;
};
inline PlaceRange PlacesInGroup(uint64_t group, uint64_t begin, uint64_t last) {
  const uint64_t start = group * kGroupSlots;
  return {static_cast<int>(std::max(begin, start) - start),
          static_cast<int>(std::min(last, start + kGroupSlots - 1) - start)};
}

// Slots [begin, limit) went to [begin + 1, limit + 1); `begin` is new.
template <typename Model>
void CodedLetters<Model>::ShiftUp(SlotRange moved,
                                  std::vector<PendingGroup>& pending) {
  uint32_t carry = 0;
  for (uint64_t g = GroupOf(moved.begin); g <= GroupOf(moved.limit); ++g) {
    if (AllZero(g) && carry == 0) continue;
    GroupLetters letters = Group(g);
    const PlaceRange places = PlacesInGroup(g, moved.begin, moved.limit);
    carry = MoveLettersUp(letters, places.first, places.last, carry);
    StoreOrAppend(g, letters, pending);
  }
}

// Slots [begin, limit) went to [begin - 1, limit - 1); limit - 1 is free.
template <typename Model>
void CodedLetters<Model>::ShiftDown(SlotRange moved,
                                    std::vector<PendingGroup>& pending) {
  uint32_t carry = 0;
  for (uint64_t g = GroupOf(moved.limit - 1) + 1;
       g-- > GroupOf(moved.begin - 1);) {
    if (AllZero(g) && carry == 0) continue;
    GroupLetters letters = Group(g);
    const PlaceRange places =
        PlacesInGroup(g, moved.begin - 1, moved.limit - 1);
    carry = MoveLettersDown(letters, places.first, places.last, carry);
    StoreOrAppend(g, letters, pending);
  }
}

template <typename Model>
Status CodedLetters<Model>::Load(std::span<const std::byte> bytes,
                                 uint64_t slots) {
  if (bytes.size() != GroupsFor(slots) * kCodeBytes ||
      bytes.size() > buffer_.size_bytes()) {
    return {StatusCode::kCorrupt, std::to_string(bytes.size()) +
                                      " bytes of codes for " +
                                      std::to_string(slots) + " slots"};
  }
  if (!bytes.empty()) std::memcpy(buffer_.data(), bytes.data(), bytes.size());
  return {};
}

template <typename Model>
Status CodedLetters<Model>::CheckCodes() const {
  for (uint64_t g = 0; g < num_groups(); ++g) {
    if (coder_.Encode(Group(g)) != Code(g)) {
      return {StatusCode::kCorrupt, "(A3): the code of group " +
                                        std::to_string(g) +
                                        " is not that of its letters"};
    }
  }
  return {};
}

class PlainLetters {
 public:
  static Result<PlainLetters> Create(uint64_t slots) {
    TAMIS_ASSIGN_OR_RETURN(
        AlignedBuffer buffer,
        AlignedBuffer::Allocate(GroupsFor(slots) * kGroupSlots));
    return PlainLetters(std::move(buffer));
  }

  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }
  uint64_t num_groups() const { return buffer_.size_bytes() / kGroupSlots; }
  std::span<const std::byte> bytes(uint64_t slots) const {
    return buffer_.bytes().first(slots);
  }
  uint32_t at(uint64_t slot) const {
    return std::to_integer<uint32_t>(buffer_.data()[slot]);
  }
  void Prefetch(uint64_t slot) const {
    internal::Prefetch(buffer_.data() + slot);
  }
  GroupLetters Group(uint64_t group) const;
  bool Store(uint64_t group, const GroupLetters& letters);
  void ClearAll() { std::memset(buffer_.data(), 0, buffer_.size_bytes()); }
  void Shift(SlotRange moved, int by, std::vector<PendingGroup>& pending);
  Status OnGrow(uint64_t slots);
  Status Load(std::span<const std::byte> bytes, uint64_t slots);
  Status CheckCodes() const { return {}; }

 private:
  explicit PlainLetters(AlignedBuffer buffer) : buffer_(std::move(buffer)) {}

  AlignedBuffer buffer_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_
