// A filter that is moved to itself stays as it is: no member is lost.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "filters/growing/chain.h"
#include "filters/growing/sacrifice.h"
#include "filters/quotient/utaf.h"
#include "tamis/abf.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/any_filter.h"
#include "tamis/blocked_bloom.h"
#include "tamis/bloom.h"
#include "tamis/cuckoo.h"
#include "tamis/exaf.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tamis/serialize.h"
#include "tamis/spec.h"
#include "tamis/taf.h"
#include "tamis/vacuum.h"
#include "tamis/word_bloom.h"

namespace tamis {
namespace {

// A spec for each class of filters.
template <typename F>
constexpr const char* kSpec = "rsqf:r=8";  // of Rsqf and AnyFilter
template <>
constexpr const char* kSpec<Taf> = "taf:r=8";
template <>
constexpr const char* kSpec<Exaf> = "exaf:r=8";
template <>
constexpr const char* kSpec<Utaf> = "utaf:r=8";
template <>
constexpr const char* kSpec<CuckooFilter> = "cuckoo:f=12";
template <>
constexpr const char* kSpec<KeyedCuckooFilter> = "cuckoo:f=12,k=4";
template <>
constexpr const char* kSpec<VacuumFilter> = "vacuum:f=12";
template <>
constexpr const char* kSpec<CyclicFilter> = "cyclic:f=10";
template <>
constexpr const char* kSpec<SwappingFilter> = "swapping:f=8";
template <>
constexpr const char* kSpec<CuckooingFilter> = "cuckooing:f=12";
template <>
constexpr const char* kSpec<BloomFilter> = "bloom:bits=12";
template <>
constexpr const char* kSpec<WordBloomFilter> = "bloom1:bits=8";
template <>
constexpr const char* kSpec<BlockedBloomFilter> = "blocked:bits=12";
template <>
constexpr const char* kSpec<AdaptiveBloomFilter> = "abf:bits=8";
template <>
constexpr const char* kSpec<CountingAdaptiveBloomFilter> =
    "abf-counting:bits=8";
template <>
constexpr const char* kSpec<SacrificeFilter> = "sacrifice:f=12";
template <>
constexpr const char* kSpec<ChainFilter> = "chain:f=9";
template <>
constexpr const char* kSpec<InfiniFilter> = "infini:f=3";

template <typename F>
class SelfMove : public ::testing::Test {};

using Filters = ::testing::Types<
    Rsqf, Taf, Exaf, Utaf, CuckooFilter, KeyedCuckooFilter, VacuumFilter,
    CyclicFilter, SwappingFilter, CuckooingFilter, BloomFilter, WordBloomFilter,
    BlockedBloomFilter, AdaptiveBloomFilter, CountingAdaptiveBloomFilter,
    SacrificeFilter, ChainFilter, InfiniFilter, AnyFilter>;
TYPED_TEST_SUITE(SelfMove, Filters);

TYPED_TEST(SelfMove, ChangesNothing) {
  const Spec spec = Spec::Parse(kSpec<TypeParam>).value();
  TypeParam filter = TypeParam::Create(spec, 1000, Hasher(Seed{1, 2})).value();
  // Until it is full; a growing one doubles four times, and has tables to lose.
  uint64_t keys = 0;
  while (keys < 16'000 && filter.Insert(filter.hasher().Hash(keys)).ok()) {
    ++keys;
  }
  EXPECT_GE(keys, 900u);
  const auto before = Serialize(filter).value();
  TypeParam& same = filter;
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
