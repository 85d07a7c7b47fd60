// PlainVector: a vector of plain values whose memory is that of filters.
//
// What grows with the number of keys must come from the host's allocator, and
// lack of it must be a status (tamis/allocator.h).  std::vector knows neither.
// Room is asked for first, which may fail; using it can't:
//
//   TAMIS_RETURN_IF_ERROR(vector.Reserve(vector.size() + 1));
//   vector.Insert(place, value);
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_BITS_PLAIN_VECTOR_H_
#define TAMIS_INTERNAL_BITS_PLAIN_VECTOR_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/result.h"

namespace tamis::internal {

template <typename T>
requires std::is_trivially_copyable_v<T>
class PlainVector {
 public:
  PlainVector() = default;
  PlainVector(PlainVector&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        size_(std::exchange(other.size_, 0)) {}
  PlainVector& operator=(PlainVector&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  // `size` values of zero bytes.
  static Result<PlainVector> Zeros(uint64_t size) {
    PlainVector result;
    TAMIS_RETURN_IF_ERROR(result.Reserve(size));
    result.size_ = size;
    return result;
  }
  static Result<PlainVector> Copy(std::span<const T> values) {
    PlainVector result;
    TAMIS_RETURN_IF_ERROR(result.Append(values));
    return result;
  }
  // Bytes from outside, copied or referred to.
  // REQUIRES: outer.size() is a multiple of sizeof(T)
  static Result<PlainVector> From(const OuterBytes& outer) {
    PlainVector result;
    TAMIS_ASSIGN_OR_RETURN(result.buffer_,
                           AlignedBuffer::From(outer, outer.size()));
    result.size_ = outer.size() / sizeof(T);
    return result;
  }

  uint64_t size() const { return size_; }
  uint64_t capacity() const { return buffer_.size_bytes() / sizeof(T); }
  bool empty() const { return size_ == 0; }
  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](uint64_t i) { return data()[i]; }
  const T& operator[](uint64_t i) const { return data()[i]; }
  std::span<const T> span() const { return {data(), size_}; }
  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }
  // Of a vector that refers to bytes of others: kUnsupported.
  Status CheckWritable() const { return buffer_.CheckWritable(); }

  // Makes room for `size` values in all; nothing changes if there is none.
  Status Reserve(uint64_t size) {
    if (size <= capacity()) return {};
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer larger,
                           AlignedBuffer::Allocate(size * sizeof(T)));
    if (size_ != 0) std::memcpy(larger.data(), data(), size_ * sizeof(T));
    buffer_ = std::move(larger);
    return {};
  }
  // Gives back what is not used, if there is memory to move to.
  void Fit() {
    if (size_ == capacity()) return;
    Result<PlainVector> exact = Copy(span());
    if (exact.ok()) *this = std::move(exact).value();
  }
  // As Reserve, in steps so large that a long series of them costs little.
  Status ReserveMore(uint64_t more) {
    if (size_ + more <= capacity()) return {};
    return Reserve(std::max(size_ + more, size_ + size_ / 2 + 8));
  }
  Status Append(const T& value) {
    TAMIS_RETURN_IF_ERROR(ReserveMore(1));
    data()[size_++] = value;
    return {};
  }
  Status Append(std::span<const T> values) {
    TAMIS_RETURN_IF_ERROR(Reserve(size_ + values.size()));
    std::copy(values.begin(), values.end(), end());
    size_ += values.size();
    return {};
  }

  // REQUIRES: place <= size() < capacity()
  void Insert(uint64_t place, const T& value) {
    assert(place <= size_ && size_ < capacity());
    std::copy_backward(begin() + place, end(), end() + 1);
    data()[place] = value;
    ++size_;
  }
  // REQUIRES: place < size()
  void Erase(uint64_t place) {
    assert(place < size_);
    std::copy(begin() + place + 1, end(), begin() + place);
    --size_;
  }

 private:
  AlignedBuffer buffer_;
  uint64_t size_ = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_PLAIN_VECTOR_H_
