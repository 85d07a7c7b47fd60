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
// Free needs no memory, because destructors call it: a piece is known from the
// moment it is cut, and while it is used it keeps its node of the order by size.
//
// Invariants (CheckInvariants tests all of them):
//   (A1) Pieces are whole lines and fill their pages without a gap.
//   (A2) No two free pieces of a page touch.
//   (A3) The order by size holds the free pieces, and no other.
//   (A4) used_bytes() is what the used pieces hold, mapped_bytes() what all do.
//
// Thread safety: all of it, from any thread.

#ifndef TAMIS_BITS_ARENA_H_
#define TAMIS_BITS_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <mutex>
#include <set>
#include <utility>

#include "tamis/result.h"

namespace tamis::internal {

class Arena {
 public:
  // Notes about the pieces take their memory from there.
  explicit Arena(
      std::pmr::memory_resource* notes = std::pmr::new_delete_resource())
      : pieces_(notes), by_size_(notes) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns memory that starts a line and holds anything, or nullptr.
  // REQUIRES: size_bytes is a multiple of a line, at most a huge page, not 0
  std::byte* Allocate(uint64_t size_bytes);
  // Takes back what Allocate returned; false, and nothing happens, if it is
  // memory from elsewhere.
  bool Free(void* memory);

  uint64_t used_bytes() const;
  uint64_t mapped_bytes() const;
  Status CheckInvariants() const;

 private:
  using Address = uintptr_t;
  using BySize = std::pmr::set<std::pair<uint64_t, Address>>;
  struct Piece {
    bool is_free() const { return rank.empty(); }

    uint64_t size_bytes;
    BySize::node_type rank;  // of by_size_, where a free piece has it
  };
  using Pieces = std::pmr::map<Address, Piece>;

  bool AddPage();
  Pieces::iterator MakeUsed(Address begin, uint64_t size_bytes);
  void MarkFree(Pieces::iterator piece);
  void MarkUsed(Pieces::iterator piece);
  bool AreFreeNeighbours(Pieces::const_iterator first,
                         Pieces::const_iterator second) const;
  Pieces::iterator Join(Pieces::iterator first, Pieces::iterator second);
  void ReturnPage(Pieces::iterator piece);
  Status CheckPiece(Address begin, const Piece& piece, Address end) const;

  mutable std::mutex mutex_;
  Pieces pieces_;   // used and free
  BySize by_size_;  // the free ones
  uint64_t used_bytes_ = 0;
  uint64_t mapped_bytes_ = 0;
};

// That of all filters.
Arena& SharedArena();

}  // namespace tamis::internal

#endif  // TAMIS_BITS_ARENA_H_
