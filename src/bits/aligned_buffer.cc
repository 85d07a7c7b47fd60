#include "tamis/internal/bits/aligned_buffer.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "bits/arena.h"
#include "bits/huge_pages.h"
#include "tamis/allocator.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {
namespace {

Status OutOfMemory(uint64_t size_bytes) {
  return {StatusCode::kOutOfMemory,
          "can't allocate " + std::to_string(size_bytes) + " bytes"};
}

// Whether buffers of this size are mapped, and in whole huge pages.
bool IsMapped(uint64_t size_bytes) {
  return kHasHugePages && size_bytes >= kHugePageBytes;
}

// Smaller ones share huge pages (arena.h), if they are not small themselves and
// so many that small pages would be slow: a processor knows where 1024 to 2048
// of those are.
constexpr uint64_t kLeastPiece = uint64_t{16} << 10;
constexpr uint64_t kManyBytes = uint64_t{8} << 20;
std::atomic<uint64_t> bytes_in_pieces = 0;

bool IsPiece(uint64_t size_bytes) {
  return kHasHugePages && size_bytes >= kLeastPiece &&
         size_bytes < kHugePageBytes;
}

void* AllocatePiece(uint64_t size_bytes, bool huge_pages) {
  const uint64_t before = bytes_in_pieces.fetch_add(size_bytes);
  void* piece = nullptr;
  if (huge_pages && before >= kManyBytes) {
    piece = SharedArena().Allocate(size_bytes);
  }
  if (piece == nullptr) piece = std::aligned_alloc(kLineBytes, size_bytes);
  if (piece == nullptr) bytes_in_pieces.fetch_sub(size_bytes);
  return piece;
}

void FreePiece(void* piece, uint64_t size_bytes) {
  bytes_in_pieces.fetch_sub(size_bytes);
  if (!SharedArena().Free(piece)) std::free(piece);
}

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
  memory_bytes_ = RoundUpTo(size_bytes_, kLineBytes) + kLineBytes;
  memory_ = allocator_->allocate(allocator_->context, memory_bytes_);
  const uint64_t address = reinterpret_cast<uintptr_t>(memory_);
  if (memory_ == nullptr) return;
  data_ = static_cast<std::byte*>(memory_) +
          (RoundUpTo(address, kLineBytes) - address);
}

void AlignedBuffer::TakeFromSystem() {
  if (IsMapped(size_bytes_)) {
    memory_bytes_ = RoundUpTo(size_bytes_, kHugePageBytes);
    memory_ = MapHugePages(memory_bytes_);
  } else {
    memory_bytes_ = RoundUpTo(size_bytes_, kLineBytes);
    memory_ = IsPiece(memory_bytes_)
                  ? AllocatePiece(memory_bytes_, allocator_->huge_pages)
                  : std::aligned_alloc(kLineBytes, memory_bytes_);
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
  if (IsMapped(size_bytes_)) {
    UnmapHugePages(memory_, memory_bytes_);
  } else if (IsPiece(memory_bytes_)) {
    FreePiece(memory_, memory_bytes_);
  } else {
    std::free(memory_);
  }
}

}  // namespace tamis::internal
