#include "tamis/internal/filters/growing/chain_screen.h"

namespace tamis::internal {

Result<ChainScreen> ChainScreen::Build(
    const Generations& generations,
    std::span<const PrefixTable* const> tables) {
  uint64_t entries = 0;
  for (const PrefixTable* table : tables) entries += table->size();
  if (entries == 0) return ChainScreen();
  const int generation = CellGeneration(generations, entries);
  const uint64_t cells = generations.Homes(generation);
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer marks,
                         AlignedBuffer::Allocate((cells + 63) / 64 * 8));
  ChainScreen screen(generation, cells, std::move(marks));
  for (const PrefixTable* table : tables) {
    for (PrefixTable::Cursor at(*table); !at.done(); at.Next()) {
      // No entry is 0 (P2), but lines from outside may not have been checked.
      if (at.value() == 0) continue;
      screen.Mark(screen.CellsOf(*table, {at.home(), at.value()}));
    }
  }
  return screen;
}

ChainScreen::Cells ChainScreen::CellsOf(const PrefixTable& table,
                                        const TableEntry& entry) const {
  const int length = PrefixLength(entry.value, table.bits());
  const uint64_t prefix = table.PrefixOf(entry);
  const int up = generation_ - (table.generation() + length);
  if (up >= 0) return {prefix << up, uint64_t{1} << up};
  return {prefix >> -up, 1};
}

void ChainScreen::Mark(const Cells& cells) {
  for (uint64_t cell = cells.begin; cell < cells.begin + cells.count; ++cell) {
    std::byte* word = marks_.data() + cell / 64 * 8;
    StoreWord(word, LoadWord(word) | (uint64_t{1} << (cell % 64)));
  }
}

bool ChainScreen::Covers(const PrefixTable& table,
                         const TableEntry& entry) const {
  if (cells_ == 0) return false;
  const Cells cells = CellsOf(table, entry);
  for (uint64_t cell = cells.begin; cell < cells.begin + cells.count; ++cell) {
    if (!IsMarked(cell)) return false;
  }
  return true;
}

}  // namespace tamis::internal
