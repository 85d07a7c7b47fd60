// AlignedBuffer: zeroed memory whose first byte starts a cache line.
//
// Large buffers come straight from the system, aligned to and advised for huge
// pages: one random line per key then costs 10-30 % less, because the page
// table entry is more often cached.  A host can give the memory instead: see
// tamis/allocator.h.
//
// A buffer can also be a *view* of memory that somebody else wrote, such as a
// mapped file.  It is there to be read: CheckWritable says so to whoever is
// about to change a filter.
//
// Thread safety: that of a plain array.

#ifndef TAMIS_INTERNAL_BITS_ALIGNED_BUFFER_H_
#define TAMIS_INTERNAL_BITS_ALIGNED_BUFFER_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "tamis/result.h"

namespace tamis {

struct Allocator;

namespace internal {

// Bytes from outside, such as a section of a file: to be copied, or, with
// `map`, to be referred to.
struct OuterBytes {
  template <typename Bytes>
  requires std::convertible_to<const Bytes&, std::span<const std::byte>>
  // NOLINTNEXTLINE(google-explicit-constructor)
  OuterBytes(const Bytes& all) : bytes(all) {}

  uint64_t size() const { return bytes.size(); }

  std::span<const std::byte> bytes;
  bool map = false;
  std::shared_ptr<const void> owner = {};  // keeps them alive; may be empty
};

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Returns `size_bytes` zero bytes, or kOutOfMemory.
  static Result<AlignedBuffer> Allocate(uint64_t size_bytes);
  // Returns a copy of `outer` with zeros behind it, or a view of it; a view
  // must have all of `size_bytes` (kCorrupt), and start a line
  // (kInvalidArgument).  REQUIRES: outer.size() <= size_bytes
  static Result<AlignedBuffer> From(const OuterBytes& outer,
                                    uint64_t size_bytes);

  AlignedBuffer(AlignedBuffer&& other) noexcept { Swap(other); }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    AlignedBuffer(std::move(other)).Swap(*this);
    return *this;
  }
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  ~AlignedBuffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  uint64_t size_bytes() const { return size_bytes_; }
  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
  std::span<std::byte> bytes() { return {data_, size_bytes_}; }
  // kUnsupported if it is a view.
  Status CheckWritable() const {
    if (!is_view_) [[likely]]
      return {};
    return ReadOnly();
  }

 private:
  void Swap(AlignedBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    std::swap(memory_, other.memory_);
    std::swap(memory_bytes_, other.memory_bytes_);
    std::swap(allocator_, other.allocator_);
    std::swap(is_view_, other.is_view_);
    std::swap(owner_, other.owner_);
  }
  static Status ReadOnly();
  // Both set memory_ and data_, or leave them if there is no memory.
  void TakeFromHost();
  void TakeFromSystem();

  std::byte* data_ = nullptr;
  uint64_t size_bytes_ = 0;
  void* memory_ = nullptr;                // what was allocated; data_ is inside
  uint64_t memory_bytes_ = 0;             // its size
  const Allocator* allocator_ = nullptr;  // that gave it
  bool is_view_ = false;                  // then nothing was allocated
  std::shared_ptr<const void> owner_;     // of a view's bytes
};

}  // namespace internal
}  // namespace tamis

#endif  // TAMIS_INTERNAL_BITS_ALIGNED_BUFFER_H_
