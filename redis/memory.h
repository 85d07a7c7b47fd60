// All memory of the module comes from the server, and each filter knows how
// much of it is its own.
//
//   tamis::SetAllocator   the filters' tables
//   operator new          everything else that C++ asks for
//
// Both end in the server's allocator, so that maxmemory sees every byte, and
// both add what was really taken (rounded up as the server's allocator does) to
// the account that is open in this thread.  A command opens the account of the
// filter it changes; what it takes or gives back meanwhile is that filter's:
//
//   MemoryScope scope(&value->bytes);     // int64_t
//   value->filter.Insert(hash);           // may grow: bytes follows
//
// Thread safety: the account is per thread; the server frees filters in a
// thread of its own, where none is open.

#ifndef TAMIS_REDIS_MEMORY_H_
#define TAMIS_REDIS_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace tamis::redis {

// From now on memory comes from the server.  REQUIRES: LoadApi was called
void UseServerMemory();

bool HasServerMemory();

// All that the machine has.
uint64_t MachineBytes();

// From the server, on the open account; nullptr if there is none.
void* Take(size_t bytes);
void GiveBack(void* memory);
// Adds what was taken before the account was open.
void ChargeFor(void* memory);

class MemoryScope {
 public:
  explicit MemoryScope(int64_t* account);
  ~MemoryScope();
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;

 private:
  int64_t* before_;
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_MEMORY_H_
