// operator new of the module: memory of the server.
//
// Before OnLoad there is no server to ask: what constructors of globals need
// then comes from a small arena, and is never given back.
//
// Under the address sanitizer operator new stays as it is: the sanitizer knows
// more about it than we do.

#include <cstddef>
#include <new>

#include "redis/memory.h"

#ifndef __SANITIZE_ADDRESS__
namespace {

constexpr size_t kArenaBytes = size_t{1} << 18;
alignas(std::max_align_t) std::byte arena[kArenaBytes];
size_t arena_used = 0;

bool IsInArena(const void* memory) {
  const auto* at = static_cast<const std::byte*>(memory);
  return at >= arena && at < arena + kArenaBytes;
}

void* TakeFromArena(size_t bytes) {
  constexpr size_t kAlign = alignof(std::max_align_t);
  const size_t rounded = (bytes + kAlign - 1) / kAlign * kAlign;
  if (rounded > kArenaBytes - arena_used) return nullptr;
  void* memory = arena + arena_used;
  arena_used += rounded;
  return memory;
}

}  // namespace

void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  if (bytes == 0) bytes = 1;
  return tamis::redis::HasServerMemory() ? tamis::redis::Take(bytes)
                                         : TakeFromArena(bytes);
}
void* operator new(size_t bytes) {
  void* memory = operator new(bytes, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory == nullptr || IsInArena(memory)) return;
  tamis::redis::GiveBack(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  operator delete(memory);
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new[](size_t bytes, const std::nothrow_t& tag) noexcept {
  return operator new(bytes, tag);
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept {
  operator delete(memory);
}
#endif
