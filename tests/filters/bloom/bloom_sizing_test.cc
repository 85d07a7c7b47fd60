// SizeFor and FprFor of the family: the fewest bits that keep the promise.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tamis/any_filter.h"
#include "tamis/sizing.h"

namespace tamis {
namespace {

class BloomSizes : public testing::TestWithParam<const char*> {};

TEST_P(BloomSizes, AreTheLeastThatKeepTheRate) {
  constexpr uint64_t kKeys = 100'000;
  double bits_before = 0;
  for (const double fpr : {0.2, 0.05, 0.01, 0.001}) {
    const Result<Sizing> sizing = SizeFor(GetParam(), kKeys, fpr);
    ASSERT_TRUE(sizing.ok()) << sizing.status().ToString();
    EXPECT_EQ(sizing->spec.name(), GetParam());
    EXPECT_EQ(sizing->slots, kKeys);
    EXPECT_LE(sizing->fpr, fpr);
    EXPECT_EQ(FprFor(sizing->spec, kKeys, kKeys).value(), sizing->fpr);
    const double bits = sizing->spec.Number("bits", 0, 0, 1e9).value();
    EXPECT_GT(bits, bits_before);
    // A filter can't do with fewer bits than the information in the answers.
    EXPECT_GT(bits, std::log2(1 / fpr));
    const Spec smaller =
        Spec(GetParam()).Set("bits", std::to_string(bits - 0.01));
    EXPECT_GT(FprFor(smaller, kKeys, kKeys).value(), fpr);
    bits_before = bits;
  }
}

TEST_P(BloomSizes, AgreeWithTheFilter) {
  constexpr uint64_t kKeys = 3000;
  const Result<Sizing> sizing = SizeFor(GetParam(), kKeys, 0.02);
  ASSERT_TRUE(sizing.ok()) << sizing.status().ToString();
  Result<AnyFilter> filter =
      AnyFilter::Create(sizing->spec, sizing->slots, Hasher(Seed{1, 0}));
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  for (uint64_t i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(filter->Insert(filter->hasher().Hash(i)).ok());
  }
  EXPECT_EQ(filter->ExpectedFpr(), sizing->fpr);
  EXPECT_EQ(filter->spec(), sizing->spec);
}

TEST_P(BloomSizes, SayWhatIsOutOfRange) {
  EXPECT_EQ(SizeFor(GetParam(), 1000, 1e-100).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(SizeFor(GetParam(), uint64_t{1} << 50, 0.01).ok());
  EXPECT_TRUE(SizeFor(GetParam(), 0, 0.01).ok());
  EXPECT_TRUE(SizeFor(GetParam(), 1, 0.01).ok());
  EXPECT_EQ(FprFor(Spec(GetParam()), 1000, 0).value(), 0);
  EXPECT_FALSE(FprFor(Spec(GetParam()).Set("nonsense", "1"), 10, 10).ok());
}

INSTANTIATE_TEST_SUITE_P(Kinds, BloomSizes,
                         testing::Values("bloom", "bloom1", "bloomj", "blocked",
                                         "abf", "abf-counting", "abfj",
                                         "abfbits"));

}  // namespace
}  // namespace tamis
