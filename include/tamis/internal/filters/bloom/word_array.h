// WordArray: M words of w bits, none of which crosses a cache line.
//
//   line      0                                   1
//   word      0    1    2    3    4    5    6    7    8    ...     w = 64
//   word      0         1         2         3         4    ...     w = 128
//
//   in a word      bit  w-1 .. w-s | w-s-1 ......... 0
//                       selector   | bits of the filter
//
// Words start at multiples of their size in a buffer that starts a line, and
// their size divides a line, so testing a key reads one line: by construction.
//
// The selector is there in adaptive filters only (s = 0 otherwise) and says
// which set of positions the word was made with.
//
// Invariants (CheckInvariants of the filters tests what they can break):
//   (W1) data() is a multiple of 64, and w divides 512.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_WORD_ARRAY_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_WORD_ARRAY_H_

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/bloom/draws.h"
#include "tamis/internal/filters/bloom/word_probe.h"
#include "tamis/status.h"

namespace tamis::internal {

// The lanes of one word, lowest first; those beyond its width are 0.
using WordBits = std::array<uint64_t, kLineBits / 64>;

class WordArray {
 public:
  // Describes an array whose words are all empty, but has no memory yet.
  WordArray(uint64_t words, WordShape shape) : words_(words), shape_(shape) {}
  // kOutOfMemory if there is no room; nothing but sizes may be asked before.
  Status Allocate();
  // Takes the contents from outside, copied or mapped.
  // REQUIRES: bytes.size() == size_bytes()
  Status LoadFrom(const OuterBytes& bytes);
  Status CheckWritable() const { return buffer_.CheckWritable(); }

  uint64_t words() const { return words_; }
  const WordShape& shape() const { return shape_; }
  uint64_t size_bytes() const { return words_ * shape_.word_bytes(); }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }
  const std::byte* At(uint64_t word) const {
    assert(word < words_);
    return buffer_.data() + word * shape_.word_bytes();
  }
  std::byte* At(uint64_t word) {
    assert(word < words_);
    return buffer_.data() + word * shape_.word_bytes();
  }

  // gcc takes a function that only prefetches for one without effect, and
  // drops calls of it; the empty statement is an effect that costs nothing.
  void Prefetch(uint64_t word) const {
    const std::byte* address = At(word);
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
  }

  // Returns whether the `count` positions of a key in `set` are all set.
  bool Test(uint64_t word, const Placed& placed, unsigned set,
            int count) const {
    if (shape_.word_bits == 64 && count <= kDrawsPerStream) {
      return TestWord(LoadWord(At(word)), Stream(placed, 0), set,
                      shape_.usable_bits, count);
    }
    return TestMany(word, placed, set, count);
  }
  void Set(uint64_t word, const Placed& placed, unsigned set, int count);

  // Returns whether a key is in `word` in the set that its selector names.
  // Reads the word once.  REQUIRES: selector_bits > 0
  bool TestSelected(uint64_t word, const Placed& placed, int count) const {
    if (shape_.word_bits == 64 && count <= kDrawsPerStream) {
      const uint64_t bits = LoadWord(At(word));
      const auto set = static_cast<unsigned>(bits >> shape_.usable_bits);
      return TestWord(bits, Stream(placed, 0), set, shape_.usable_bits, count);
    }
    return TestMany(word, placed, Selector(word), count);
  }
  unsigned Selector(uint64_t word) const {
    const uint64_t top = LoadWord(At(word) + shape_.word_bytes() - 8);
    return static_cast<unsigned>(top >> (64 - shape_.selector_bits()));
  }

  // The bits of the filter, without the selector, and the reverse.
  WordBits Load(uint64_t word) const;
  void Store(uint64_t word, const WordBits& bits, unsigned selector);

  // Returns the number of set bits, selectors included.
  uint64_t CountOnes() const;
  // Sets every bit that is set in `other`.  REQUIRES: equal sizes
  void Unite(const WordArray& other);

 private:
  // Test for wide words, and for more draws than a stream has.
  bool TestMany(uint64_t word, const Placed& placed, unsigned set,
                int count) const;

  AlignedBuffer buffer_;
  uint64_t words_;
  WordShape shape_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_WORD_ARRAY_H_
