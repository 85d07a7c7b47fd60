#include "tamis/internal/filters/bloom/word_array.h"

#include "tamis/result.h"

namespace tamis::internal {

Status WordArray::Allocate() {
  TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::Allocate(size_bytes()));
  return {};
}

Status WordArray::LoadFrom(const OuterBytes& bytes) {
  assert(bytes.size() == size_bytes());
  TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::From(bytes, size_bytes()));
  return {};
}

bool WordArray::TestMany(uint64_t word, const Placed& placed, unsigned set,
                         int count) const {
  const std::byte* bytes = At(word);
  unsigned all = 1;
  ForEachPosition(placed, set, count, shape_, [&](unsigned position) {
    all &= static_cast<unsigned>(bytes[position / 8]) >> (position % 8);
  });
  return (all & 1) != 0;
}

void WordArray::Set(uint64_t word, const Placed& placed, unsigned set,
                    int count) {
  std::byte* bytes = At(word);
  ForEachPosition(placed, set, count, shape_, [&](unsigned position) {
    bytes[position / 8] |= std::byte{1} << (position % 8);
  });
}

WordBits WordArray::Load(uint64_t word) const {
  WordBits bits = {};
  const unsigned lanes = shape_.lanes();
  for (unsigned i = 0; i < lanes; ++i) bits[i] = LoadWord(At(word) + 8 * i);
  bits[lanes - 1] &= LowBits(64 - shape_.selector_bits());
  return bits;
}

void WordArray::Store(uint64_t word, const WordBits& bits, unsigned selector) {
  const unsigned lanes = shape_.lanes();
  for (unsigned i = 0; i < lanes; ++i) StoreWord(At(word) + 8 * i, bits[i]);
  if (shape_.selector_bits() == 0) return;
  const uint64_t top = bits[lanes - 1] | uint64_t{selector}
                                             << (64 - shape_.selector_bits());
  StoreWord(At(word) + 8 * (lanes - 1), top);
}

uint64_t WordArray::CountOnes() const {
  uint64_t ones = 0;
  for (uint64_t i = 0; i < size_bytes(); i += 8) {
    ones += static_cast<uint64_t>(std::popcount(LoadWord(buffer_.data() + i)));
  }
  return ones;
}

void WordArray::Unite(const WordArray& other) {
  assert(size_bytes() == other.size_bytes());
  for (uint64_t i = 0; i < size_bytes(); ++i) {
    buffer_.data()[i] |= other.buffer_.data()[i];
  }
}

}  // namespace tamis::internal
