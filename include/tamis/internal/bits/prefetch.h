// Prefetch: fetches a cache line ahead of its use, for certain.
//
// g++ 12 takes __builtin_prefetch for a statement without effect, and drops
// calls, loops and branches that do nothing else.  Where it stands alone in one
// of those, an assembler statement has to take its place.

#ifndef TAMIS_INTERNAL_BITS_PREFETCH_H_
#define TAMIS_INTERNAL_BITS_PREFETCH_H_

namespace tamis::internal {

inline void Prefetch(const void* address) {
#if defined(__x86_64__)
  __asm__ volatile("prefetcht0 (%0)" : : "r"(address));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_PREFETCH_H_
