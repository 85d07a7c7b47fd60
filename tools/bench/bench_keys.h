// The hashes that a benchmark works on.
//
// Keys are integers, hashed once before anything is timed.  Members and the
// absent keys come from disjoint ranges:
//
//   0 ...              members
//   2^40 ...           absent keys of the timed look-ups
//   2^41 ...           absent keys that measure the FPR
//   2^42 ...           absent keys to adapt to, before timing
//
// The arrays lie in huge pages, and are long enough (2^20 hashes and more)
// that no predictor learns them by heart.

#ifndef TAMIS_TOOLS_BENCH_BENCH_KEYS_H_
#define TAMIS_TOOLS_BENCH_BENCH_KEYS_H_

#include <cstdint>
#include <span>
#include <utility>

#include "tamis/hasher.h"
#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::tools {

inline constexpr uint64_t kFirstAbsent = uint64_t{1} << 40;
inline constexpr uint64_t kFirstForFpr = uint64_t{1} << 41;
inline constexpr uint64_t kFirstToAdapt = uint64_t{1} << 42;

// An array of hashes in huge pages.
class HashArray {
 public:
  static Result<HashArray> Allocate(uint64_t count);

  std::span<KeyHash> hashes() {
    return {reinterpret_cast<KeyHash*>(buffer_.data()),
            buffer_.size_bytes() / sizeof(KeyHash)};
  }
  std::span<const KeyHash> hashes() const {
    return {reinterpret_cast<const KeyHash*>(buffer_.data()),
            buffer_.size_bytes() / sizeof(KeyHash)};
  }

 private:
  explicit HashArray(internal::AlignedBuffer buffer)
      : buffer_(std::move(buffer)) {}

  internal::AlignedBuffer buffer_;
};

// Writes the hashes of first, first + 1, ... into `hashes`.
void HashRange(const Hasher& hasher, uint64_t first, std::span<KeyHash> hashes);

struct BenchKeys {
  HashArray members;  // in the order of insertion
  HashArray present;  // random members, to look up
  HashArray absent;   // to look up

  static Result<BenchKeys> Make(const Hasher& hasher, uint64_t member_count,
                                uint64_t query_count, uint64_t seed);
};

// Returns a random tenth of `members`, in random order.
Result<HashArray> RandomTenth(std::span<const KeyHash> members, uint64_t seed);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_BENCH_KEYS_H_
