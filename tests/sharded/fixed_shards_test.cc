// Sharded<F> for every kind of filter.

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/kind.h"
#include "tamis/rsqf.h"
#include "tamis/serialize.h"
#include "tamis/sharded.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

static_assert(FilterType<Sharded<Rsqf>> && ErasableFilter<Sharded<Rsqf>> &&
              !AdaptiveFilter<Sharded<Rsqf>>);
static_assert(AdaptsWithMembers<Sharded<TamisFilter>> &&
              ExpandableFilter<Sharded<TamisFilter>>);
static_assert(FilterType<Sharded<AnyFilter>>);

constexpr uint64_t kKeys = 3000;

class EveryKind : public ::testing::TestWithParam<std::string> {
 protected:
  Sharded<AnyFilter> Make() const {
    return Sharded<AnyFilter>::Create(*Spec::Parse(GetParam()), 8192,
                                      Hasher(Seed{3, 1}), {.bits = 3})
        .value();
  }
  static void Fill(Sharded<AnyFilter>& filter) {
    for (uint64_t key = 0; key < kKeys; ++key) {
      ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
    }
  }
};

TEST_P(EveryKind, FindsAllMembersAndFewOthers) {
  Sharded<AnyFilter> filter = Make();
  Fill(filter);
  EXPECT_EQ(filter.size(), kKeys);
  std::vector<KeyHash> hashes;
  for (uint64_t key = 0; key < 4 * kKeys; ++key) {
    hashes.push_back(filter.hasher().Hash(key));
  }
  const auto answers = std::make_unique<bool[]>(hashes.size());
  filter.MayContain(hashes, std::span(answers.get(), hashes.size()));
  uint64_t wrong = 0;
  for (uint64_t key = 0; key < hashes.size(); ++key) {
    ASSERT_EQ(answers[key], filter.MayContain(hashes[key]));
    ASSERT_TRUE(key >= kKeys || answers[key]) << "false negative";
    wrong += static_cast<uint64_t>(key >= kKeys && answers[key]);
  }
  // Some 5 standard deviations, and what small shards differ by.
  const double expected = filter.ExpectedFpr() * 3 * kKeys;
  EXPECT_LT(static_cast<double>(wrong),
            1.3 * expected + 5 * std::sqrt(expected + 1));
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(EveryKind, SurvivesBytes) {
  Sharded<AnyFilter> filter = Make();
  Fill(filter);
  const auto bytes = internal::SerializeSnapshot(filter.ToSnapshot()).value();
  const auto file = internal::DecodedFile::FromMemory(bytes).value();
  const auto loaded = Sharded<AnyFilter>::FromSnapshot(file.snapshot());
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(internal::SerializeSnapshot(loaded->ToSnapshot()).value(), bytes);
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(loaded->MayContain(filter.hasher().Hash(key)));
  }
}

TEST_P(EveryKind, AdaptsAndErases) {
  Sharded<AnyFilter> filter = Make();
  Fill(filter);
  const Capabilities can = filter.shard(0).capabilities();
  if (can.adapt) {
    for (uint64_t key = kKeys; key < 4 * kKeys; ++key) {
      const KeyHash hash = filter.hasher().Hash(key);
      if (!filter.MayContain(hash)) continue;
      ASSERT_TRUE(filter.Adapt(hash).ok());
    }
  }
  if (can.erase) {
    for (uint64_t key = 0; key < kKeys; key += 2) {
      ASSERT_TRUE(filter.Erase(filter.hasher().Hash(key)).ok());
    }
  }
  for (uint64_t key = 1; key < kKeys; key += 2) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(key)));
  }
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

std::vector<std::string> Specs() {
  std::vector<std::string> specs;
  for (const Kind& kind : AllKinds()) {
    // Those around another need it named; some take all keys at once only.
    const bool is_around = !Spec::Parse(kind.ShortestSpec())->inner().empty();
    if (!is_around && !kind.is_static) specs.emplace_back(kind.ShortestSpec());
  }
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Sharded, EveryKind, ::testing::ValuesIn(Specs()),
                         [](const auto& one) {
                           std::string name = one.param;
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c)))
                               c = '_';
                           }
                           return name;
                         });

TEST(Sharded, RefusesTooManyShards) {
  EXPECT_EQ(
      Sharded<Rsqf>::Create(*Spec::Parse("rsqf"), 100, Hasher(), {.bits = 17})
          .status()
          .code(),
      StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tamis::testing
