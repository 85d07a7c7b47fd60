// WordBloomFilter: Bloom filters that read one word (Bloom-1), or j of them.
//
//   word     0           1           2           3        M words of w bits
//            ..1...1.    .1..1...    ........    1...1..1
//                        ^^ bloom1: the k bits of x are all in its one word
//            ^^                                  ^^ bloomj: in j = 2 words
//
// A look-up of a Bloom-1 filter reads one cache line, always.  The price is
// that keys are spread unevenly: words with many keys answer yes more often
// than those with few answer it less.  Wider words even that out (w = 512, a
// whole line, comes near the classic filter), and so do several words.
//
// Guarantee: no false negative; for a random absent key a false positive with
// chance WordBloomFpr (bloom_math.h), exact for Bloom-1.
// Cost: one line a look-up (Bloom-j: up to j, about 1.2 for an absent key).
// Full: Insert returns kFull at capacity() keys and changes nothing.
// Merge: bitwise or, of filters made with equal spec, slots and seed.
//
// Invariants (CheckInvariants):
//   (W1) Words start at multiples of their size (word_array.h).
//   (W2) At most size * k bits are set, and none only if size is 0.
//
// Specs: bloom1:bits=8,k=4,w=64        w = 64, 128, 256 or 512
//        bloomj:bits=8,k=4,j=2,w=64    j = 2, 3 or 4; k bits in all, k >= j
// k is by default the best one for a full Bloom-1 filter of that w.
// Thread safety: const functions may run concurrently with one another.
// Paper: Qiao, Li and Chen, INFOCOM 2011 (Bloom-1, Bloom-g).

#ifndef TAMIS_WORD_BLOOM_H_
#define TAMIS_WORD_BLOOM_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/internal/filters/bloom/word_array.h"
#include "tamis/internal/filters/bloom/word_keys.h"
#include "tamis/key_hash.h"

namespace tamis {

class WordBloomFilter : public internal::PlainBloom<WordBloomFilter> {
 public:
  static constexpr std::string_view kSpec = "bloom1";  // the shortest

  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const {
    return keys_.AllOf(hash, [&](const internal::Placed& placed, int k) {
      return words_.Test(placed.home, placed, 0, k);
    });
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Asks for the memory that MayContain reads.
  void Prefetch(KeyHash hash) const { keys_.Prefetch(words_, hash); }

  uint64_t SizeBits() const { return 8 * words_.size_bytes(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  Status CheckInvariants() const;

 private:
  friend MadeFromSpec;

  WordBloomFilter(internal::BloomSizing sizing, internal::WordShape shape,
                  internal::WordKeys keys, const Hasher& hasher)
      : PlainBloom(sizing, internal::WordArray(keys.words, shape), hasher),
        keys_(keys) {}
  static Result<WordBloomFilter> Configure(const Spec& spec, uint64_t slots,
                                           const Hasher& hasher);

  internal::WordKeys keys_;
};

}  // namespace tamis

#endif  // TAMIS_WORD_BLOOM_H_
