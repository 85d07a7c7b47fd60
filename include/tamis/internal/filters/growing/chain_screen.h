// ChainScreen: one bit per stretch of hashes that says whether any table of a
// chain holds a prefix there.
//
// The chain of an InfiniFilter is small, 2^-(F+1) of the filter, but asking it
// takes as long as asking any table in the cache, and doubles a look-up's work.
// The screen divides [0, 1) into many more cells than the chain has entries and
// marks those that an entry's prefix touches:
//
//   entries      0110    01    10111
//   cells     0000 .. 0100 0101 0110 0111 .. 1011 ..      (4 bits here)
//   marked             x    x    x    x       x
//
// A key whose cell is not marked is in no table of the chain, however long that
// is.  Marks stay when an entry is erased, until the screen is built anew with
// the next expansion or contraction.
//
// Cost: one bit test, and 16 to 32 bits an entry of the chain (4 to 8 where
// fingerprints are so short that most keys would pass anyway).

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_CHAIN_SCREEN_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_CHAIN_SCREEN_H_

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/growing/generations.h"
#include "tamis/internal/filters/growing/prefix_table.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class ChainScreen {
 public:
  // Nothing is marked.
  ChainScreen() = default;
  // Marks all entries of `tables`.
  static Result<ChainScreen> Build(const Generations& generations,
                                   std::span<const PrefixTable* const> tables);

  // Returns the generation whose homes are the cells for so many entries.
  static int CellGeneration(const Generations& generations, uint64_t entries) {
    const uint64_t wanted = entries * (generations.first_bits < 8 ? 4 : 16);
    int generation = 0;
    while (generations.Homes(generation) < wanted) ++generation;
    return generation;
  }

  bool MayContain(KeyHash hash) const {
    return cells_ != 0 && IsMarked(Place(hash, cells_).home);
  }
  // Returns whether all cells of an entry are marked.
  bool Covers(const PrefixTable& table, const TableEntry& entry) const;
  uint64_t SizeBits() const { return 8 * marks_.size_bytes(); }

 private:
  ChainScreen(int generation, uint64_t cells, AlignedBuffer marks)
      : generation_(generation), cells_(cells), marks_(std::move(marks)) {}

  bool IsMarked(uint64_t cell) const {
    return (LoadWord(marks_.data() + cell / 64 * 8) >> (cell % 64) & 1) != 0;
  }
  // The cells that an entry's prefix touches: [begin, begin + count).
  struct Cells {
    uint64_t begin;
    uint64_t count;
  };
  Cells CellsOf(const PrefixTable& table, const TableEntry& entry) const;
  void Mark(const Cells& cells);

  int generation_ = 0;
  uint64_t cells_ = 0;
  AlignedBuffer marks_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_CHAIN_SCREEN_H_
