#include "tamis/internal/bits/match_windows.h"

#include <gtest/gtest.h>

#include <random>

namespace tamis::internal {
namespace {

TEST(MatchWindows, OfTheExampleInTheHeader) {
  // Slots a c b, windows b a.
  EXPECT_EQ(MatchWindows(0xff'0b'0c'0a | (uint64_t{0xeeeeeeee} << 32),
                         0x0a'0b | (uint64_t{0xdddddddddddd} << 16)),
            uint64_t{0b100} | (uint64_t{0b001} << 8));
}

TEST(MatchWindows, AcceleratedAgreesWithPortable) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    // Few different values, so that many are equal.
    const uint64_t slots = random() & 0x0303030303030303;
    const uint64_t windows = random() & 0x0303030303030303;
    ASSERT_EQ(MatchWindows(slots, windows),
              MatchWindowsPortable(slots, windows));
  }
}

}  // namespace
}  // namespace tamis::internal
