#include "bits/arena.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <new>

#include "bits/huge_pages.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {
namespace {

uintptr_t PageOf(uintptr_t address) { return address & ~(kHugePageBytes - 1); }

void* MemoryAt(uintptr_t address) { return reinterpret_cast<void*>(address); }

Status Broken(const char* what) { return {StatusCode::kCorrupt, what}; }

}  // namespace

Arena::~Arena() {
  for (const auto& [begin, piece] : pieces_) {
    if (begin == PageOf(begin)) UnmapHugePages(MemoryAt(begin), kHugePageBytes);
  }
}

std::byte* Arena::Allocate(uint64_t size_bytes) {
  assert(size_bytes > 0 && size_bytes % kLineBytes == 0 &&
         size_bytes <= kHugePageBytes);
  const std::lock_guard lock(mutex_);
  auto best = by_size_.lower_bound({size_bytes, 0});
  if (best == by_size_.end()) {
    if (!AddPage()) return nullptr;
    best = by_size_.lower_bound({size_bytes, 0});
  }
  const auto [whole_bytes, begin] = *best;
  const auto piece = pieces_.find(begin);
  auto rest = pieces_.end();
  if (whole_bytes > size_bytes) {
    rest = MakeUsed(begin + size_bytes, whole_bytes - size_bytes);
    if (rest == pieces_.end()) return nullptr;
  }
  MarkUsed(piece);
  piece->second.size_bytes = size_bytes;
  if (rest != pieces_.end()) MarkFree(rest);
  used_bytes_ += size_bytes;
  return static_cast<std::byte*>(MemoryAt(begin));
}

bool Arena::Free(void* memory) {
  const std::lock_guard lock(mutex_);
  auto piece = pieces_.find(reinterpret_cast<Address>(memory));
  if (piece == pieces_.end()) return false;
  assert(!piece->second.is_free());
  used_bytes_ -= piece->second.size_bytes;
  MarkFree(piece);
  if (const auto next = std::next(piece); AreFreeNeighbours(piece, next)) {
    piece = Join(piece, next);
  }
  if (piece != pieces_.begin()) {
    const auto before = std::prev(piece);
    if (AreFreeNeighbours(before, piece)) piece = Join(before, piece);
  }
  if (piece->second.size_bytes == kHugePageBytes) ReturnPage(piece);
  return true;
}

// Returns pieces_.end(), and has changed nothing, if there is no memory.
Arena::Pieces::iterator Arena::MakeUsed(Address begin, uint64_t size_bytes) {
  try {
    BySize one(by_size_.get_allocator());
    one.emplace(size_bytes, begin);
    return pieces_
        .try_emplace(begin, Piece{size_bytes, one.extract(one.begin())})
        .first;
  } catch (const std::bad_alloc&) {
    return pieces_.end();
  }
}

void Arena::MarkFree(Pieces::iterator piece) {
  piece->second.rank.value() = {piece->second.size_bytes, piece->first};
  by_size_.insert(std::move(piece->second.rank));
}

void Arena::MarkUsed(Pieces::iterator piece) {
  piece->second.rank =
      by_size_.extract({piece->second.size_bytes, piece->first});
}

bool Arena::AreFreeNeighbours(Pieces::const_iterator first,
                              Pieces::const_iterator second) const {
  return second != pieces_.end() && first->second.is_free() &&
         second->second.is_free() &&
         PageOf(first->first) == PageOf(second->first);
}

Arena::Pieces::iterator Arena::Join(Pieces::iterator first,
                                    Pieces::iterator second) {
  MarkUsed(first);
  MarkUsed(second);
  first->second.size_bytes += second->second.size_bytes;
  pieces_.erase(second);
  MarkFree(first);
  return first;
}

// Unmaps a page that is all free if there is another such: who frees and asks
// again for a piece does not map and unmap each time.
void Arena::ReturnPage(Pieces::iterator piece) {
  const bool is_only =
      by_size_.lower_bound({kHugePageBytes, 0}) == std::prev(by_size_.end());
  if (is_only) return;
  MarkUsed(piece);
  UnmapHugePages(MemoryAt(piece->first), kHugePageBytes);
  mapped_bytes_ -= kHugePageBytes;
  pieces_.erase(piece);
}

bool Arena::AddPage() {
  if (!kHasHugePages) return false;
  std::byte* page = MapHugePages(kHugePageBytes);
  if (page == nullptr) return false;
  const auto piece = MakeUsed(reinterpret_cast<Address>(page), kHugePageBytes);
  if (piece == pieces_.end()) {
    UnmapHugePages(page, kHugePageBytes);
    return false;
  }
  AdvisePages(page, kHugePageBytes, /*huge=*/true);
  mapped_bytes_ += kHugePageBytes;
  MarkFree(piece);
  return true;
}

uint64_t Arena::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_bytes_;
}

uint64_t Arena::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  return mapped_bytes_;
}

// `end` is that of the piece before.
Status Arena::CheckPiece(Address begin, const Piece& piece, Address end) const {
  const bool starts_page = begin == PageOf(begin);
  const bool ends_page = end == PageOf(end);
  if (piece.size_bytes == 0 || piece.size_bytes % kLineBytes != 0 ||
      PageOf(begin + piece.size_bytes - 1) != PageOf(begin)) {
    return Broken("(A1): a piece is not whole lines of one page");
  }
  if (starts_page ? !ends_page : begin != end) {
    return Broken("(A1): a gap between pieces");
  }
  if (by_size_.contains({piece.size_bytes, begin}) != piece.is_free()) {
    return Broken("(A3): the order by size lacks a free piece");
  }
  return {};
}

Status Arena::CheckInvariants() const {
  const std::lock_guard lock(mutex_);
  uint64_t used = 0;
  uint64_t free = 0;
  Address end = 0;
  for (auto at = pieces_.begin(); at != pieces_.end(); ++at) {
    const auto& [begin, piece] = *at;
    TAMIS_RETURN_IF_ERROR(CheckPiece(begin, piece, end));
    if (AreFreeNeighbours(at, std::next(at))) {
      return Broken("(A2): free pieces touch");
    }
    (piece.is_free() ? free : used) += piece.size_bytes;
    end = begin + piece.size_bytes;
  }
  if (end != PageOf(end)) return Broken("(A1): a gap behind the last piece");
  if (by_size_.size() !=
      static_cast<uint64_t>(std::count_if(
          pieces_.begin(), pieces_.end(),
          [](const auto& each) { return each.second.is_free(); }))) {
    return Broken("(A3): a size without a free piece");
  }
  if (used != used_bytes_ || used + free != mapped_bytes_) {
    return Broken("(A4): bytes are not those of the pieces");
  }
  return {};
}

// Never destroyed: filters may be static.  Not from the heap: it may be full.
Arena& SharedArena() {
  alignas(Arena) static std::byte place[sizeof(Arena)];
  static Arena& arena = *new (place) Arena;
  return arena;
}

}  // namespace tamis::internal
