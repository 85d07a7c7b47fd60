#include "tamis/internal/bits/aligned_buffer.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "tamis/allocator.h"
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

// Whether buffers of this size are mapped, and in whole huge pages.
bool IsMapped(uint64_t size_bytes) {
#ifdef __linux__
  return size_bytes >= kHugePageBytes;
#else
  return false;
#endif
}

#ifdef __linux__
// Maps `size_bytes`, a multiple of a huge page, at a multiple of a huge page:
// asks for one page more and gives back what sticks out at both ends.
std::byte* Map(uint64_t size_bytes) {
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
  return begin + before;
}

// Asks for huge pages, or for none, where whole ones lie inside.
void AdvisePages(void* memory, uint64_t size_bytes, bool huge) {
  const uint64_t begin = reinterpret_cast<uintptr_t>(memory);
  const uint64_t first = RoundUp(begin, kHugePageBytes);
  const uint64_t limit = (begin + size_bytes) / kHugePageBytes * kHugePageBytes;
  if (first >= limit) return;
  // Advice may fail.
  madvise(static_cast<std::byte*>(memory) + (first - begin), limit - first,
          huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}
#else
std::byte* Map(uint64_t /*size_bytes*/) { return nullptr; }
void AdvisePages(void* /*memory*/, uint64_t /*size_bytes*/, bool /*huge*/) {}
#endif

}  // namespace

Result<AlignedBuffer> AlignedBuffer::Allocate(uint64_t size_bytes) {
  AlignedBuffer buffer;
  if (size_bytes == 0) return buffer;
  if (size_bytes > std::numeric_limits<uint64_t>::max() / 4) {
    return OutOfMemory(size_bytes);
  }
  buffer.size_bytes_ = size_bytes;
  buffer.allocator_ = &CurrentAllocator();
  if (buffer.allocator_->allocate != nullptr) {
    buffer.TakeFromHost();
  } else {
    buffer.TakeFromSystem();
  }
  if (buffer.memory_ == nullptr) return OutOfMemory(size_bytes);
  if (IsMapped(size_bytes)) {
    AdvisePages(buffer.memory_, buffer.memory_bytes_,
                buffer.allocator_->huge_pages);
  }
  return buffer;
}

// A host need not align to lines, so it is asked for one line more.
void AlignedBuffer::TakeFromHost() {
  memory_bytes_ = RoundUp(size_bytes_, kLineBytes) + kLineBytes;
  memory_ = allocator_->allocate(allocator_->context, memory_bytes_);
  const uint64_t address = reinterpret_cast<uintptr_t>(memory_);
  if (memory_ == nullptr) return;
  data_ = static_cast<std::byte*>(memory_) +
          (RoundUp(address, kLineBytes) - address);
}

void AlignedBuffer::TakeFromSystem() {
  if (IsMapped(size_bytes_)) {
    memory_bytes_ = RoundUp(size_bytes_, kHugePageBytes);
    memory_ = Map(memory_bytes_);
  } else {
    memory_bytes_ = RoundUp(size_bytes_, kLineBytes);
    memory_ = std::aligned_alloc(kLineBytes, memory_bytes_);
    if (memory_ != nullptr) std::memset(memory_, 0, memory_bytes_);
  }
  data_ = static_cast<std::byte*>(memory_);
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
  if (memory_ == nullptr) return;
  if (allocator_->free != nullptr) {
    allocator_->free(allocator_->context, memory_, memory_bytes_);
    return;
  }
#ifdef __linux__
  if (IsMapped(size_bytes_)) {
    munmap(memory_, memory_bytes_);
    return;
  }
#endif
  std::free(memory_);
}

}  // namespace tamis::internal
