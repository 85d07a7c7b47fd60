#include "tamis/internal/bits/has_byte.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

bool HasByteByByte(uint64_t word, uint8_t byte) {
  for (int i = 0; i < 8; ++i) {
    if (static_cast<uint8_t>(word >> (8 * i)) == byte) return true;
  }
  return false;
}

TEST(HasByte, FollowsTheDefinition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    // Few different bytes, so that zeros, ones and borrows are met often.
    const uint64_t word = i % 2 == 0 ? random() : random() & 0x8101038181010301;
    for (int byte = 0; byte < 256; ++byte) {
      ASSERT_EQ(HasByte(word, static_cast<uint8_t>(byte)),
                HasByteByByte(word, static_cast<uint8_t>(byte)))
          << std::hex << word << ' ' << byte;
    }
  }
}

}  // namespace
}  // namespace tamis::internal
