// Sizing: the smallest filter that keeps the promise, and the way back.

#include "tamis/sizing.h"

#include <gtest/gtest.h>

#include <vector>

#include "tamis/any_filter.h"
#include "tamis/kind.h"

namespace tamis {
namespace {

TEST(Sizing, KeepsTheRateWithTheFewestBits) {
  for (const double fpr : {0.2, 0.01, 0.001, 1.0 / 256, 1e-6, 1e-12}) {
    const auto sizing = SizeFor("rsqf", 1'000'000, fpr);
    ASSERT_TRUE(sizing.ok()) << sizing.status().message();
    EXPECT_LE(sizing->fpr, fpr);
    const uint64_t r = sizing->spec.Integer("r", 0, 2, 56).value();
    if (r == 2) continue;
    const Spec smaller = Spec("rsqf").Set("r", r - 1);
    EXPECT_GT(FprFor(smaller, sizing->slots, 1'000'000).value(), fpr);
  }
}

TEST(Sizing, AgreesWithTheFilter) {
  for (const char* kind : {"rsqf", "taf", "exaf", "utaf"}) {
    const auto sizing = SizeFor(kind, 1000, 0.01);
    ASSERT_TRUE(sizing.ok()) << kind;
    auto filter =
        AnyFilter::Create(sizing->spec, sizing->slots, Hasher(Seed{1, 0}));
    ASSERT_TRUE(filter.ok()) << kind;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(filter->Insert(filter->hasher().Hash(i)).ok()) << kind;
    }
    EXPECT_NEAR(filter->ExpectedFpr(), sizing->fpr, 1e-12) << kind;
    EXPECT_NEAR(FprFor(sizing->spec, sizing->slots, 1000).value(), sizing->fpr,
                1e-12)
        << kind;
  }
}

// The adaptive quotient filters have fewer widths than the table.
TEST(Sizing, KeepsToTheWidthsOfTheKind) {
  for (const char* kind : {"taf", "exaf", "utaf"}) {
    const auto coarse = SizeFor(kind, 1000, 0.5);
    ASSERT_TRUE(coarse.ok()) << kind;
    EXPECT_EQ(coarse->spec.Integer("r", 0, 0, 99).value(), 4u) << kind;
    EXPECT_TRUE(AnyFilter::Create(coarse->spec, coarse->slots).ok()) << kind;
    EXPECT_EQ(SizeFor(kind, 1000, 1e-10).status().code(),
              StatusCode::kInvalidArgument)
        << kind;
    EXPECT_FALSE(FprFor(Spec(kind).Set("r", uint64_t{3}), 1000, 900).ok())
        << kind;
  }
  EXPECT_FALSE(SizeFor("taf", 1000, 1e-6).ok());
  EXPECT_TRUE(SizeFor("exaf", 1000, 1e-6).ok());
}

// Not another form of the same name.
bool IsSizedByName(const Kind& kind) {
  return kind.ShortestSpec() == kind.name;
}

// Fills what SizeFor says, for kinds with a formula and without.
TEST(Sizing, EveryKindKeepsThePromiseAtCreation) {
  constexpr uint64_t kKeys = 3000;
  for (const Kind& kind : AllKinds()) {
    if (!IsSizedByName(kind)) continue;
    SCOPED_TRACE(kind.name);
    const Sizing sizing = SizeFor(kind.name, kKeys, 0.02).value();
    EXPECT_LE(sizing.fpr, 0.02);
    const Hasher hasher(Seed{4, 4});
    AnyFilter filter = AnyFilter::Create(sizing.spec, {.slots = sizing.slots,
                                                       .hasher = hasher})
                           .value();
    EXPECT_EQ(SizeBitsFor(sizing.spec, sizing.slots).value(),
              filter.SizeBits());
    std::vector<KeyHash> hashes;
    for (uint64_t key = 0; key < kKeys; ++key) {
      hashes.push_back(hasher.Hash(key));
    }
    ASSERT_TRUE(
        (kind.is_static ? filter.BulkLoad(hashes) : filter.InsertEach(hashes))
            .ok());
    EXPECT_NEAR(filter.ExpectedFpr(), sizing.fpr, 0.05 * sizing.fpr);
    EXPECT_NEAR(FprFor(sizing.spec, sizing.slots, kKeys).value(), sizing.fpr,
                0.05 * sizing.fpr);
  }
}

// The small model has grown as often as the filter that it stands for.
TEST(Sizing, OfGrowingKindsAfterGrowth) {
  constexpr uint64_t kSlots = 4000;
  constexpr uint64_t kKeys = 60'000;
  for (const Kind& kind : AllKinds()) {
    if (!IsSizedByName(kind) || !kind.capabilities.expand) continue;
    SCOPED_TRACE(kind.name);
    const Spec spec{std::string(kind.name)};
    const Hasher hasher(Seed{4, 4});
    AnyFilter filter =
        AnyFilter::Create(spec, {.slots = kSlots, .hasher = hasher}).value();
    for (uint64_t key = 0; key < kKeys; ++key) {
      ASSERT_TRUE(filter.Insert(hasher.Hash(key)).ok());
    }
    const double fpr = FprFor(spec, kSlots, kKeys).value();
    EXPECT_NEAR(filter.ExpectedFpr(), fpr, 0.1 * fpr);
    const auto bits =
        static_cast<double>(SizeBitsFor(spec, kSlots, kKeys).value());
    EXPECT_NEAR(static_cast<double>(filter.SizeBits()), bits, 0.15 * bits);
  }
  EXPECT_EQ(FprFor(Spec("infini"), 1, uint64_t{1} << 40).status().code(),
            StatusCode::kUnsupported);
  EXPECT_FALSE(SizeBitsFor(Spec("rsqf"), 10, 1000).ok());
}

TEST(Sizing, BuysTheLowestRateOfABudget) {
  const MemoryBudget budget{.keys = 20'000, .bits_per_key = 20};
  for (const Kind& kind : AllKinds()) {
    if (!IsSizedByName(kind)) continue;
    SCOPED_TRACE(kind.name);
    const Result<Sizing> sizing = SizeFor(kind.name, budget);
    ASSERT_TRUE(sizing.ok()) << sizing.status().ToString();
    EXPECT_LE(SizeBitsFor(sizing->spec, sizing->slots).value(),
              budget.TotalBits());
    EXPECT_LT(sizing->fpr, 0.05);
  }
  EXPECT_EQ(SizeFor("taf", MemoryBudget{.keys = 100, .bits_per_key = 2})
                .status()
                .code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(SizeFor("taf", MemoryBudget{}).ok());
}

TEST(Sizing, SaysWhatIsOutOfRange) {
  for (const double fpr : {0.0, 1.0, -0.5, 1e-30}) {
    EXPECT_EQ(SizeFor("rsqf", 1000, fpr).status().code(),
              StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(SizeFor("nosuch", 1000, 0.1).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(FprFor(Spec("rsqf"), 0, 10).ok());
  for (const char* kind : {"rsqf", "taf", "cuckoo", "vacuum", "swapping",
                           "bloom", "bloom1", "blocked", "abf"}) {
    EXPECT_EQ(FprFor(Spec(kind), 1000, 1'000'000'000'000).status().code(),
              StatusCode::kInvalidArgument)
        << kind;
    EXPECT_FALSE(FprFor(Spec(kind), 1, ~uint64_t{0}).ok()) << kind;
  }
  EXPECT_TRUE(SizeFor("rsqf", 0, 0.1).ok());
}

}  // namespace
}  // namespace tamis
