// BlockedBloomFilter: eight bits a key, all in one cache line, tested at once.
//
//   line     lane 0    lane 1    ...       lane 7      8 lanes of 64 bits
//            .....1..  .1......            ...1....    one bit of each key
//              ^ s0-s5   ^ s6-s11            ^ s42-s47 of the hash's string
//
// The static baseline: nothing is faster at a useful rate.  One multiplication
// finds the line; with AVX2, two vectors of four lanes are shifted, masked and
// compared (or, by Insert, set), without a branch.  The portable twins do the
// same lane by lane.
//
// With k fixed at 8 it suits 8 to 16 bits a key.  The line holds 512 bits, so
// its keys are spread evenly enough: at 12 bits the rate is 0.42 %, against
// 0.31 % for the best classic filter, which reads several lines.
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance ExpectedFpr(): the mean, over the number n of keys in a line, of
// (1 - (1 - 1/64)^n)^8, up to the small dependence between lanes.
// Cost: one line a look-up.
// Full: Insert returns kFull at capacity() keys and changes nothing.
// Merge: bitwise or, of filters made with equal spec, slots and seed.
//
// Invariants (CheckInvariants):
//   (L1) Lines start at multiples of 64 bytes.
//   (L2) At most 8 * size bits are set, and none only if size is 0.
//   (L3) The lanes of a line are all empty, or none is.
//
// Spec: blocked:bits=12
// Thread safety: const functions may run concurrently with one another.
// Paper: Putze, Sanders and Singler, JEA 2009.

#ifndef TAMIS_BLOCKED_BLOOM_H_
#define TAMIS_BLOCKED_BLOOM_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/internal/filters/bloom/line_probe.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis {

class BlockedBloomFilter : public internal::PlainBloom<BlockedBloomFilter> {
 public:
  static constexpr std::string_view kSpec = "blocked";  // the shortest

  Spec spec() const;

  Status Insert(KeyHash hash) {
    TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
    if (size_ >= capacity()) [[unlikely]]
      return FullStatus();
    const internal::Placed placed = internal::Place(hash, words_.words());
    internal::SetLine(words_.At(placed.home), placed.high);
    ++size_;
    return {};
  }
  bool MayContain(KeyHash hash) const {
    const internal::Placed placed = internal::Place(hash, words_.words());
    return internal::TestLine(words_.At(placed.home), placed.high);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const {
    words_.Prefetch(internal::Place(hash, words_.words()).home);
  }

  uint64_t SizeBits() const { return words_.words() * internal::kLineBits; }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Status CheckInvariants() const;

 private:
  friend MadeFromSpec;

  BlockedBloomFilter(internal::BloomSizing sizing, const Hasher& hasher);
  static Result<BlockedBloomFilter> Configure(const Spec& spec, uint64_t slots,
                                              const Hasher& hasher);
  Status FullStatus() const;
};

}  // namespace tamis

#endif  // TAMIS_BLOCKED_BLOOM_H_
