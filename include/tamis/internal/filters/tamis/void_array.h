// VoidArray: prefixes that are shorter than the homes of the active table.
//
// An entry that has given its last bit to its home is void; when the homes
// double once more it belongs to two of them, and can stand in neither.  There
// are few: with F = 12 one member in 2^13 of those there were at creation, and
// the like.  They stay here, with lengths that do not depend on the homes:
//
//   prefix       its home in the generation `resolution` (m0 2^resolution homes)
//   resolution   how many bits it fixes beyond those of the first generation
//
// sorted by resolution and prefix, so that a look-up is one binary search for
// each resolution there is.  A screen of 16 to 32 bits an entry in front of it
// answers for most keys.
//
// Invariants (CheckInvariants tests all of them):
//   (V1) The array is sorted, no prefix is too large for its resolution, and
//        every resolution is below the generation.
//   (V2) The screen is set wherever an entry covers a cell.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_VOID_ARRAY_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_VOID_ARRAY_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tamis/internal/bits/plain_vector.h"
#include "tamis/internal/filters/tamis/prefix.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class VoidArray {
 public:
  struct Entry {
    uint64_t resolution;
    uint64_t prefix;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  VoidArray() = default;
  // (V1) of entries from anywhere.
  static Status Check(uint64_t first_homes, int generation,
                      std::span<const Entry> entries);
  // REQUIRES: Check(first_homes, generation, entries).ok()
  static Result<VoidArray> Create(uint64_t first_homes, int generation,
                                  PlainVector<Entry> entries);

  bool empty() const { return entries_.empty(); }
  uint64_t size() const { return entries_.size(); }
  std::span<const Entry> entries() const { return entries_.span(); }
  uint64_t SizeBits() const { return screen_.SizeBits() + entries_.SizeBits(); }

  // Does an entry cover the key?
  bool MayContain(KeyHash hash) const {
    if (cells_ == 0) return false;
    const uint64_t cell = Place(hash, cells_).home;
    return IsMarked(cell) && CoversHash(hash);
  }
  // Returns the longest, or shortest, entry that covers a home, and its place.
  std::optional<size_t> FindLongest(uint64_t home) const;
  std::optional<size_t> FindShortest(uint64_t home) const;
  // Returns how many entries cover a home.
  uint64_t Count(uint64_t home) const;
  // Returns an entry as a prefix in the current generation, and back.
  Prefix PrefixOfEntry(const Entry& entry) const;
  Entry EntryOf(const Prefix& prefix) const;
  std::optional<size_t> Find(const Prefix& prefix) const;
  void Erase(size_t place);

  Status CheckInvariants() const;

 private:
  bool IsMarked(uint64_t cell) const {
    return (screen_[cell / 64] >> (cell % 64) & 1) != 0;
  }
  bool CoversHash(KeyHash hash) const;
  std::optional<size_t> FindAt(uint64_t resolution, uint64_t home) const;
  Status BuildScreen();
  // The cells that an entry covers: [begin, limit).
  struct Cells {
    uint64_t begin;
    uint64_t limit;
  };
  Cells CellsOf(const Entry& entry) const;

  uint64_t first_homes_ = 1;
  int generation_ = 0;
  PlainVector<Entry> entries_;
  int cell_generation_ = 0;
  uint64_t cells_ = 0;  // 0: nothing is there
  PlainVector<uint64_t> screen_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_VOID_ARRAY_H_
