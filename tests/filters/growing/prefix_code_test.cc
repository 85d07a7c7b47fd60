// The code of a slot: against a fingerprint kept as text, and in order.

#include "tamis/internal/filters/growing/prefix_code.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tamis/internal/filters/growing/prefix_match.h"
#include "tamis/internal/table/line_shape.h"

namespace tamis::internal {
namespace {

std::string Text(uint64_t string, int length, int bits) {
  std::string text;
  for (int i = 0; i < length; ++i) {
    text += (string >> (bits - 1 - i) & 1) != 0 ? '1' : '0';
  }
  return text;
}

TEST(PrefixCode, LengthAndMatchAgreeWithText) {
  constexpr int kBits = 6;
  for (uint64_t string = 0; string < 64; ++string) {
    for (int length = 0; length <= kBits; ++length) {
      const uint64_t value = EncodePrefix(string, length, kBits);
      EXPECT_EQ(PrefixLength(value, kBits), length);
      for (uint64_t other = 0; other < 64; ++other) {
        const bool is_prefix =
            Text(other, kBits, kBits).starts_with(Text(string, length, kBits));
        EXPECT_EQ(PrefixMatches(value, other << 1), is_prefix);
      }
    }
  }
}

TEST(PrefixCode, ExpandThenContractIsTheSameEntry) {
  for (uint64_t value = 1; value < 128; ++value) {
    if (value == 64) continue;  // void
    for (const int wider : {7, 9}) {
      const TableEntry up = ExpandEntry({3, value}, 1, 7, wider);
      EXPECT_EQ(up.home, 6 + (value >> 6));
      EXPECT_EQ(ContractEntry(up, wider, 7), (TableEntry{3, value}));
    }
  }
}

TEST(PrefixCode, ExpandAndContractKeepTheOrder) {
  for (uint64_t home = 2; home < 4; ++home) {
    for (uint64_t value = 1; value + 1 < 128; ++value) {
      const TableEntry lower = {home, value};
      const TableEntry upper = {home, value + 1};
      EXPECT_LE(ContractEntry(lower, 7, 5), ContractEntry(upper, 7, 5));
      if (value == 63 || value == 64) continue;
      EXPECT_LT(ExpandEntry(lower, 1, 7, 8), ExpandEntry(upper, 1, 7, 8));
    }
  }
}

TEST(PrefixMatch, AcceleratedAgreesWithPortable) {
  std::mt19937_64 random(1);
  for (int width = 4; width <= 56; ++width) {
    const LineShape<0> shape(width);
    for (int round = 0; round < 200; ++round) {
      alignas(64) std::byte line[64] = {};
      const auto used = static_cast<int>(random() % 64) % (shape.slots() + 1);
      const uint64_t query =
          random() & LowBits(static_cast<unsigned>(width)) & ~uint64_t{1};
      for (int i = 0; i < used; ++i) {
        const auto length = static_cast<int>(random() % 64) % width;
        const uint64_t string = random() % 3 == 0 ? query : random();
        shape.WriteSlot(
            line, i,
            EncodePrefix(
                (string >> 1) & LowBits(static_cast<unsigned>(width - 1)),
                length, width - 1));
      }
      if (used == 0) continue;
      const auto first =
          static_cast<unsigned>(random() % 64) % static_cast<unsigned>(used);
      const uint64_t slots = LowBits(static_cast<unsigned>(used)) &
                             ~LowBits(first) & LowBits(first + 9);
      ASSERT_EQ(AnyPrefixMatches(shape, line, slots, query),
                AnyPrefixMatchesPortable(shape, line, slots, query))
          << "width " << width << " slots " << slots;
    }
  }
}

}  // namespace
}  // namespace tamis::internal
