// WordKeys: which words a key lives in, and with how many bits in each.
//
//   form        words of a key     bits in each
//   Bloom-1     1                  k
//   Bloom-j     j                  k/j, the first k mod j words one more
//   bit array   k                  1
//
// One description for all three, so that the plain and the adaptive filters
// are each written once.

#ifndef TAMIS_INTERNAL_FILTERS_BLOOM_WORD_KEYS_H_
#define TAMIS_INTERNAL_FILTERS_BLOOM_WORD_KEYS_H_

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "tamis/internal/filters/bloom/draws.h"
#include "tamis/internal/filters/bloom/word_array.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

inline constexpr int kMaxWordK = 16;

enum class WordForm {
  kOneWord,    // bloom1, abf
  kSomeWords,  // bloomj, abfj
  kBitArray,   // abfbits
};

struct WordKeys {
  WordForm form = WordForm::kOneWord;
  uint64_t words = 0;  // of the filter
  unsigned words_per_key = 1;
  std::array<int, kMaxWordK> k_of_word = {};

  WordKeys() = default;
  // REQUIRES: 1 <= per_key <= k <= kMaxWordK
  WordKeys(WordForm key_form, uint64_t filter_words, unsigned per_key,
           unsigned k)
      : form(key_form), words(filter_words), words_per_key(per_key) {
    assert(per_key >= 1 && per_key <= k && k <= kMaxWordK);
    for (unsigned i = 0; i < k; ++i) ++k_of_word[i % per_key];
  }

  std::span<const int> ks() const {
    return std::span(k_of_word).first(words_per_key);
  }
  int k() const {
    int sum = 0;
    for (const int part : ks()) sum += part;
    return sum;
  }

  // Returns the index-th word of a key, and what its positions come from.
  Placed PlaceWord(KeyHash hash, unsigned index) const {
    return internal::Place(Companion(hash, index), words);
  }
  // Returns whether test(placed, k) holds for all words of a key.
  template <typename Test>
  [[gnu::always_inline]] bool AllOf(KeyHash hash, Test&& test) const {
    unsigned i = 0;
    do {  // a key has at least one word, and mostly no other
      if (!test(PlaceWord(hash, i), k_of_word[i])) return false;
    } while (++i < words_per_key);
    return true;
  }
  void Prefetch(const WordArray& array, KeyHash hash) const {
    for (unsigned i = 0; i < words_per_key; ++i) {
      array.Prefetch(PlaceWord(hash, i).home);
    }
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_BLOOM_WORD_KEYS_H_
