// A filter that is moved to itself stays as it is: no member is lost.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tamis/abf.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/any_filter.h"
#include "tamis/blocked_bloom.h"
#include "tamis/bloom.h"
#include "tamis/cuckoo.h"
#include "tamis/exaf.h"
#include "tamis/growing_chain.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tamis/sacrifice.h"
#include "tamis/serialize.h"
#include "tamis/spec.h"
#include "tamis/taf.h"
#include "tamis/utaf.h"
#include "tamis/vacuum.h"
#include "tamis/word_bloom.h"

namespace tamis {
namespace {

// A class of filters, and a spec for it.
template <typename F, int kNumber>
struct Sample {
  using Type = F;
  static constexpr const char* kSpecs[] = {
      "rsqf:r=8",     "taf:r=8",         "exaf:r=8",      "utaf:r=8",
      "cuckoo:f=12",  "cuckoo:f=12,k=4", "vacuum:f=12",   "cyclic:f=10",
      "swapping:f=8", "cuckooing:f=12",  "bloom:bits=12", "bloom1:bits=8",
      "blocked",      "abf:bits=8,k=4",  "abf-counting",  "sacrifice:f=12",
      "chain:f=9",    "infini:f=4",      "rsqf:r=8"};
  static Spec spec() { return Spec::Parse(kSpecs[kNumber]).value(); }
};

template <typename S>
class SelfMove : public testing::Test {};

using Samples = testing::Types<
    Sample<Rsqf, 0>, Sample<Taf, 1>, Sample<Exaf, 2>, Sample<Utaf, 3>,
    Sample<CuckooFilter, 4>, Sample<KeyedCuckooFilter, 5>,
    Sample<VacuumFilter, 6>, Sample<CyclicFilter, 7>, Sample<SwappingFilter, 8>,
    Sample<CuckooingFilter, 9>, Sample<BloomFilter, 10>,
    Sample<WordBloomFilter, 11>, Sample<BlockedBloomFilter, 12>,
    Sample<AdaptiveBloomFilter, 13>, Sample<CountingAdaptiveBloomFilter, 14>,
    Sample<Sacrifice, 15>, Sample<GrowingChain, 16>, Sample<Infini, 17>,
    Sample<AnyFilter, 18>>;
TYPED_TEST_SUITE(SelfMove, Samples);

TYPED_TEST(SelfMove, ChangesNothing) {
  using F = typename TypeParam::Type;
  F filter = F::Create(TypeParam::spec(), 1000, Hasher(Seed{1, 2})).value();
  // Growing filters double a few times, and have several tables.
  const uint64_t keys = filter.capacity() < 1000 ? 60'000 : 900;
  for (uint64_t key = 0; key < keys; ++key) {
    ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  const auto before = Serialize(filter).value();
  F& same = filter;
  filter = std::move(same);
  EXPECT_EQ(filter.size(), keys);
  EXPECT_EQ(Serialize(filter).value(), before);
  EXPECT_TRUE(filter.CheckInvariants().ok());
  for (uint64_t key = 0; key < keys; ++key) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(key))) << key;
  }
}

}  // namespace
}  // namespace tamis
