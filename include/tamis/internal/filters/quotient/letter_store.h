// Letter stores: one letter per slot of a table, in an array beside it.
//
// A letter says how a slot was adapted: a selector, or an extension.  0 is "not
// at all".  Slots are taken in groups of 64, whatever the table's lines are:
//
//   CodedLetters   56 bits per group, an arithmetic code: 0.875 bits a slot
//                  | group 0, 7 bytes | group 1, 7 bytes | ... | 1 byte unused
//                  It can overflow: a group may hold only so much.  (Or 1 to
//                  16 bytes, as asked.)
//   PlainLetters   8 bits per slot; never overflows.
//
// A filter's cold code speaks to either through LetterStore; look-ups know
// which one it is.  A group that is to get more than fits is for the filter,
// which knows what letters mean, to make smaller (slot_plan.h).
//
// Free slots have letter 0.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/codes/run_coder.h"
#include "tamis/result.h"

namespace tamis::internal {

inline uint64_t GroupOf(uint64_t slot) { return slot / kGroupSlots; }
inline int PlaceInGroup(uint64_t slot) {
  return static_cast<int>(slot % kGroupSlots);
}
inline uint64_t GroupsFor(uint64_t slots) {
  return (slots + kGroupSlots - 1) / kGroupSlots;
}

class LetterStore {
 public:
  virtual ~LetterStore() = default;

  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }
  uint64_t num_groups() const { return buffer_.size_bytes() / group_bytes_; }
  // The bytes that hold the letters of `slots` slots, in whole groups; of codes
  // one more, because a word is read for each.
  std::span<const std::byte> bytes(uint64_t slots) const {
    return buffer_.bytes().first(SizeBytes(slots, group_bytes_));
  }

  void Prefetch(uint64_t slot) const {
    internal::Prefetch(buffer_.data() + GroupOf(slot) * group_bytes_);
  }
  virtual uint32_t at(uint64_t slot) const = 0;
  virtual bool AllZero(uint64_t group) const = 0;
  virtual GroupLetters Group(uint64_t group) const = 0;
  // Returns the code of these letters, for Store; nothing if they do not fit.
  virtual std::optional<CodeWord> Encode(const GroupLetters& letters) const = 0;
  virtual void Store(uint64_t group, const GroupLetters& letters,
                     CodeWord code) = 0;
  // No letter is greater: as long as there are few, look-ups compare with few
  // values.  It never falls; of letters in a mapped file nothing is known.
  uint32_t largest() const { return largest_; }
  // How much of a code's bits these letters use.
  virtual double BitsUsed(const GroupLetters& letters) const = 0;

  // Never makes it smaller.
  Status OnGrow(uint64_t slots);
  // Returns a buffer of letters 0 for as many slots, for Replace.
  Result<AlignedBuffer> Zeros() const {
    return AlignedBuffer::Allocate(buffer_.size_bytes());
  }
  Result<AlignedBuffer> Copy() const;
  // Takes another buffer for its own, and hands that over.
  AlignedBuffer Replace(AlignedBuffer buffer) {
    return std::exchange(buffer_, std::move(buffer));
  }
  // Takes what bytes() gave; kCorrupt if it is not of that length.  Files of
  // version 1 lack the last byte of codes, or what is behind the last slot.
  Status Load(const OuterBytes& bytes, uint64_t slots);
  // Is each code word the one that its letters have?
  virtual Status CheckCodes() const = 0;

 protected:
  LetterStore(AlignedBuffer buffer, uint64_t group_bytes)
      : buffer_(std::move(buffer)), group_bytes_(group_bytes) {}
  LetterStore(LetterStore&&) noexcept = default;
  LetterStore& operator=(LetterStore&&) noexcept = default;

  uint64_t group_bytes() const { return group_bytes_; }

  // One more byte than groups of 7 need, so that the last word can be read
  // whole.
  static uint64_t SizeBytes(uint64_t slots, uint64_t group_bytes) {
    return GroupsFor(slots) * group_bytes + (group_bytes % 8 == 0 ? 0 : 1);
  }
  static Result<AlignedBuffer> Allocate(uint64_t slots, uint64_t group_bytes) {
    return AlignedBuffer::Allocate(SizeBytes(slots, group_bytes));
  }

  // Of letters that are about to be stored.
  void RaiseLargest(const GroupLetters& letters) {
    for (uint64_t left = letters.nonzero; left != 0; left &= left - 1) {
      largest_ = std::max(largest_, letters.at(std::countr_zero(left)));
    }
  }

  AlignedBuffer buffer_;

 private:
  uint64_t group_bytes_;
  uint32_t largest_ = 0;
};

