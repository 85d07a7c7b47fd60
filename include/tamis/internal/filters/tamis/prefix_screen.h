// PrefixScreen: says of most keys, by one word, that no prefix of a set covers
// them.
//
// It is a Bloom filter of one word for each stretch of hashes, and three bits in
// it for a prefix.  A look-up reads the hash alone, not where a table would put
// it: hashes are cut into 2^r cells, about 2^5 prefixes wide, and a prefix is
// marked by its cell, or by two where it lies across a border:
//
//   hash   0 1 1 0 1 0 0 1 0 1 1 | 1 0 1 ...
//          \---- cell, r bits ---/
//   word   cell * words / 2^r;  its bits: three times 6 bits of cell * a constant
//
// Some prefixes are *marked* a second time, by another constant: those that are
// kept elsewhere, and are few.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_SCREEN_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_SCREEN_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "tamis/internal/bits/plain_vector.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/tamis/prefix.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class PrefixScreen {
 public:
  // Which marks: those of all, or of the few.
  enum class Mark : uint64_t {
    kAll = 0x9e3779b97f4a7c15,
    kFew = 0xd1342543de82ef95
  };

  // Covers no key, and has no room.
  PrefixScreen() = default;
  // For prefixes of at least `bits` bits in a table of so many homes.
  static Result<PrefixScreen> Create(uint64_t homes, int bits, uint64_t words) {
    PrefixScreen screen;
    screen.homes_ = homes;
    screen.bits_ = std::min(bits, 62 - CeilLog2(homes));
    screen.cell_bits_ = std::clamp(
        static_cast<int>(std::bit_width(homes)) + screen.bits_ - 6, 1, 62);
    TAMIS_ASSIGN_OR_RETURN(screen.words_, PlainVector<uint64_t>::Zeros(words));
    return screen;
  }
  // One that lets all pass.
  static Result<PrefixScreen> OfAll() {
    TAMIS_ASSIGN_OR_RETURN(PrefixScreen screen, Create(1, 1, 1));
    screen.words_[0] = ~uint64_t{0};
    return screen;
  }
  Result<PrefixScreen> Clone() const {
    PrefixScreen clone;
    clone.homes_ = homes_;
    clone.bits_ = bits_;
    clone.cell_bits_ = cell_bits_;
    TAMIS_ASSIGN_OR_RETURN(clone.words_,
                           PlainVector<uint64_t>::Copy(words_.span()));
    return clone;
  }

  bool empty() const { return words_.empty(); }
  uint64_t SizeBits() const { return words_.SizeBits(); }

  // May a prefix that was added cover the key?  REQUIRES: !empty()
  bool MayCover(KeyHash hash, Mark mark = Mark::kAll) const {
    return IsMarked(hash.high >> (64 - cell_bits_), mark);
  }
  // REQUIRES: !empty(); the prefix's home is one
  void Add(const Prefix& prefix, Mark mark = Mark::kAll) {
    const Cells cells = CellsOf(prefix);
    for (uint64_t cell = cells.first; cell <= cells.last; ++cell) {
      const uint64_t places = PlacesOf(cell, mark);
      words_[WordOf(cell)] |= uint64_t{1} << (places & 63) |
                              uint64_t{1} << (places >> 6 & 63) |
                              uint64_t{1} << (places >> 12 & 63);
    }
  }
  bool Has(const Prefix& prefix, Mark mark = Mark::kAll) const {
    const Cells cells = CellsOf(prefix);
    for (uint64_t cell = cells.first; cell <= cells.last; ++cell) {
      if (!IsMarked(cell, mark)) return false;
    }
    return true;
  }

 private:
  struct Cells {
    uint64_t first;
    uint64_t last;
  };

  // The prefix is [i, i + 1) / (homes * 2^bits) of all hashes.
  Cells CellsOf(const Prefix& prefix) const {
    const Uint128 parts = static_cast<Uint128>(homes_) << bits_;
    const Uint128 i = prefix.low >> (kStringBits - bits_);
    return {static_cast<uint64_t>((i << cell_bits_) / parts),
            static_cast<uint64_t>((((i + 1) << cell_bits_) - 1) / parts)};
  }
  uint64_t WordOf(uint64_t cell) const {
    return MultiplyHigh(cell << (64 - cell_bits_), words_.size());
  }
  // Three places in a word, 6 bits each.
  static uint64_t PlacesOf(uint64_t cell, Mark mark) {
    return (cell * static_cast<uint64_t>(mark)) >> 46;
  }
  bool IsMarked(uint64_t cell, Mark mark) const {
    const uint64_t word = words_[WordOf(cell)];
    const uint64_t places = PlacesOf(cell, mark);
    return (word >> (places & 63) & word >> (places >> 6 & 63) &
            word >> (places >> 12 & 63) & 1) != 0;
  }

  uint64_t homes_ = 1;
  int bits_ = 0;
  int cell_bits_ = 1;  // r
  PlainVector<uint64_t> words_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_PREFIX_SCREEN_H_
