#include "tamis/allocator.h"

#include <atomic>
#include <cassert>

namespace tamis {
namespace {

constexpr Allocator kSystem;
std::atomic<const Allocator*> current = &kSystem;

}  // namespace

void SetAllocator(const Allocator* allocator) {
  assert(allocator == nullptr ||
         (allocator->allocate == nullptr) == (allocator->free == nullptr));
  current.store(allocator == nullptr ? &kSystem : allocator,
                std::memory_order_release);
}

const Allocator& CurrentAllocator() {
  return *current.load(std::memory_order_acquire);
}

}  // namespace tamis