template <typename Model>
class CodedLetters final : public LetterStore {
 public:
  // REQUIRES: code_bits is a multiple of 8
  static Result<CodedLetters> Create(uint64_t slots, const Model& model,
                                     int code_bits = kCodeBits) {
    const auto code_bytes = static_cast<uint64_t>(code_bits / 8);
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer buffer, Allocate(slots, code_bytes));
    return CodedLetters(std::move(buffer), code_bytes,
                        RunCoder<Model>(model, code_bits));
  }

  CodeWord Code(uint64_t group) const {
    std::array<std::byte, sizeof(CodeWord)> bytes{};
    std::memcpy(bytes.data(), buffer_.data() + group * group_bytes(),
                group_bytes());
    return (static_cast<CodeWord>(LoadWord(bytes.data() + 8)) << 64) |
           LoadWord(bytes.data());
  }
  uint32_t at(uint64_t slot) const override {
    if (group_bytes() == kUsualBytes) [[likely]] {
      const uint64_t code =
          LoadWord(buffer_.data() + GroupOf(slot) * kUsualBytes) &
          LowBits(kCodeBits);
      if (code == 0) return 0;  // as in all groups of a filter not adapted yet
      return coder_.DecodeShortAt(code, PlaceInGroup(slot));
    }
    return coder_.DecodeAt(Code(GroupOf(slot)), PlaceInGroup(slot));
  }
  // Says yes only if the letter is 0, for look-ups: without a branch, and seldom
  // no where it should be yes.  See SureLetters::IsZero.
  bool IsSurelyZero(uint64_t slot) const {
    if (sure_letters_ == nullptr) [[unlikely]]
      return false;
    const uint64_t word = LoadWord(buffer_.data() + GroupOf(slot) * kUsualBytes)
                          << 8;
    if (word == 0) return true;
    // Of the byte behind the word, which belongs to the next, nothing is left.
    return sure_letters_->IsZero(word >> 1, PlaceInGroup(slot));
  }
  bool AllZero(uint64_t group) const override { return Code(group) == 0; }
  GroupLetters Group(uint64_t group) const override {
    return coder_.Decode(Code(group));
  }
  std::optional<CodeWord> Encode(const GroupLetters& letters) const override {
    return coder_.Encode(letters);
  }
  void Store(uint64_t group, const GroupLetters& letters,
             CodeWord code) override {
    RaiseLargest(letters);
    std::array<std::byte, sizeof(CodeWord)> bytes;
    StoreWord(bytes.data(), static_cast<uint64_t>(code));
    StoreWord(bytes.data() + 8, static_cast<uint64_t>(code >> 64));
    std::memcpy(buffer_.data() + group * group_bytes(), bytes.data(),
                group_bytes());
  }
  double BitsUsed(const GroupLetters& letters) const override {
    return coder_.BitsUsed(letters);
  }
  Status CheckCodes() const override {
    for (uint64_t g = 0; g < num_groups(); ++g) {
      if (coder_.Encode(Group(g)) != Code(g)) {
        return {StatusCode::kCorrupt, "(A3): the code of group " +
                                          std::to_string(g) +
                                          " is not that of its letters"};
      }
    }
    return {};
  }

 private:
  static constexpr uint64_t kUsualBytes = kCodeBits / 8;

  CodedLetters(AlignedBuffer buffer, uint64_t code_bytes,
               const RunCoder<Model>& coder)
      : LetterStore(std::move(buffer), code_bytes),
        coder_(coder),
        sure_letters_(coder.sure_letters()) {}

  RunCoder<Model> coder_;
  const SureLetters*
      sure_letters_;  // null unless words are of the usual length
};

class PlainLetters final : public LetterStore {
 public:
  static Result<PlainLetters> Create(uint64_t slots) {
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer buffer, Allocate(slots, kGroupSlots));
    return PlainLetters(std::move(buffer));
  }

  uint32_t at(uint64_t slot) const override {
    return std::to_integer<uint32_t>(buffer_.data()[slot]);
  }
  bool IsSurelyZero(uint64_t slot) const { return at(slot) == 0; }
  bool AllZero(uint64_t group) const override;
  GroupLetters Group(uint64_t group) const override;
  std::optional<CodeWord> Encode(
      const GroupLetters& /*letters*/) const override {
    return 0;
  }
  void Store(uint64_t group, const GroupLetters& letters,
             CodeWord code) override;
  double BitsUsed(const GroupLetters& /*letters*/) const override { return 0; }
  Status CheckCodes() const override { return {}; }

 private:
  explicit PlainLetters(AlignedBuffer buffer)
      : LetterStore(std::move(buffer), kGroupSlots) {}
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_STORE_H_
