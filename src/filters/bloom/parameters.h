// What the specs of the Bloom filters may have.

#ifndef TAMIS_FILTERS_BLOOM_PARAMETERS_H_
#define TAMIS_FILTERS_BLOOM_PARAMETERS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/internal/filters/bloom/bloom_base.h"
#include "tamis/internal/filters/bloom/word_keys.h"
#include "tamis/parameter.h"

namespace tamis::internal {

inline constexpr int kMaxBloomK = 64;

constexpr Parameter BitsPerKey(double fallback) {
  return Number("bits", fallback, {kMinBitsPerKey, kMaxBitsPerKey},
                "bits a key, when it is full");
}
constexpr Parameter BitsOfAKey(uint64_t fallback, uint64_t min, int max) {
  return FollowsOthers(
      WholeNumber("k", fallback, {min, static_cast<uint64_t>(max)},
                  "bits that a key sets; by default what suits the size"));
}
inline constexpr Parameter kWordsOfAKey =
    WholeNumber("j", 2, {2, 4}, "words of a key");
inline constexpr Parameter kWordBits =
    OneOf("w", "64|128|256|512", "bits of a word");

inline constexpr Parameter kBloomParameters[] = {BitsPerKey(12),
                                                 BitsOfAKey(8, 1, kMaxBloomK)};
inline constexpr Parameter kBlockedParameters[] = {BitsPerKey(12)};
inline constexpr Parameter kBloom1Parameters[] = {
    BitsPerKey(8), BitsOfAKey(4, 1, kMaxWordK), kWordBits};
inline constexpr Parameter kBloomjParameters[] = {
    BitsPerKey(8), BitsOfAKey(4, 2, kMaxWordK), kWordsOfAKey, kWordBits};

inline constexpr Parameter kSets =
    OneOf("sets", "4|2|8", "hash functions to choose from, for each word");
inline constexpr Parameter kCheck =
    OneOf("check", "1|0",
          "1: change a word only where that removes the mistake; 0: take the "
          "next set unseen");
inline constexpr Parameter kDecimation = WholeNumber(
    "decimation", 1, {1, 1'000'000}, "adapt once in so many false positives");
inline constexpr Parameter kDetect =
    Number("detect", 1, {0, 1}, "the share of positives that are looked at");
inline constexpr Parameter kCopies =
    OneOf("copies", "all|others",
          "which sets lie beside the filter: all, or those not in use");

inline constexpr Parameter kAbfCountingParameters[] = {
    BitsPerKey(8), BitsOfAKey(4, 1, kMaxWordK),
    kWordBits,     kSets,
    kCheck,        kDecimation,
    kDetect};
inline constexpr Parameter kAbfParameters[] = {
    BitsPerKey(8), BitsOfAKey(4, 1, kMaxWordK),
    kWordBits,     kSets,
    kCheck,        kDecimation,
    kDetect,       kCopies};
inline constexpr Parameter kAbfBitsParameters[] = {
    BitsPerKey(8), BitsOfAKey(6, 1, kMaxWordK),
    kWordBits,     kSets,
    kCheck,        kDecimation,
    kDetect,       kCopies};
inline constexpr Parameter kAbfjParameters[] = {
    BitsPerKey(8), BitsOfAKey(4, 2, kMaxWordK),
    kWordsOfAKey,  kWordBits,
    kSets,         kCheck,
    kDecimation,   kDetect,
    kCopies};

// Those of a filter made of words, by its name.
constexpr std::span<const Parameter> WordParameters(std::string_view kind) {
  if (kind == "bloom1") return kBloom1Parameters;
  if (kind == "bloomj") return kBloomjParameters;
  if (kind == "abf-counting") return kAbfCountingParameters;
  if (kind == "abfj") return kAbfjParameters;
  if (kind == "abfbits") return kAbfBitsParameters;
  return kAbfParameters;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_BLOOM_PARAMETERS_H_
