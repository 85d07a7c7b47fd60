#include "redis/memory.h"

#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "redis/api.h"
#include "tamis/allocator.h"

namespace tamis::redis {
namespace {

thread_local int64_t* account = nullptr;
bool use_server = false;

void Charge(void* memory, int64_t sign) {
  if (account == nullptr || api.MallocSize == nullptr) return;
  *account += sign * static_cast<int64_t>(api.MallocSize(memory));
}

}  // namespace

void* Take(size_t bytes) {
  void* memory =
      api.TryAlloc != nullptr ? api.TryAlloc(bytes) : api.Alloc(bytes);
  if (memory != nullptr) Charge(memory, +1);
  return memory;
}

void GiveBack(void* memory) {
  Charge(memory, -1);
  api.Free(memory);
}

void ChargeFor(void* memory) { Charge(memory, +1); }

bool HasServerMemory() { return use_server; }

uint64_t MachineBytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

namespace {

void* TakeZeros(void* /*context*/, uint64_t bytes) {
  if (api.TryCalloc == nullptr) {
    void* memory = Take(bytes);
    if (memory != nullptr) std::memset(memory, 0, bytes);
    return memory;
  }
  void* memory = api.TryCalloc(1, bytes);
  if (memory != nullptr) Charge(memory, +1);
  return memory;
}

constexpr Allocator kServer = {
    .allocate = TakeZeros,
    .free = [](void*, void* memory, uint64_t) { GiveBack(memory); },
    .context = nullptr,
    // The server forks to save: small pages make the copies small.
    .huge_pages = false};

}  // namespace

void UseServerMemory() {
  use_server = true;
  SetAllocator(&kServer);
}

MemoryScope::MemoryScope(int64_t* value_account) : before_(account) {
  account = value_account;
}
MemoryScope::~MemoryScope() { account = before_; }

}  // namespace tamis::redis
