// Allocator: where the memory of filters comes from.
//
// Tables, words, bins, mirrors and codes, and the large arrays that bulk
// operations need for a while, come from one place that a host can set: a
// server that must see and limit what its modules use.
//
//   static const tamis::Allocator kHost = {
//       .allocate = [](void*, uint64_t bytes) { return ServerCalloc(bytes); },
//       .free = [](void*, void* memory, uint64_t) { ServerFree(memory); },
//       .huge_pages = false};
//   tamis::SetAllocator(&kHost);   // before the first filter
//
// An operation for which `allocate` has no memory gives kOutOfMemory and leaves
// the filter as it was.  What is small, whatever the number of keys (names,
// options, lists of tables), comes from operator new; so do the bytes of
// Serialize.
//
// Thread safety: SetAllocator may be called at any time; a filter frees what it
// has where it came from.  A host's functions are called from every thread that
// uses filters, and must not throw.

#ifndef TAMIS_ALLOCATOR_H_
#define TAMIS_ALLOCATOR_H_

#include <cstdint>

#include "tamis/internal/base/cxx20.h"

namespace tamis {

struct Allocator {
  // Returns zero bytes, aligned as malloc would, or nullptr if there are none.
  // Not set: memory comes straight from the system.
  void* (*allocate)(void* context, uint64_t size_bytes) = nullptr;
  // Takes back what `allocate` returned, with the size that was asked for.
  // REQUIRES: set if `allocate` is.
  void (*free)(void* context, void* memory, uint64_t size_bytes) = nullptr;
  void* context = nullptr;  // handed to both
  // Whether large buffers ask for huge pages: 10-30 % off look-ups, but a host
  // that forks copies 2 MB where it would have copied 4 KB.
  bool huge_pages = true;
};

// From now on memory comes from `allocator`; nullptr: from the system, with
// huge pages, as in the beginning.  REQUIRES: *allocator stays as it is for as
// long as memory from it is in use.
void SetAllocator(const Allocator* allocator);

// Returns what new memory comes from.
const Allocator& CurrentAllocator();

}  // namespace tamis

#endif  // TAMIS_ALLOCATOR_H_
