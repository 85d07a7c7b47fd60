// The hashes that a benchmark works on.
//
// Keys are integers, hashed once before anything is timed; what is looked up
// "from the key" is hashed again within the time.  Members and the absent keys
// come from disjoint ranges:
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

// An array in huge pages.
template <typename Item>
class HugeArray {
 public:
  static Result<HugeArray> Allocate(uint64_t count) {
    TAMIS_ASSIGN_OR_RETURN(
        internal::AlignedBuffer buffer,
        internal::AlignedBuffer::Allocate(count * sizeof(Item)));
    return HugeArray(std::move(buffer));
  }

  std::span<Item> items() {
    return {reinterpret_cast<Item*>(buffer_.data()),
            buffer_.size_bytes() / sizeof(Item)};
  }
  std::span<const Item> items() const {
    return {reinterpret_cast<const Item*>(buffer_.data()),
            buffer_.size_bytes() / sizeof(Item)};
  }

 private:
  explicit HugeArray(internal::AlignedBuffer buffer)
      : buffer_(std::move(buffer)) {}

  internal::AlignedBuffer buffer_;
};
using HashArray = HugeArray<KeyHash>;
using KeyArray = HugeArray<uint64_t>;

// Writes the hashes of first, first + 1, ... into `hashes`.
void HashRange(const Hasher& hasher, uint64_t first, std::span<KeyHash> hashes);

struct BenchKeys {
  HashArray members;      // in the order of insertion
  KeyArray present_keys;  // random members, to look up
  KeyArray absent_keys;   // to look up
  HashArray present;      // the hashes of both
  HashArray absent;

  static Result<BenchKeys> Make(const Hasher& hasher, uint64_t member_count,
                                uint64_t query_count, uint64_t seed);
};

// Returns a random tenth of `members`, in random order.
Result<HashArray> RandomTenth(std::span<const KeyHash> members, uint64_t seed);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_BENCH_BENCH_KEYS_H_
