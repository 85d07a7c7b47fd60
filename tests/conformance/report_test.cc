// What a filter says of itself: its spec, its numbers, its sizes.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "conformance/conformance.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceReport);

TEST_P(ConformanceReport, IsCreatedFromItsSpec) {
  const Result<AnyFilter> filter = Create(GetParam().slots, Hasher(Seed{1, 1}));
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  EXPECT_EQ(filter->spec().name(), Spec::Parse(GetParam().spec).value().name());
}

TEST_P(ConformanceReport, SpecMakesTheSameFilterAgain) {
  const AnyFilter filter = Make();
  const Spec spec = filter.spec();
  const Result<Spec> parsed = Spec::Parse(spec.ToString());
  ASSERT_TRUE(parsed.ok()) << spec.ToString();
  EXPECT_EQ(*parsed, spec);
  const Result<AnyFilter> again =
      GetParam().kind->create(spec, GetParam().slots, filter.hasher());
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(again->spec(), spec);
  EXPECT_EQ(again->capacity(), filter.capacity());
  EXPECT_EQ(Bytes(*again), Bytes(filter));
}

TEST_P(ConformanceReport, StatsAgreeWithTheAccessors) {
  AnyFilter filter = Make();
  (void)Fill(filter, 0.5);
  const FilterStats stats = filter.stats();
  EXPECT_EQ(stats.size, filter.size());
  EXPECT_EQ(stats.capacity, filter.capacity());
  EXPECT_EQ(stats.size_bits, filter.SizeBits());
  EXPECT_DOUBLE_EQ(stats.expected_fpr, filter.ExpectedFpr());
  EXPECT_GT(stats.BitsPerKey(), 0);
  for (const auto& [name, value] : stats.details) {
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

// n keys at a false positive rate of e need n log2(1/e) bits, whatever the
// filter: one that claims less has not counted all that a look-up needs.
TEST_P(ConformanceReport, SizeIsAboveTheInformationBound) {
  AnyFilter filter = Make();
  const auto keys = static_cast<double>(Fill(filter).size());
  const double rate = filter.ExpectedFpr();
  ASSERT_GE(rate, 0);
  ASSERT_LT(rate, 1);
  if (rate > 0) {
    EXPECT_GE(static_cast<double>(filter.SizeBits()),
              -0.99 * keys * std::log2(rate));
  }
  // One by one, the keys of a static filter are whole hashes.
  EXPECT_LE(filter.stats().BitsPerKey(),
            GetParam().spec.starts_with("fuse") ? 320 : 300);
}

TEST_P(ConformanceReport, ExpectedFprGrowsWithTheLoad) {
  AnyFilter filter = Make();
  double before = filter.ExpectedFpr();
  EXPECT_LT(before, 1e-6) << "of an empty filter";
  for (uint64_t tenth = 1; tenth <= 7; ++tenth) {
    const uint64_t count = filter.capacity() / 10;
    ASSERT_TRUE(filter.InsertEach(Hashes(filter, tenth << 32, count)).ok());
    const double now = filter.ExpectedFpr();
    EXPECT_GE(now, before) << "at load " << tenth << "/10";
    before = now;
  }
}

}  // namespace
}  // namespace tamis::testing
