// Counters: an array of 4-bit counters that never forget a key.
//
//   byte       0        1        2
//   counter  1 | 0    3 | 2    5 | 4      two to a byte, the even one low
//
// A counter that has reached 15 stays there, up and down: how often it was
// raised is no longer known, and a bit that is never cleared costs only a
// false positive, where one cleared too early would cost a member.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_COUNTERS_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_COUNTERS_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/result.h"
#include "tamis/status.h"

namespace tamis::internal {

class Counters {
 public:
  static constexpr unsigned kSaturated = 15;

  // Describes an array of zeros, but has no memory yet.
  explicit Counters(uint64_t count) : count_(count) {}
  Status Allocate() {
    TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::Allocate(size_bytes()));
    return {};
  }
  // REQUIRES: bytes.size() == size_bytes()
  Status Load(const OuterBytes& bytes) {
    assert(bytes.size() == size_bytes());
    TAMIS_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::From(bytes, size_bytes()));
    return {};
  }

  uint64_t count() const { return count_; }
  uint64_t size_bytes() const { return (count_ + 1) / 2; }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }

  unsigned Get(uint64_t index) const {
    assert(index < count_);
    const auto byte = static_cast<unsigned>(buffer_.data()[index / 2]);
    return byte >> (index % 2 * 4) & 15;
  }
  void Raise(uint64_t index) {
    if (Get(index) != kSaturated) buffer_.data()[index / 2] = Moved(index, 1);
  }
  // REQUIRES: Get(index) > 0
  void Lower(uint64_t index) {
    assert(Get(index) > 0);
    if (Get(index) != kSaturated) buffer_.data()[index / 2] = Moved(index, -1);
  }

 private:
  // Returns the counter's byte after the counter changed by `by`.
  std::byte Moved(uint64_t index, int by) const {
    const int byte = static_cast<int>(buffer_.data()[index / 2]);
    return static_cast<std::byte>(byte + by * (index % 2 == 0 ? 1 : 16));
  }

  AlignedBuffer buffer_;
  uint64_t count_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_COUNTERS_H_
