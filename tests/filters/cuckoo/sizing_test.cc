// Sizing cuckoo filters: the fewest bits, and room for all keys.

#include "tamis/sizing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "filters/cuckoo/cuckoo_math.h"
#include "filters/cuckoo/cuckoo_testing.h"

namespace tamis::testing {
namespace {

constexpr const char* kKinds[] = {"cuckoo", "vacuum", "cyclic", "swapping",
                                  "cuckooing"};

TEST(CuckooSizing, KeepsTheRateWithTheFewestBits) {
  constexpr uint64_t kKeys = 1'000'000;
  for (const std::string kind : kKinds) {
    for (const double fpr : {0.5, 0.01, 1e-3, 1e-4, 1e-7}) {
      const Result<Sizing> sizing = SizeFor(kind, kKeys, fpr);
      ASSERT_TRUE(sizing.ok()) << sizing.status().ToString();
      EXPECT_LE(sizing->fpr, fpr);
      const uint64_t f = *sizing->spec.Integer("f", 0, 4, 32);
      if (f <= 8) continue;  // the fewest that fill up
      Spec smaller = sizing->spec;
      smaller.Set("f", f - 1);
      EXPECT_GT(*FprFor(smaller, sizing->slots, kKeys), fpr) << kind;
    }
  }
}

TEST(CuckooSizing, HoldsAllKeysAtTheRateItNamed) {
  for (const std::string kind : kKinds) {
    for (const uint64_t keys : {0u, 1u, 5u, 20u, 100u, 1000u, 20'000u}) {
      const Sizing sizing = *SizeFor(kind, keys, 0.2);
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        AnyFilter filter =
            *AnyFilter::Create(sizing.spec, sizing.slots, SeededHasher(seed));
        ASSERT_EQ(InsertKeys(filter, 0, keys), keys) << kind;
        EXPECT_NEAR(filter.ExpectedFpr(), sizing.fpr, 1e-12) << kind;
      }
      EXPECT_NEAR(*FprFor(sizing.spec, sizing.slots, keys), sizing.fpr, 1e-12);
    }
  }
}

TEST(CuckooSizing, KnowsTheKeyedForm) {
  EXPECT_NEAR(*FprFor(*Spec::Parse("cuckoo:f=12,k=4,b=1"), 100'000, 95'000),
              CuckooFpr(0.95, 12, 4, 1), 1e-12);
  EXPECT_NEAR(*FprFor(*Spec::Parse("cuckoo:f=12"), 100'000, 95'000),
              CuckooFpr(0.95, 12, 2, 4), 1e-12);
}

TEST(CuckooSizing, SaysWhatIsOutOfRange) {
  for (const std::string kind : kKinds) {
    EXPECT_EQ(SizeFor(kind, 1000, 1e-12).status().code(),
              StatusCode::kInvalidArgument);
    EXPECT_EQ(SizeFor(kind, ~uint64_t{0}, 0.1).status().code(),
              StatusCode::kInvalidArgument);
    EXPECT_FALSE(FprFor(*Spec::Parse(kind + ":f=99"), 100, 10).ok());
  }
}

}  // namespace
}  // namespace tamis::testing
