#include "tamis/hasher.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tamis {
namespace {

using std::string_view_literals::operator""sv;

TEST(Hasher, Xxh3MatchesPublishedValues) {
  const Hasher hasher(Seed{0, 0});
  EXPECT_EQ(hasher.Hash(""sv),
            (KeyHash{0x99aa06d3014798d8, 0x6001c324468d497f}));
  EXPECT_EQ(hasher.Hash("a"sv),
            (KeyHash{0xa96faf705af16834, 0xe6c632b61e964e1f}));
  EXPECT_EQ(hasher.Hash("abc"sv),
            (KeyHash{0x06b05ab6733a6185, 0x78af5f94892f3950}));
}

// The vectors of the SipHash reference: key 00 01 .. 0f, input 00 01 .. of
// growing length, read as two little-endian words.
TEST(Hasher, SipHashMatchesPublishedValues) {
  const Hasher hasher(HashAlgorithm::kSipHash,
                      Seed{0x0706050403020100, 0x0f0e0d0c0b0a0908});
  EXPECT_EQ(hasher.Hash(""sv),
            (KeyHash{0xe6a825ba047f81a3, 0x930255c71472f66d}));
  EXPECT_EQ(hasher.Hash("\0"sv),
            (KeyHash{0x44af996bd8c187da, 0x45fc229b11597634}));
}

// Returns the 8 little-endian bytes of `key`.
std::string LittleEndian(uint64_t key) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes.push_back(static_cast<char>(key >> (8 * i)));
  }
  return bytes;
}

class EveryHasher : public ::testing::TestWithParam<HashAlgorithm> {
 protected:
  static Hasher Make(uint64_t low, uint64_t high) {
    return Hasher(GetParam(), Seed{low, high});
  }
};
INSTANTIATE_TEST_SUITE_P(Algorithms, EveryHasher,
                         ::testing::Values(HashAlgorithm::kXxh3,
                                           HashAlgorithm::kSipHash));

TEST_P(EveryHasher, IntegerIsItsEightBytes) {
  const Hasher hasher = Make(7, 8);
  for (const uint64_t key : {uint64_t{0}, uint64_t{1}, uint64_t{0x1234},
                             uint64_t{1} << 63, ~uint64_t{0}}) {
    EXPECT_EQ(hasher.Hash(key),
              hasher.Hash(std::string_view(LittleEndian(key))));
  }
}

TEST_P(EveryHasher, NarrowIntegersAreWidenedWithTheirSign) {
  const Hasher hasher = Make(7, 8);
  EXPECT_EQ(hasher.Hash(int8_t{-1}), hasher.Hash(~uint64_t{0}));
  EXPECT_EQ(hasher.Hash(int{-5}), hasher.Hash(int64_t{-5}));
  EXPECT_EQ(hasher.Hash(uint16_t{9}), hasher.Hash(uint64_t{9}));
}

TEST_P(EveryHasher, BytesAndTextAgree) {
  const Hasher hasher = Make(7, 8);
  const std::string_view text = "the quick brown fox";
  EXPECT_EQ(hasher.Hash(text), hasher.Hash(std::as_bytes(std::span(text))));
  EXPECT_EQ(hasher.Hash(std::span<const std::byte>()), hasher.Hash(""sv));
}

TEST_P(EveryHasher, ManyAtOnceAreTheSame) {
  const Hasher hasher = Make(7, 8);
  std::vector<uint64_t> keys(100);
  std::iota(keys.begin(), keys.end(), 12345);
  std::vector<KeyHash> hashes(100);
  hasher.Hash(keys, hashes);
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(hashes[i], hasher.Hash(keys[i]));
  }
}

TEST_P(EveryHasher, SeedsMatter) {
  std::set<KeyHash> hashes;
  for (uint64_t low = 0; low < 100; ++low) {
    hashes.insert(Make(low, 0).Hash("key"sv));
  }
  EXPECT_EQ(hashes.size(), 100u);
}

TEST(Hasher, SipHashUsesTheWholeSeed) {
  EXPECT_NE(Hasher(HashAlgorithm::kSipHash, Seed{1, 1}).Hash(1),
            Hasher(HashAlgorithm::kSipHash, Seed{1, 2}).Hash(1));
}

TEST(Hasher, RandomSeedsDiffer) {
  EXPECT_NE(Hasher().seed(), Hasher().seed());
  EXPECT_NE(Hasher().Hash(1), Hasher().Hash(1));
  EXPECT_EQ(Hasher().algorithm(), HashAlgorithm::kXxh3);
}

TEST(Hasher, EqualityIsOfAlgorithmAndSeed) {
  EXPECT_EQ(Hasher(Seed{1, 2}), Hasher(HashAlgorithm::kXxh3, Seed{1, 2}));
  EXPECT_NE(Hasher(Seed{1, 2}), Hasher(Seed{1, 3}));
  EXPECT_NE(Hasher(Seed{1, 2}), Hasher(HashAlgorithm::kSipHash, Seed{1, 2}));
}

TEST(HashAlgorithm, NamesRoundTrip) {
  for (const HashAlgorithm algorithm :
       {HashAlgorithm::kXxh3, HashAlgorithm::kSipHash}) {
    EXPECT_EQ(ParseHashAlgorithm(ToString(algorithm)).value(), algorithm);
  }
  EXPECT_EQ(ParseHashAlgorithm("md5").status().code(),
            StatusCode::kInvalidArgument);
}

TEST(HashAlgorithm, ValuesAreOnDisk) {
  EXPECT_EQ(static_cast<int>(HashAlgorithm::kXxh3), 1);
  EXPECT_EQ(static_cast<int>(HashAlgorithm::kSipHash), 2);
}

}  // namespace
}  // namespace tamis
