#include "bits/huge_pages.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tamis::internal {

#ifdef __linux__
// Asks for one page more and gives back what sticks out at both ends.
std::byte* MapHugePages(uint64_t size_bytes) {
  void* raw = mmap(nullptr, size_bytes + kHugePageBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(raw);
  const uint64_t address = reinterpret_cast<uintptr_t>(raw);
  const uint64_t before = RoundUpTo(address, kHugePageBytes) - address;
  if (before != 0) munmap(begin, before);
  if (before != kHugePageBytes) {
    munmap(begin + before + size_bytes, kHugePageBytes - before);
  }
  return begin + before;
}

void UnmapHugePages(void* memory, uint64_t size_bytes) {
  munmap(memory, size_bytes);
}

void AdvisePages(void* memory, uint64_t size_bytes, bool huge) {
  const uint64_t begin = reinterpret_cast<uintptr_t>(memory);
  const uint64_t first = RoundUpTo(begin, kHugePageBytes);
  const uint64_t limit = (begin + size_bytes) / kHugePageBytes * kHugePageBytes;
  if (first >= limit) return;
  // Advice may fail.
  madvise(static_cast<std::byte*>(memory) + (first - begin), limit - first,
          huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}
#else
std::byte* MapHugePages(uint64_t /*size_bytes*/) { return nullptr; }
void UnmapHugePages(void* /*memory*/, uint64_t /*size_bytes*/) {}
void AdvisePages(void* /*memory*/, uint64_t /*size_bytes*/, bool /*huge*/) {}
#endif

}  // namespace tamis::internal
