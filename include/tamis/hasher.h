// Hasher: turns keys into KeyHashes under a seed of the filter's own.
//
// Each filter has its own secret seed, random unless one is given, so that a
// false positive of one filter is none of another, and nobody outside can
// compute collisions in advance.  The seed is stored with the filter.
//
//   kXxh3     XXH3-128: the fastest; the default.
//   kSipHash  SipHash-2-4-128: for keys that an adversary chooses.  It stays
//             unpredictable to someone who sees many answers.
//
// An integer key hashes as its 8 little-endian bytes, in every language, so
// Hash(uint64_t{1}) == Hash("\1\0\0\0\0\0\0\0"sv).  Narrower integers are
// widened first (negative ones with their sign).
//
// XXH3 of integers and of 4 to 16 bytes is computed inline, in 1 to 4 ns.
//
// Thread safety: immutable, hence safe.

#ifndef TAMIS_HASHER_H_
#define TAMIS_HASHER_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tamis/internal/base/cxx20.h"
#include "tamis/internal/hash/short_xxh3.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis {

// Values are on disk: never renumber.
enum class HashAlgorithm : uint8_t { kXxh3 = 1, kSipHash = 2 };

// Returns "xxh3" or "siphash", and the reverse.
std::string_view ToString(HashAlgorithm algorithm);
Result<HashAlgorithm> ParseHashAlgorithm(std::string_view name);

// The secret of a Hasher.  XXH3 uses `low` only, SipHash all 128 bits.
struct Seed {
  uint64_t low = 0;
  uint64_t high = 0;

  // Returns a seed from the operating system's random source.
  static Seed Random();

  friend bool operator==(const Seed&, const Seed&) = default;
};

class Hasher {
 public:
  // XXH3 under a random secret seed.
  Hasher() : Hasher(HashAlgorithm::kXxh3, Seed::Random()) {}
  // Reproducible: equal algorithm and seed give equal hashes, everywhere.
  explicit Hasher(Seed seed) : Hasher(HashAlgorithm::kXxh3, seed) {}
  Hasher(HashAlgorithm algorithm, Seed seed)
      : seed_(seed), short_xxh3_(seed.low), algorithm_(algorithm) {}

  KeyHash Hash(std::string_view bytes) const {
    if (IsXxh3() && internal::ShortXxh3::Takes(bytes.size())) [[likely]] {
      return short_xxh3_.Hash(bytes.data(), bytes.size());
    }
    return HashBytes(bytes);
  }
  KeyHash Hash(std::span<const std::byte> bytes) const {
    return Hash(std::string_view(reinterpret_cast<const char*>(bytes.data()),
                                 bytes.size()));
  }
  template <std::integral Integer>
  KeyHash Hash(Integer key) const {
    const auto wide = static_cast<uint64_t>(key);
    if (IsXxh3()) [[likely]]
      return short_xxh3_.Hash(wide);
    return SipHashInteger(wide);
  }
  // Hashes each of `keys` into the same place of `hashes`.
  // REQUIRES: hashes.size() >= keys.size()
  void Hash(std::span<const uint64_t> keys, std::span<KeyHash> hashes) const;

  HashAlgorithm algorithm() const { return algorithm_; }
  Seed seed() const { return seed_; }

  friend bool operator==(const Hasher&, const Hasher&) = default;

 private:
  bool IsXxh3() const { return algorithm_ == HashAlgorithm::kXxh3; }
  // The rest, out of line.
  KeyHash HashBytes(std::string_view bytes) const;
  KeyHash SipHashInteger(uint64_t key) const;

  Seed seed_;
  internal::ShortXxh3 short_xxh3_;  // under the same seed
  HashAlgorithm algorithm_;
};

}  // namespace tamis

#endif  // TAMIS_HASHER_H_
