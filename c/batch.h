// Batches of keys as C describes them (tamis_batch), hashed some at a time.

#ifndef TAMIS_C_BATCH_H_
#define TAMIS_C_BATCH_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "tamis/c.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/status.h"

namespace tamis::c {

// Fails if the batch can't be what it says: all lengths, offsets and pointers
// are looked at, so that nothing happens if one is wrong.
Status CheckBatch(const tamis_batch* batch);

// Hashes the keys [begin, begin + hashes.size()).
// REQUIRES: CheckBatch(&batch).ok(), and there are so many
void HashBatch(const tamis_batch& batch, size_t begin, const Hasher& hasher,
               std::span<KeyHash> hashes);

// Calls use(begin, hashes) for a chunk of the batch at a time, until it fails.
// REQUIRES: CheckBatch(&batch).ok()
template <typename Use>
Status ForEachChunk(const tamis_batch& batch, const Hasher& hasher, Use use) {
  constexpr size_t kChunk = 2048;  // stays in the cache; see by_key.h
  std::array<KeyHash, kChunk> memory;
  for (size_t begin = 0; begin < batch.count; begin += kChunk) {
    const auto hashes =
        std::span(memory).first(std::min(kChunk, batch.count - begin));
    HashBatch(batch, begin, hasher, hashes);
    TAMIS_RETURN_IF_ERROR(use(begin, std::span<const KeyHash>(hashes)));
  }
  return {};
}

// REQUIRES: CheckBatch(&batch).ok()
std::vector<KeyHash> AllHashes(const tamis_batch& batch, const Hasher& hasher);

}  // namespace tamis::c

#endif  // TAMIS_C_BATCH_H_
