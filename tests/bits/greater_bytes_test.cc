#include "bits/greater_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

struct alignas(kLineBytes) Line {
  std::array<std::byte, kLineBytes> bytes;
};

TEST(GreaterBytes, AgreesWithItsPortableTwin) {
  std::mt19937_64 random(1);
  Line line;
  for (int round = 0; round < 100; ++round) {
    for (std::byte& byte : line.bytes) byte = static_cast<std::byte>(random());
    for (int value = 0; value < 256; ++value) {
      const auto byte = static_cast<uint8_t>(value);
      ASSERT_EQ(GreaterBytes(line.bytes.data(), byte),
                GreaterBytesPortable(line.bytes.data(), byte))
          << "value " << value;
    }
  }
}

TEST(GreaterBytes, ComparesWithoutSign) {
  Line line{};
  line.bytes[3] = std::byte{0xff};
  line.bytes[5] = std::byte{0x80};
  line.bytes[7] = std::byte{0x7f};
  EXPECT_EQ(GreaterBytes(line.bytes.data(), 0), 0b1010'1000u);
  EXPECT_EQ(GreaterBytes(line.bytes.data(), 0x7f), 0b0010'1000u);
  EXPECT_EQ(GreaterBytes(line.bytes.data(), 0x80), 0b0000'1000u);
  EXPECT_EQ(GreaterBytes(line.bytes.data(), 0xff), 0u);
}

}  // namespace
}  // namespace tamis::internal
