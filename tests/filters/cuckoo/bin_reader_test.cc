#include "tamis/internal/filters/cuckoo/bin_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "tamis/hasher.h"

namespace tamis::internal {
namespace {

const Hasher kHasher(Seed{.low = 11, .high = 0});

TEST(BinReader, BinsAreTheDigitsOfTheHash) {
  const BinReader reader(4, 1000, 12, 1, 0);
  // 0.123456789012345 as a binary fraction.
  const KeyHash hash{static_cast<uint64_t>(std::ldexp(0.123456789012345L, 64)),
                     0};
  const KeyBins places = reader.Read(hash);
  EXPECT_EQ(places.bins[0], 123u);
  EXPECT_EQ(places.bins[1], 1000u + 456);
  EXPECT_EQ(places.bins[2], 2000u + 789);
  EXPECT_EQ(places.bins[3], 3000u + 12);
}

TEST(BinReader, FingerprintsAreWindowsOfTheString) {
  const BinReader reader(2, 1 << 20, 12, 4, 0);
  for (uint64_t key = 0; key < 5000; ++key) {
    const KeyBins places = reader.Read(kHasher.Hash(key));
    const uint64_t all = BinReader::FirstBits(places, 48);
    for (int a = 0; a < 4; ++a) {
      const uint64_t window = (all >> (36 - 12 * a)) & 0xfff;
      EXPECT_EQ(reader.Fingerprint(places, a), window == 0 ? 1 : window);
    }
  }
}

// Chi-squared of the joint values of two small numbers, in deviations.
double Skew(const std::vector<uint64_t>& counts, double expected) {
  double sum = 0;
  for (const uint64_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  return (sum - freedom) / std::sqrt(2 * freedom);
}

struct Case {
  const char* name;
  uint64_t bins_per_table;
  int f;
  int alternatives;
  uint64_t salt;
};

// Any two of the bins and fingerprints of a key are independent, wherever
// their bits come from.
TEST(BinReader, PartsAreIndependent) {
  constexpr uint64_t kKeys = 20'000;
  for (const Case& c : {Case{"from the hash", 1000, 8, 2, 0},
                        Case{"salted", 1000, 8, 2, BinReader::kSaltBit | 5},
                        Case{"string extended", 1 << 20, 12, 8, 0},
                        Case{"bins extended", (1ull << 40) + 7, 16, 2, 0},
                        Case{"far fingerprints", 1000, 32, 8, 0}}) {
    const BinReader reader(4, c.bins_per_table, c.f, c.alternatives, c.salt);
    const int parts = 4 + c.alternatives;
    // Each part, as one of 8 values.
    const auto part = [&](const KeyBins& places, int i) -> uint64_t {
      if (i >= 4) return reader.Fingerprint(places, i - 4) >> (c.f - 3);
      const auto table = static_cast<unsigned>(i);
      const uint64_t bin = places.bins[i] - table * c.bins_per_table;
      EXPECT_LT(bin, c.bins_per_table);
      return static_cast<uint64_t>(8 * static_cast<Uint128>(bin) /
                                   c.bins_per_table);
    };
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < i; ++j) {
        std::vector<uint64_t> counts(64);
        for (uint64_t key = 0; key < kKeys; ++key) {
          const KeyBins places = reader.Read(kHasher.Hash(key));
          ++counts[8 * part(places, i) + part(places, j)];
        }
        EXPECT_LT(Skew(counts, kKeys / 64.0), 4.5)
            << c.name << ": " << i << " and " << j;
      }
    }
  }
}

TEST(BinReader, SaltChangesEverything) {
  const BinReader plain(4, 1000, 12, 1, 0);
  const BinReader salted(4, 1000, 12, 1, BinReader::kSaltBit | 1);
  int same = 0;
  for (uint64_t key = 0; key < 1000; ++key) {
    const KeyHash hash = kHasher.Hash(key);
    same += plain.Read(hash).bins[0] == salted.Read(hash).bins[0];
  }
  EXPECT_LT(same, 10);
}

}  // namespace
}  // namespace tamis::internal
