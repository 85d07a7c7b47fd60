#include "tamis/word_bloom.h"

#include "filters/bloom/bloom_math.h"
#include "filters/bloom/word_spec.h"
#include "tamis/internal/hash/look_ahead.h"

namespace tamis {

using internal::Placed;
using internal::WordSpec;

Result<WordBloomFilter> WordBloomFilter::Configure(const Spec& spec,
                                                   uint64_t slots,
                                                   const Hasher& hasher) {
  const bool some = spec.name() == "bloomj";
  const auto form =
      some ? internal::WordForm::kSomeWords : internal::WordForm::kOneWord;
  TAMIS_ASSIGN_OR_RETURN(const WordSpec read,
                         WordSpec::Parse(spec, slots, form, 0));
  return WordBloomFilter(read.sizing, read.shape, read.keys, hasher);
}

void WordBloomFilter::MayContain(std::span<const KeyHash> hashes,
                                 std::span<bool> results) const {
  internal::PrefetchAhead(*this, hashes, results);
}

Status WordBloomFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  if (size_ >= capacity()) {
    return internal::FullStatus(spec().name(), capacity());
  }
  for (unsigned i = 0; i < keys_.words_per_key; ++i) {
    const Placed placed = keys_.PlaceWord(hash, i);
    words_.Set(placed.home, placed, 0, keys_.k_of_word[i]);
  }
  ++size_;
  return {};
}

double WordBloomFilter::ExpectedFpr() const {
  return WordBloomFpr(keys_.words, static_cast<int>(words_.shape().usable_bits),
                      size_, keys_.ks());
}

FilterStats WordBloomFilter::stats() const {
  FilterStats stats = BaseStats(SizeBits(), ExpectedFpr());
  stats.details = {{"words", static_cast<double>(keys_.words)},
                   {"set_bits", static_cast<double>(words_.CountOnes())}};
  return stats;
}

Spec WordBloomFilter::spec() const {
  const bool some = keys_.form == internal::WordForm::kSomeWords;
  Spec spec(some ? "bloomj" : "bloom1");
  spec.Set("bits", internal::ShortestText(sizing_.bits_per_key))
      .Set("k", static_cast<uint64_t>(keys_.k()));
  if (some) spec.Set("j", keys_.words_per_key);
  return spec.Set("w", words_.shape().word_bits);
}

Status WordBloomFilter::CheckInvariants() const {
  return internal::CheckOnes("(W2)", words_.CountOnes(), size_, keys_.k());
}

}  // namespace tamis
