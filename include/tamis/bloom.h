// BloomFilter: the classic one, an array of m bits, k of them for each key.
//
//   bits     . . 1 . 1 1 . . . 1 . . 1 . . 1 .     m of them, any number
//                ^     ^           ^
//                x: k positions, all set, so x may be in the set
//
// The k positions are those of enhanced double hashing: two numbers from the
// hash, the second added to the first k times while it grows itself, each sum
// read as a number in [0, 1) and multiplied by m.  For m beyond a thousand
// bits the rate can't be told from that of k independent positions.
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance BloomFpr (bloom_math.h), which at `capacity` keys is the promised one.
// Cost: a look-up reads up to k lines, an absent key about two.
// Full: Insert returns kFull at capacity() keys and changes nothing.
// Merge: bitwise or, of filters made with equal spec, slots and seed.
//
// Invariants (CheckInvariants):
//   (B1) Bits at m and beyond, in the last word, are 0.
//   (B2) At most size * k bits are set, and none only if size is 0.
//
// Spec: bloom:bits=12,k=8    bits per key (default 12); k by default the best.
// Thread safety: const functions may run concurrently with one another.
// Paper: Bloom, CACM 1970; Dillinger and Manolios, FMCAD 2004, for the probes.

#ifndef TAMIS_BLOOM_H_
#define TAMIS_BLOOM_H_

#include <cstdint>
#include <span>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/key_hash.h"

namespace tamis {

class BloomFilter : public internal::PlainBloom<BloomFilter> {
 public:
  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const {
    Probe probe(hash);
    for (int i = 0; i < k_; ++i) {
      const uint64_t bit = probe.Next(bits_);
      if ((Byte(bit) >> (bit % 8) & 1) == 0) return false;
    }
    return true;
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const {
    Probe probe(hash);
    for (int i = 0; i < k_; ++i) {
      words_.Prefetch(probe.Next(bits_) / 64);
    }
  }

  uint64_t SizeBits() const { return bits_; }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  Status CheckInvariants() const;

 private:
  friend MadeFromSpec;
  friend PlainBloom;

  // The positions of a key, one after the other.
  class Probe {
   public:
    explicit Probe(KeyHash hash) : sum_(hash.high), step_(hash.low) {}
    uint64_t Next(uint64_t bits) {
      const uint64_t bit = internal::MultiplyHigh(sum_, bits);
      sum_ += step_;
      step_ += ++count_;
      return bit;
    }

   private:
    uint64_t sum_;
    uint64_t step_;
    uint64_t count_ = 0;
  };

  BloomFilter(internal::BloomSizing sizing, uint64_t bits, int k,
              const Hasher& hasher);
  static Result<BloomFilter> Configure(const Spec& spec, uint64_t slots,
                                       const Hasher& hasher);

  unsigned Byte(uint64_t bit) const {
    return static_cast<unsigned>(words_.bytes()[bit / 8]);
  }

  uint64_t bits_;
  int k_;
};

}  // namespace tamis

#endif  // TAMIS_BLOOM_H_
