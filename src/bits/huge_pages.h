// Memory straight from the system, in whole huge pages.

#ifndef TAMIS_BITS_HUGE_PAGES_H_
#define TAMIS_BITS_HUGE_PAGES_H_

#include <cstddef>
#include <cstdint>

namespace tamis::internal {

inline constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

#ifdef __linux__
inline constexpr bool kHasHugePages = true;
#else
inline constexpr bool kHasHugePages = false;
#endif

constexpr uint64_t RoundUpTo(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Maps zero bytes at a multiple of a huge page; nullptr if there are none.
// REQUIRES: kHasHugePages; size_bytes is a multiple of a huge page
std::byte* MapHugePages(uint64_t size_bytes);
void UnmapHugePages(void* memory, uint64_t size_bytes);

// Asks for huge pages, or for none, where whole ones lie inside.
void AdvisePages(void* memory, uint64_t size_bytes, bool huge);

}  // namespace tamis::internal

#endif  // TAMIS_BITS_HUGE_PAGES_H_
