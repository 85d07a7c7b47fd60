#include "bits/arena.h"

#include <cassert>
#include <iterator>

#include "bits/huge_pages.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {
namespace {

uintptr_t PageOf(uintptr_t address) { return address & ~(kHugePageBytes - 1); }

Status Broken(const char* what) { return {StatusCode::kCorrupt, what}; }

}  // namespace

Arena::~Arena() {
  for (const Address page : pages_) {
    UnmapHugePages(reinterpret_cast<void*>(page), kHugePageBytes);
  }
}

std::byte* Arena::Allocate(uint64_t size_bytes) {
  assert(size_bytes % kLineBytes == 0 && size_bytes <= kHugePageBytes);
  const std::lock_guard lock(mutex_);
  auto best = by_size_.lower_bound({size_bytes, 0});
  if (best == by_size_.end()) {
    if (!AddPage()) return nullptr;
    best = by_size_.lower_bound({size_bytes, 0});
  }
  const auto [size, address] = *best;
  RemoveFree(free_.find(address));
  if (size > size_bytes) AddFree(address + size_bytes, size - size_bytes);
  used_bytes_ += size_bytes;
  return reinterpret_cast<std::byte*>(address);
}

bool Arena::Free(void* memory, uint64_t size_bytes) {
  auto begin = reinterpret_cast<Address>(memory);
  const Address page = PageOf(begin);
  const std::lock_guard lock(mutex_);
  if (!pages_.contains(page)) return false;
  used_bytes_ -= size_bytes;
  const auto next = free_.lower_bound(begin);
  if (next != free_.end() && next->first == begin + size_bytes &&
      PageOf(next->first) == page) {
    size_bytes += next->second;
    RemoveFree(next);
  }
  const auto after = free_.lower_bound(begin);
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin && before->first >= page) {
      begin = before->first;
      size_bytes += before->second;
      RemoveFree(before);
    }
  }
  AddFree(begin, size_bytes);
  return true;
}

// A page that is all free is unmapped if there is another: who frees and asks
// again for a piece does not map and unmap each time.
void Arena::AddFree(Address begin, uint64_t size_bytes) {
  const bool is_page = size_bytes == kHugePageBytes;
  const bool has_other =
      !by_size_.empty() && by_size_.rbegin()->first == kHugePageBytes;
  if (is_page && has_other) {
    pages_.erase(begin);
    UnmapHugePages(reinterpret_cast<void*>(begin), kHugePageBytes);
    return;
  }
  free_.emplace(begin, size_bytes);
  by_size_.emplace(size_bytes, begin);
}

void Arena::RemoveFree(std::map<Address, uint64_t>::iterator at) {
  by_size_.erase({at->second, at->first});
  free_.erase(at);
}

bool Arena::AddPage() {
  if (!kHasHugePages) return false;
  std::byte* page = MapHugePages(kHugePageBytes);
  if (page == nullptr) return false;
  AdvisePages(page, kHugePageBytes, /*huge=*/true);
  pages_.insert(reinterpret_cast<Address>(page));
  AddFree(reinterpret_cast<Address>(page), kHugePageBytes);
  return true;
}

uint64_t Arena::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_bytes_;
}

uint64_t Arena::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  return pages_.size() * kHugePageBytes;
}

Status Arena::CheckInvariants() const {
  const std::lock_guard lock(mutex_);
  uint64_t free_bytes = 0;
  Address end = 0;
  for (const auto& [begin, size] : free_) {
    const Address page = PageOf(begin);
    if (!pages_.contains(page) || begin + size > page + kHugePageBytes ||
        begin % kLineBytes != 0 || size % kLineBytes != 0) {
      return Broken("(A1): a free piece is not inside a page");
    }
    if (begin < end || (begin == end && begin != page)) {
      return Broken("(A1): free pieces overlap or touch");
    }
    if (!by_size_.contains({size, begin})) {
      return Broken("(A3): a free piece is not known by its size");
    }
    end = begin + size;
    free_bytes += size;
  }
  if (by_size_.size() != free_.size()) {
    return Broken("(A3): a size without a free piece");
  }
  if (used_bytes_ + free_bytes != pages_.size() * kHugePageBytes) {
    return Broken("(A2): used and free pieces are not all there is");
  }
  return {};
}

// Never destroyed: filters may be static.
Arena& SharedArena() {
  static Arena& arena = *new Arena;
  return arena;
}

}  // namespace tamis::internal
