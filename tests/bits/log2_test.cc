#include "tamis/internal/bits/log2.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace tamis::internal {
namespace {

TEST(ApproximateLog2, IsWithinItsBound) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t number = random() >> (random() % 64) | 1;
    const double exact = std::log2(static_cast<double>(number));
    ASSERT_NEAR(std::ldexp(ApproximateLog2(number), -kLog2FractionBits), exact,
                std::ldexp(1, -8))
        << number;
  }
}

TEST(ApproximateLog2, NeverFalls) {
  uint32_t before = 0;
  for (int exponent = 0; exponent < 64; ++exponent) {
    for (uint64_t part = 0; part < 512; ++part) {
      const uint64_t rest =
          exponent < 9 ? part >> (9 - exponent) : part << (exponent - 9);
      const uint64_t number = (uint64_t{1} << exponent) + rest;
      const uint32_t now = ApproximateLog2(number);
      ASSERT_LE(before, now) << number;
      before = now;
    }
  }
}

}  // namespace
}  // namespace tamis::internal
