// BloomFilter: the classic one, an array of m bits, k of them for each key.
//
//   bits     . . 1 . 1 1 . . . 1 . . 1 . . 1 .     m of them, any number
//                ^     ^           ^
//                x: k positions, all set, so x may be in the set
//
// The k positions come from the hash by sums (array_probe.h), and can't be told
// from k independent ones, however few the bits and low the rate.  A file that
// lacks the number `probing` is from when they could, for small sets or rates;
// it answers as it did then (and makes more mistakes than ExpectedFpr says).
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance MeanBloomFpr (bloom_math.h), which at `capacity` keys is the promised
// one.
// Cost: a look-up reads up to k lines, an absent key about two.
// Full: Insert returns kFull at capacity() keys and changes nothing.
// Merge: bitwise or, of filters made with equal spec, slots, seed and probing.
//
// Invariants (CheckInvariants):
//   (B1) Bits at m and beyond, in the last word, are 0.
//   (B2) At most size * k bits are set, and none only if size is 0.
//
// Spec: bloom:bits=12,k=8    bits per key (default 12); k by default the best.
// Thread safety: const functions may run concurrently with one another.
// Paper: Bloom, CACM 1970.

#ifndef TAMIS_BLOOM_H_
#define TAMIS_BLOOM_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/bloom/array_probe.h"
#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/key_hash.h"

namespace tamis {

class BloomFilter : public internal::PlainBloom<BloomFilter> {
  // How positions are found: array_probe.h.  Written to files.
  enum class Probing : uint8_t { kStepped = 1, kTurned = 2 };

  template <typename Function>
  auto WithProbe(KeyHash hash, Function&& function) const {
    if (probing() == Probing::kTurned) [[likely]] {
      return function(internal::TurnedProbe(hash));
    }
    return function(internal::SteppedProbe(hash));
  }
  template <typename Probe>
  bool AllSet(Probe probe, int k) const {
    for (int i = 0; i < k; ++i) {
      const uint64_t bit = probe.Next(bits_);
      if ((Byte(bit) >> (bit % 8) & 1) == 0) return false;
    }
    return true;
  }
  bool MayContainStepped(KeyHash hash) const;

 public:
  static constexpr std::string_view kSpec = "bloom";  // the shortest

  static Result<BloomFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                          const LoadOptions& load = {});
  internal::Snapshot ToSnapshot() const;
  Spec spec() const;

  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const {
    return AllSet(internal::TurnedProbe(hash), turned_k_) &&
           (turned_k_ != 0 || MayContainStepped(hash));
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const {
    WithProbe(hash, [&](auto probe) {
      for (int i = 0; i < k_; ++i) words_.Prefetch(probe.Next(bits_) / 64);
    });
  }
  uint64_t SizeBits() const { return bits_; }
  double ExpectedFpr() const;
  FilterStats stats() const;
  // Adds the keys of a filter made with equal spec, slots, seed and probing.
  Status Merge(const BloomFilter& other);
  Status CheckInvariants() const;

 private:
  friend MadeFromSpec;

  BloomFilter(internal::BloomSizing sizing, uint64_t bits, int k,
              const Hasher& hasher);
  static Result<BloomFilter> Configure(const Spec& spec, uint64_t slots,
                                       const Hasher& hasher);

  unsigned Byte(uint64_t bit) const {
    return static_cast<unsigned>(words_.bytes()[bit / 8]);
  }

  Probing probing() const {
    return turned_k_ != 0 ? Probing::kTurned : Probing::kStepped;
  }

  uint64_t bits_;
  int k_;
  int turned_k_;  // k, or 0 for files of old: so that look-ups need not ask
};

}  // namespace tamis

#endif  // TAMIS_BLOOM_H_
