// Arena: pieces of huge pages, for the tables of shards.
//
// A large filter in shards has thousands of tables of some 50 KB.  On small
// pages a random look-up misses the page table's cache nearly each time, and in
// a virtual machine that costs as much as the look-up.  So tables share pages of
// 2 MB, once there are so many that it matters:
//
//   page     | 33 KB | 41 KB |  free  | 51 KB | ...        2 MB each
//
//   Allocate   the smallest free piece that is large enough, cut to size; a new
//              page if there is none
//   Free       joined with free neighbours of the same page; a page of which
//              all is free goes back to the system, but one
//
// What is free and not given back is the price: a filter that grows leaves holes
// behind that the next size does not fit, about a fifth in a simulation.
//
// Invariants (CheckInvariants tests all of them):
//   (A1) Free pieces are whole lines, disjoint, inside a page, and no two touch.
//   (A2) used_bytes() and free pieces together are all pages.
//   (A3) Both orders of the free pieces hold the same.
//
// Thread safety: all of it, from any thread.

#ifndef TAMIS_BITS_ARENA_H_
#define TAMIS_BITS_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "tamis/result.h"

namespace tamis::internal {

class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns memory that starts a line and holds anything, or nullptr.
  // REQUIRES: size_bytes is a multiple of a line, at most a huge page
  std::byte* Allocate(uint64_t size_bytes);
  // Takes back what Allocate returned; false, and nothing happens, if it is
  // memory from elsewhere.
  bool Free(void* memory, uint64_t size_bytes);

  uint64_t used_bytes() const;
  uint64_t mapped_bytes() const;
  Status CheckInvariants() const;

 private:
  using Address = uintptr_t;
  bool AddPage();
  void AddFree(Address begin, uint64_t size_bytes);
  void RemoveFree(std::map<Address, uint64_t>::iterator at);

  mutable std::mutex mutex_;
  std::set<Address> pages_;
  std::map<Address, uint64_t> free_;                // by address: size
  std::set<std::pair<uint64_t, Address>> by_size_;  // the same
  uint64_t used_bytes_ = 0;
};

// That of all filters.
Arena& SharedArena();

}  // namespace tamis::internal

#endif  // TAMIS_BITS_ARENA_H_
