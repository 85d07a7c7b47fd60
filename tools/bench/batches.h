// Look-ups of many hashes or keys in batches, as a program with many keys at hand
// would make them: 4096 at a time, so that the answers stay in cache.

#ifndef TAMIS_TOOLS_BENCH_BATCHES_H_
#define TAMIS_TOOLS_BENCH_BATCHES_H_

#include <cstdint>
#include <functional>
#include <span>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"

namespace tamis::tools {

// Asks for all of `hashes`, or keys, and drops the answers; this is what is
// timed.
void AskInBatches(const AnyFilter& filter, std::span<const KeyHash> hashes);
void AskInBatches(const AnyFilter& filter, std::span<const uint64_t> keys);

// Returns how many of `hashes` the filter may contain.
uint64_t CountInBatches(const AnyFilter& filter,
                        std::span<const KeyHash> hashes);

// Calls use(chunk, done before) for the hashes of first, first + 1, ...,
// first + count - 1, some at a time, so that no large array is needed.
void ForEachAbsentChunk(
    const Hasher& hasher, uint64_t first, uint64_t count,
    const std::function<void(std::span<const KeyHash>, uint64_t)>& use);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_BATCHES_H_
