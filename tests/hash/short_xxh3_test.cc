// The inline hash is libxxhash's, at every length, under every seed.

#include "tamis/internal/hash/short_xxh3.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/internal/hash/hash_string.h"

namespace tamis {
namespace {

KeyHash FromLibrary(const void* bytes, size_t size, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
  return {hash.high64, hash.low64};
}

// Returns every single bit, the ends of the range, and some random seeds.
std::vector<uint64_t> Seeds() {
  std::vector<uint64_t> seeds = {0, ~uint64_t{0}, 0xffffffff};
  for (int bit = 0; bit < 64; ++bit) seeds.push_back(uint64_t{1} << bit);
  std::mt19937_64 random(14);
  for (int i = 0; i < 200; ++i) seeds.push_back(random());
  return seeds;
}

std::array<char, 300> RandomBytes(std::mt19937_64& random) {
  std::array<char, 300> bytes;
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(ShortXxh3, EqualsTheLibraryAtEveryLength) {
  std::mt19937_64 random(15);
  for (const uint64_t seed : Seeds()) {
    const Hasher hasher(Seed{seed, random()});
    const std::array<char, 300> bytes = RandomBytes(random);
    for (size_t size = 0; size <= 260; ++size) {
      // From an odd place, too: keys are not aligned.
      const char* const begin = bytes.data() + size % 3;
      ASSERT_EQ(hasher.Hash(std::string_view(begin, size)),
                FromLibrary(begin, size, seed))
          << size << " bytes, seed " << seed;
    }
  }
}

TEST(ShortXxh3, TakesFourToSixteenBytes) {
  for (size_t size = 0; size <= 100; ++size) {
    EXPECT_EQ(internal::ShortXxh3::Takes(size), size >= 4 && size <= 16);
  }
}

TEST(ShortXxh3, IntegersAndBatchesEqualTheLibrary) {
  std::mt19937_64 random(16);
  for (const uint64_t seed : Seeds()) {
    std::vector<uint64_t> keys = {0, 1, ~uint64_t{0}, uint64_t{1} << 63};
    for (int i = 0; i < 33; ++i) keys.push_back(random() >> (i % 64));
    std::vector<KeyHash> hashes(keys.size());
    const Hasher hasher(Seed{seed, 0});
    hasher.Hash(keys, hashes);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(hasher.Hash(keys[i]), hashes[i]);
      ASSERT_EQ(hashes[i], FromLibrary(&keys[i], 8, seed));
    }
  }
}

TEST(ShortXxh3, ExtendIsTheHashOfAHash) {
  std::mt19937_64 random(17);
  for (uint64_t index = 0; index < 1000; ++index) {
    const KeyHash hash = {random(), random()};
    const std::array<uint64_t, 2> words = {hash.low, hash.high};
    ASSERT_EQ(internal::Extend(hash, index),
              FromLibrary(words.data(), sizeof(words), index));
  }
}

}  // namespace
}  // namespace tamis
