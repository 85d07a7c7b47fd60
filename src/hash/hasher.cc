#include "tamis/hasher.h"

#include <sodium.h>

#include <cassert>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tamis/internal/bits/words.h"

namespace tamis {
namespace {

using internal::LoadWord;
using internal::StoreWord;

KeyHash Xxh3(const void* bytes, size_t size, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
  return {hash.high64, hash.low64};
}

KeyHash SipHash(const void* bytes, size_t size, Seed seed) {
  unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
  StoreWord(key, seed.low);
  StoreWord(key + 8, seed.high);
  unsigned char out[crypto_shorthash_siphashx24_BYTES];
  crypto_shorthash_siphashx24(out, static_cast<const unsigned char*>(bytes),
                              size, key);
  return {LoadWord(out), LoadWord(out + 8)};
}

}  // namespace

std::string_view ToString(HashAlgorithm algorithm) {
  return algorithm == HashAlgorithm::kSipHash ? "siphash" : "xxh3";
}

Result<HashAlgorithm> ParseHashAlgorithm(std::string_view name) {
  if (name == "xxh3") return HashAlgorithm::kXxh3;
  if (name == "siphash") return HashAlgorithm::kSipHash;
  return Status(
      StatusCode::kInvalidArgument,
      "unknown hash '" + std::string(name) + "'; expected xxh3 or siphash");
}

Seed Seed::Random() {
  // randombytes_buf needs no sodium_init() for the system's own source.
  Seed seed;
  randombytes_buf(&seed, sizeof(seed));
  return seed;
}

KeyHash Hasher::HashBytes(std::string_view bytes) const {
  return IsXxh3() ? Xxh3(bytes.data(), bytes.size(), seed_.low)
                  : SipHash(bytes.data(), bytes.size(), seed_);
}

KeyHash Hasher::SipHashInteger(uint64_t key) const {
  unsigned char bytes[8];
  StoreWord(bytes, key);
  return SipHash(bytes, sizeof(bytes), seed_);
}

void Hasher::Hash(std::span<const uint64_t> keys,
                  std::span<KeyHash> hashes) const {
  assert(hashes.size() >= keys.size());
  // A copy, because the compiler can't know that `hashes` is elsewhere.
  const Hasher hasher = *this;
  for (size_t i = 0; i < keys.size(); ++i) hashes[i] = hasher.Hash(keys[i]);
}

}  // namespace tamis
