#include "tamis/internal/bits/line_ops.h"

#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

// A line between two others, so that a write outside of it is seen.
struct alignas(64) Lines {
  std::array<std::byte, 64> before;
  std::array<std::byte, 64> line;
  std::array<std::byte, 64> after;

  friend bool operator==(const Lines&, const Lines&) = default;
};

Lines RandomLines(std::mt19937_64& random) {
  Lines lines;
  for (auto* part : {&lines.before, &lines.line, &lines.after}) {
    for (std::byte& byte : *part) byte = static_cast<std::byte>(random());
  }
  return lines;
}

using Bits = std::bitset<512>;

Bits ToBits(const std::array<std::byte, 64>& line) {
  Bits bits;
  for (size_t i = 0; i < 512; ++i) {
    bits[i] = (std::to_integer<int>(line[i / 8]) >> (i % 8) & 1) != 0;
  }
  return bits;
}

// The same as MoveBitsUp, one bit at a time.
Bits MovedUp(const Bits& bits, int begin, int limit, int by) {
  Bits moved = bits;
  for (int i = begin; i < limit; ++i) {
    moved[static_cast<size_t>(i + by)] = bits[static_cast<size_t>(i)];
  }
  return moved;
}
Bits MovedDown(const Bits& bits, int begin, int limit, int by) {
  Bits moved = bits;
  for (int i = begin; i < limit; ++i) {
    moved[static_cast<size_t>(i - by)] = bits[static_cast<size_t>(i)];
  }
  return moved;
}

TEST(LineOps, ReadsWhatItWrites) {
  std::mt19937_64 random(1);
  for (int count = 1; count <= 57; ++count) {
    for (int begin = 0; begin + count <= 512; ++begin) {
      Lines lines = RandomLines(random);
      const Lines old = lines;
      const uint64_t value = random() & LowBits(static_cast<unsigned>(count));
      WriteBits(lines.line.data(), begin, count, value);
      ASSERT_EQ(ReadBits(lines.line.data(), begin, count), value);
      Bits changed = ToBits(lines.line) ^ ToBits(old.line);
      changed &= ~(((~Bits()) >> static_cast<size_t>(512 - count))
                   << static_cast<size_t>(begin));
      ASSERT_TRUE(changed.none()) << begin << " " << count;
      ASSERT_EQ(lines.before, old.before);
      ASSERT_EQ(lines.after, old.after);
    }
  }
}

TEST(LineOps, MovesBitsUpAndDown) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20000; ++round) {
    const int by = 1 + static_cast<int>(random() % 63);
    const int begin =
        static_cast<int>(random() % static_cast<uint64_t>(513 - by));
    const int limit =
        begin +
        static_cast<int>(random() % static_cast<uint64_t>(513 - by - begin));
    Lines lines = RandomLines(random);
    const Lines old = lines;
    MoveBitsUp(lines.line.data(), begin, limit, by);
    ASSERT_EQ(ToBits(lines.line), MovedUp(ToBits(old.line), begin, limit, by))
        << begin << " " << limit << " " << by;
    lines.line = old.line;
    MoveBitsDown(lines.line.data(), begin + by, limit + by, by);
    ASSERT_EQ(ToBits(lines.line),
              MovedDown(ToBits(old.line), begin + by, limit + by, by))
        << begin << " " << limit << " " << by;
    ASSERT_EQ(lines.before, old.before);
    ASSERT_EQ(lines.after, old.after);
  }
}

template <int kBy>
void CheckMoveBytes() {
  std::mt19937_64 random(3);
  for (int begin = 0; begin + kBy <= 64; ++begin) {
    for (int limit = begin; limit + kBy <= 64; ++limit) {
      Lines lines = RandomLines(random);
      const Lines old = lines;
      MoveBytesUp<kBy>(lines.line.data(), begin, limit);
      ASSERT_EQ(ToBits(lines.line),
                MovedUp(ToBits(old.line), 8 * begin, 8 * limit, 8 * kBy))
          << begin << " " << limit;
      lines.line = old.line;
      MoveBytesDown<kBy>(lines.line.data(), begin + kBy, limit + kBy);
      ASSERT_EQ(ToBits(lines.line),
                MovedDown(ToBits(old.line), 8 * (begin + kBy),
                          8 * (limit + kBy), 8 * kBy))
          << begin << " " << limit;
      ASSERT_EQ(lines.before, old.before);
      ASSERT_EQ(lines.after, old.after);
    }
  }
}

TEST(LineOps, MovesBytes) { CheckMoveBytes<1>(); }
TEST(LineOps, MovesPairsOfBytes) { CheckMoveBytes<2>(); }

TEST(LineOps, MatchesAgreeWithTheirPortableTwins) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 2000; ++round) {
    Lines lines = RandomLines(random);
    // Few values, so that there are matches.
    for (std::byte& byte : lines.line) byte &= std::byte{3};
    const auto value = static_cast<uint16_t>(random() & 0x0303);
    const std::byte* line = lines.line.data();
    const auto low = static_cast<uint8_t>(value);
    ASSERT_EQ(MatchBytes(line, low), MatchBytesPortable(line, low));
    ASSERT_EQ(MatchPairs(line, value), MatchPairsPortable(line, value));
    const uint64_t word = (uint64_t{value} << 48) | random() >> 16;
    ASSERT_EQ(MatchTopBytes(line, word), MatchTopBytesPortable(line, word));
    ASSERT_EQ(MatchTopBytes(line, word),
              MatchBytes(line, low) |
                  MatchBytes(line, static_cast<uint8_t>(value >> 8)));
    for (size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(MatchBytes(line, low) >> i & 1,
                uint64_t{lines.line[i] == static_cast<std::byte>(low)});
    }
  }
}

}  // namespace
}  // namespace tamis::internal
