#include "tamis/internal/bits/aligned_buffer.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "tamis/internal/bits/words.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tamis::internal {
namespace {

constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Status OutOfMemory(uint64_t size_bytes) {
  return {StatusCode::kOutOfMemory,
          "can't allocate " + std::to_string(size_bytes) + " bytes"};
}

#ifdef __linux__
// Maps `size_bytes`, a multiple of a huge page, at a multiple of a huge page:
// asks for one page more and gives back what sticks out at both ends.
std::byte* MapHuge(uint64_t size_bytes) {
  void* raw = mmap(nullptr, size_bytes + kHugePageBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(raw);
  const uint64_t address = reinterpret_cast<uintptr_t>(raw);
  const uint64_t before = RoundUp(address, kHugePageBytes) - address;
  if (before != 0) munmap(begin, before);
  if (before != kHugePageBytes) {
    munmap(begin + before + size_bytes, kHugePageBytes - before);
  }
  madvise(begin + before, size_bytes, MADV_HUGEPAGE);  // advice may fail
  return begin + before;
}
#endif

}  // namespace

Result<AlignedBuffer> AlignedBuffer::Allocate(uint64_t size_bytes) {
  AlignedBuffer buffer;
  if (size_bytes == 0) return buffer;
  if (size_bytes > std::numeric_limits<uint64_t>::max() / 4) {
    return OutOfMemory(size_bytes);
  }
#ifdef __linux__
  if (size_bytes >= kHugePageBytes) {
    const uint64_t mapped = RoundUp(size_bytes, kHugePageBytes);
    buffer.data_ = MapHuge(mapped);
    if (buffer.data_ == nullptr) return OutOfMemory(size_bytes);
    buffer.mapped_bytes_ = mapped;
  }
#endif
  if (buffer.data_ == nullptr) {
    const uint64_t rounded = RoundUp(size_bytes, kLineBytes);
    buffer.data_ =
        static_cast<std::byte*>(std::aligned_alloc(kLineBytes, rounded));
    if (buffer.data_ == nullptr) return OutOfMemory(size_bytes);
    std::memset(buffer.data_, 0, rounded);
  }
  buffer.size_bytes_ = size_bytes;
  return buffer;
}

Result<AlignedBuffer> AlignedBuffer::From(const OuterBytes& outer,
                                          uint64_t size_bytes) {
  if (!outer.map) {
    TAMIS_ASSIGN_OR_RETURN(AlignedBuffer copy, Allocate(size_bytes));
    if (!outer.bytes.empty()) {
      std::memcpy(copy.data_, outer.bytes.data(), outer.size());
    }
    return copy;
  }
  if (outer.size() != size_bytes) {
    return Status(StatusCode::kCorrupt, std::to_string(outer.size()) +
                                            " bytes to map, expected " +
                                            std::to_string(size_bytes));
  }
  if (reinterpret_cast<uintptr_t>(outer.bytes.data()) % kLineBytes != 0) {
    return Status(StatusCode::kInvalidArgument,
                  "bytes to map must start at a multiple of 64");
  }
  AlignedBuffer view;
  view.data_ = const_cast<std::byte*>(outer.bytes.data());
  view.size_bytes_ = size_bytes;
  view.is_view_ = true;
  view.owner_ = outer.owner;
  return view;
}

Status AlignedBuffer::ReadOnly() {
  return {StatusCode::kUnsupported,
          "the filter is mapped and can only be asked; load it without `map` "
          "to change it"};
}

AlignedBuffer::~AlignedBuffer() {
  if (is_view_) return;
  if (mapped_bytes_ == 0) {
    std::free(data_);
    return;
  }
#ifdef __linux__
  munmap(data_, mapped_bytes_);
#endif
}

}  // namespace tamis::internal
