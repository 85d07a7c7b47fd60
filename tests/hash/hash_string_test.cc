// The number in [0, 1) against a slow twin that works bit by bit.

#include "tamis/internal/hash/hash_string.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tamis/hasher.h"

namespace tamis::internal {
namespace {

const Hasher kHasher(Seed{11, 12});

std::vector<KeyHash> SampleHashes() {
  const uint64_t ones = ~uint64_t{0};
  std::vector<KeyHash> hashes = {{0, 0}, {0, 1}, {ones, ones}, {1, 0}};
  for (uint64_t key = 0; key < 100; ++key) hashes.push_back(kHasher.Hash(key));
  return hashes;
}

std::vector<uint64_t> SampleHomes() {
  std::vector<uint64_t> homes = {1, 2, 3, 50, 64, 1000, 1 << 20};
  for (const int exponent : {31, 32, 33, 62, 63}) {
    const uint64_t power = uint64_t{1} << exponent;
    homes.insert(homes.end(), {power - 1, power, power + 1});
  }
  homes.push_back(~uint64_t{0});
  return homes;
}

// hash * m as 192 bits, by adding m shifted for every set bit of the hash.
struct Product {
  std::array<bool, 192> bits = {};  // bit 0 the lowest; 128 the home's lowest

  static Product Of(KeyHash hash, uint64_t m) {
    Product product;
    for (int i = 0; i < 128; ++i) {
      const uint64_t word = i < 64 ? hash.low : hash.high;
      if ((word >> (i % 64) & 1) != 0) product.Add(m, i);
    }
    return product;
  }
  void Add(uint64_t m, int shift) {
    bool carry = false;
    for (int i = 0; shift + i < 192; ++i) {
      const bool a = bits[static_cast<size_t>(shift + i)];
      const bool b = i < 64 && (m >> i & 1) != 0;
      bits[static_cast<size_t>(shift + i)] = a ^ b ^ carry;
      carry = (a && b) || (a && carry) || (b && carry);
    }
  }
  uint64_t Home() const {
    uint64_t home = 0;
    for (int i = 0; i < 64; ++i) {
      home |= uint64_t{bits[static_cast<size_t>(128 + i)]} << i;
    }
    return home;
  }
  // Bit i of the string; i < 128.
  bool String(uint64_t i) const { return bits[127 - i]; }
};

// Bit i of the string of `hash` in a table created with m homes.
bool SlowBit(KeyHash hash, uint64_t m, uint64_t i) {
  const auto fresh = static_cast<uint64_t>(FreshBits(m));
  if (i < fresh) return Product::Of(hash, m).String(i);
  const KeyHash piece = Extend(hash, (i - fresh) / 128);
  const uint64_t at = (i - fresh) % 128;
  return ((at < 64 ? piece.high >> (63 - at) : piece.low >> (127 - at)) & 1) !=
         0;
}

TEST(Place, IsTheProduct) {
  for (const KeyHash hash : SampleHashes()) {
    for (const uint64_t m : SampleHomes()) {
      const Placed placed = Place(hash, m);
      const Product product = Product::Of(hash, m);
      ASSERT_EQ(placed.home, product.Home());
      ASSERT_LT(placed.home, m);
      for (uint64_t i = 0; i < 128; ++i) {
        const uint64_t word = i < 64 ? placed.high : placed.low;
        ASSERT_EQ((word >> (63 - i % 64) & 1) != 0, product.String(i));
      }
    }
  }
}

TEST(Place, KeepsTheOrderOfHashes) {
  std::vector<KeyHash> hashes = SampleHashes();
  std::sort(hashes.begin(), hashes.end());
  for (size_t i = 1; i < hashes.size(); ++i) {
    EXPECT_LE(Place(hashes[i - 1], 1000).home, Place(hashes[i], 1000).home);
  }
}

TEST(Place, DoublingMovesOneBitFromTheStringToTheHome) {
  for (const KeyHash hash : SampleHashes()) {
    for (const uint64_t m : {1u, 3u, 50u, 1000u, 1u << 20}) {
      uint64_t home = Place(hash, m).home;
      const HashString string(hash, m);
      for (int doublings = 1; doublings <= 40; ++doublings) {
        const uint64_t bit =
            string.Bits(static_cast<uint64_t>(doublings - 1), 1);
        home = 2 * home + bit;
        ASSERT_EQ(Place(hash, m << doublings).home, home);
        const HashString later(hash, m, doublings);
        ASSERT_EQ(later.Bits(0, 20),
                  string.Bits(static_cast<uint64_t>(doublings), 20));
      }
    }
  }
}

TEST(FirstBits, IsTheStartOfTheString) {
  for (const KeyHash hash : SampleHashes()) {
    const HashString string(hash, 1000);
    for (int count = 1; count <= 64; ++count) {
      ASSERT_EQ(FirstBits(Place(hash, 1000), count), string.Bits(0, count));
    }
  }
}

TEST(FreshBits, LeavesOutWhatTheHomeTook) {
  EXPECT_EQ(FreshBits(1), 128);
  EXPECT_EQ(FreshBits(2), 127);
  EXPECT_EQ(FreshBits(3), 126);
  EXPECT_EQ(FreshBits(1024), 118);
  EXPECT_EQ(FreshBits(~uint64_t{0}), 64);
}

TEST(HashString, WindowsAreTheBits) {
  std::mt19937_64 random(5);
  for (const KeyHash hash : SampleHashes()) {
    const uint64_t m = SampleHomes()[random() % SampleHomes().size()];
    const HashString string(hash, m);
    for (int i = 0; i < 5; ++i) {
      const uint64_t begin = random() % 400;
      const int count = static_cast<int>(random() % 65);
      uint64_t expected = 0;
      for (int bit = 0; bit < count; ++bit) {
        expected =
            expected << 1 |
            uint64_t{SlowBit(hash, m, begin + static_cast<uint64_t>(bit))};
      }
      ASSERT_EQ(string.Bits(begin, count), expected)
          << "m " << m << ", bits " << begin << " + " << count;
    }
  }
}

TEST(HashString, WindowsAcrossTheEndOfTheFraction) {
  const KeyHash hash = kHasher.Hash(1);
  for (const uint64_t m : {1u, 2u, 1000u, 1u << 20}) {
    const auto fresh = static_cast<uint64_t>(FreshBits(m));
    const HashString string(hash, m);
    for (uint64_t begin = fresh - 64; begin <= fresh + 130; ++begin) {
      uint64_t expected = 0;
      for (uint64_t bit = 0; bit < 64; ++bit) {
        expected = expected << 1 | uint64_t{SlowBit(hash, m, begin + bit)};
      }
      ASSERT_EQ(string.Bits(begin, 64), expected) << begin - fresh;
    }
  }
}

TEST(HashString, NoBitsAreZero) {
  EXPECT_EQ(HashString(kHasher.Hash(1), 100).Bits(7, 0), 0u);
}

TEST(Extend, PiecesDifferByIndexAndHash) {
  std::set<KeyHash> pieces;
  for (uint64_t index = 0; index < 100; ++index) {
    pieces.insert(Extend({1, 2}, index));
    pieces.insert(Extend({2, 1}, index));
  }
  EXPECT_EQ(pieces.size(), 200u);
  EXPECT_EQ(Extend({1, 2}, 3), Extend({1, 2}, 3));
}

// On disk, through the fingerprints of every filter: never to be changed.
TEST(Extend, IsPinned) {
  EXPECT_EQ(Extend({1, 2}, 3),
            (KeyHash{0x2267f4abfd01ecab, 0x0ff9f46e3a55e326}));
}

}  // namespace
}  // namespace tamis::internal
