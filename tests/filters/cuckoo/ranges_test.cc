#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "tamis/internal/filters/cuckoo/alternate_ranges.h"

namespace tamis::internal {
namespace {

// Going to the other bin twice leads back, for any number of bins.
template <typename Ranges>
void ExpectInvolution(uint64_t bins) {
  const Ranges ranges(bins);
  for (uint64_t bin = 0; bin < bins; bin += 1 + bins / 300) {
    for (uint64_t fingerprint = 1; fingerprint < 64; ++fingerprint) {
      const uint64_t other = ranges.Alternate(bin, fingerprint);
      ASSERT_LT(other, bins);
      ASSERT_EQ(ranges.Alternate(other, fingerprint), bin)
          << bins << " bins, fingerprint " << fingerprint;
    }
  }
}

TEST(AlternateRanges, OtherOfOtherIsTheBinItself) {
  for (uint64_t bins = 1; bins < 100; ++bins) {
    ExpectInvolution<WholeTable>(bins);
    ExpectInvolution<VacuumRanges>(bins);
  }
  for (const uint64_t bins :
       {1000ull, 16'384ull, 16'385ull, 1'000'003ull, (1ull << 40) + 3}) {
    ExpectInvolution<WholeTable>(bins);
    ExpectInvolution<VacuumRanges>(bins);
  }
}

TEST(AlternateRanges, NoBinIsItsOwnOtherIfTheirNumberIsEven) {
  for (uint64_t bins = 2; bins < 100; bins += 2) {
    const WholeTable ranges(bins);
    for (uint64_t bin = 0; bin < bins; ++bin) {
      for (uint64_t fingerprint = 1; fingerprint < 64; ++fingerprint) {
        ASSERT_NE(ranges.Alternate(bin, fingerprint), bin);
      }
    }
  }
}

TEST(AlternateRanges, VacuumStaysWithinItsRanges) {
  constexpr uint64_t kBins = (1 << 24) + 12'345;
  const VacuumRanges ranges(kBins);
  for (uint64_t bin = 0; bin < kBins; bin += 9973) {
    for (uint64_t fingerprint = 1; fingerprint < 50; ++fingerprint) {
      const uint64_t other = ranges.Alternate(bin, fingerprint);
      const uint64_t distance = other > bin ? other - bin : bin - other;
      EXPECT_LT(distance, 2 * ranges.length(static_cast<int>(fingerprint % 4)));
    }
  }
}

TEST(AlternateRanges, LengthsFallWithTheShareOfKeys) {
  const VacuumRanges ranges(1 << 24);
  EXPECT_GT(ranges.length(0), ranges.length(1));
  EXPECT_GT(ranges.length(1), ranges.length(2));
  EXPECT_GE(ranges.length(2), ranges.length(3));
  EXPECT_LE(ranges.length(1), 512u) << "three keys in four stay close";
}

TEST(AlternateRanges, FingerprintsSpreadOverTheTable) {
  const WholeTable ranges(1 << 14);
  std::set<uint64_t> others;
  for (uint64_t fingerprint = 1; fingerprint < 256; ++fingerprint) {
    others.insert(ranges.Alternate(77, fingerprint));
  }
  EXPECT_GT(others.size(), 245u) << "of 255";
}

}  // namespace
}  // namespace tamis::internal
