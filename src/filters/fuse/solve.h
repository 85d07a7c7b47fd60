// The solution of a fuse filter's equations.
//
//   a key's cells   a ^ b ^ c = fingerprint
//
// Peeling: a cell that only one key has can be set last, whatever the others
// are; that key is taken out, which leaves other cells with one key, and so on.
// If all keys come out, the cells are set in the reverse order.  If not, another
// salt makes other equations; of the sizes of FuseShape nearly all can be
// solved.

#ifndef TAMIS_FILTERS_FUSE_SOLVE_H_
#define TAMIS_FILTERS_FUSE_SOLVE_H_

#include <cstdint>
#include <span>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/filters/fuse/fuse_shape.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

inline constexpr uint64_t kMaxSalts = 128;

struct FuseSolution {
  AlignedBuffer cells;
  uint64_t salt;
};

// kOutOfMemory, or kFull if none of kMaxSalts salts will do.
// REQUIRES: hashes are different; cell_bytes is 1 or 2
Result<FuseSolution> SolveFuse(const FuseShape& shape, int cell_bytes,
                               std::span<const KeyHash> hashes);

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_FUSE_SOLVE_H_
