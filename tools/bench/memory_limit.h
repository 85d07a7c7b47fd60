// MemoryLimit: how fast this machine could answer at all.
//
// A filter that looks at one cache line per key can't be faster than reading
// one random line per key.  This measures that reading, with all that can be
// done to hurry it, so that a look-up's time can be given as a multiple of it:
//
//   hash --Place--> home --scale--> line --prefetch, 64 ahead--> read a word
//
// The lines lie in an AlignedBuffer of as many bytes as the filter has, hence
// with its alignment and its pages; the hashes are those of the timed look-up
// and the home is computed as the filter does.  Out of cache the time is that
// of the memory; in cache it is that of the three multiplications.
//
// Three ways of writing the loop are tried, and the fastest is used: which one
// that is depends on the size and the machine.

#ifndef TAMIS_TOOLS_BENCH_MEMORY_LIMIT_H_
#define TAMIS_TOOLS_BENCH_MEMORY_LIMIT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::tools {

class MemoryLimit {
 public:
  // Allocates `size_bytes`, for keys with `homes` homes.
  static Result<MemoryLimit> Create(uint64_t size_bytes, uint64_t homes);

  // Runs all loops on `hashes` a few times and keeps the fastest.
  void ChooseLoop(std::span<const KeyHash> hashes);

  // Returns the nanoseconds per hash of one pass over `hashes`.
  // REQUIRES: !hashes.empty()
  double Measure(std::span<const KeyHash> hashes) const;

 private:
  MemoryLimit(internal::AlignedBuffer lines, uint64_t homes);

  internal::AlignedBuffer lines_;
  uint64_t homes_;
  uint64_t lines_per_home_;  // as a fraction of 2^64
  size_t loop_ = 0;          // index into the table of loops
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_MEMORY_LIMIT_H_
