// Merge and BulkLoad of the adaptive quotient filters, for every pairing of
// mirror and source, between tables of equal and of different sizes.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "filters/quotient/harness.h"

namespace tamis::testing {
namespace {

constexpr uint64_t kSlots = 400;
constexpr uint64_t kUniverse = 3000;

template <typename F>
class Pair {
 public:
  Pair(KeysIn mine, KeysIn its, uint64_t its_slots, uint64_t seed)
      : into_({.slots = kSlots, .remainder_bits = 5}, mine, 1),
        from_({.slots = its_slots, .remainder_bits = 5}, its, 1),
        random_(seed) {}

  // Adapted members on both sides, then one into the other, and more.
  void Run() {
    ASSERT_NO_FATAL_FAILURE(Fill(into_, 150));
    ASSERT_NO_FATAL_FAILURE(Fill(from_, 100));
    ASSERT_NO_FATAL_FAILURE(Expect(into_.Merge(from_)));
    ASSERT_NO_FATAL_FAILURE(Expect(into_.BulkLoad(SomeKeys(100))));
    ASSERT_NO_FATAL_FAILURE(Fill(into_, 20));
    EXPECT_EQ(into_.Merge(from_).code(), StatusCode::kFull);
    EXPECT_EQ(into_.BulkLoad(SomeKeys(31)).code(), StatusCode::kFull);
    while (into_.truth().size() > 5) {
      const uint64_t victim = random_() % into_.truth().size();
      ASSERT_NO_FATAL_FAILURE(Expect(into_.Erase(into_.truth().At(victim))));
    }
    // Into few members, and into none at all.
    ASSERT_NO_FATAL_FAILURE(Expect(into_.BulkLoad(SomeKeys(200))));
    while (!into_.truth().empty()) {
      ASSERT_NO_FATAL_FAILURE(Expect(into_.Erase(into_.truth().At(0))));
    }
    ASSERT_NO_FATAL_FAILURE(Expect(into_.BulkLoad(SomeKeys(kSlots))));
  }

 private:
  KeyHash AnyKey() { return into_.Hash(random_() % kUniverse); }
  std::vector<KeyHash> SomeKeys(uint64_t count) {
    std::vector<KeyHash> keys(count);
    for (KeyHash& key : keys) key = AnyKey();
    return keys;
  }
  void Expect(const Status& status) {
    ASSERT_TRUE(status.ok()) << status.ToString();
    const Status sound = into_.Check();
    ASSERT_TRUE(sound.ok()) << sound.ToString();
  }
  void Fill(Harness<F>& harness, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(harness.Insert(AnyKey()).ok());
      for (int j = 0; j < 5; ++j) {
        ASSERT_TRUE(harness.AdaptIfWrong(AnyKey()).ok());
      }
    }
    ASSERT_TRUE(harness.Check().ok());
  }

  Harness<F> into_;
  Harness<F> from_;
  std::mt19937_64 random_;
};

template <typename F>
class QuotientCombine : public ::testing::Test {};
using AllKinds = ::testing::Types<Taf, Exaf, Utaf>;
TYPED_TEST_SUITE(QuotientCombine, AllKinds);

TYPED_TEST(QuotientCombine, LosesNothingFromAnyKeySource) {
  uint64_t seed = 0;
  for (const KeysIn mine : {KeysIn::kMirror, KeysIn::kSource}) {
    for (const KeysIn its : {KeysIn::kMirror, KeysIn::kSource}) {
      for (const uint64_t its_slots : {kSlots, 3 * kSlots / 2}) {
        SCOPED_TRACE(++seed);
        Pair<TypeParam>(mine, its, its_slots, seed).Run();
        if (this->HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(QuotientCombine, MergeIntoAnEmptyFilterKeepsEveryFix) {
  Harness<TypeParam> from({.slots = 2000, .remainder_bits = 6},
                          KeysIn::kMirror);
  for (uint64_t i = 0; i < 1800; ++i) {
    ASSERT_TRUE(from.Insert(from.Hash(i)).ok());
  }
  uint64_t fixed = 0;
  for (uint64_t i = 2000; i < 20'000; ++i) {
    const auto adapted = from.AdaptIfWrong(from.Hash(i));
    ASSERT_TRUE(adapted.ok()) << adapted.status().ToString();
    fixed += *adapted;
  }
  EXPECT_GT(fixed, 100u);
  Harness<TypeParam> into({.slots = 2000, .remainder_bits = 6},
                          KeysIn::kMirror);
  ASSERT_TRUE(into.Merge(from).ok());
  for (uint64_t i = 0; i < 40'000; ++i) {
    const KeyHash hash = from.Hash(i);
    ASSERT_EQ(into.filter().MayContain(hash), from.filter().MayContain(hash));
  }
}

TYPED_TEST(QuotientCombine, BulkLoadPastTheEndOfTheTable) {
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    Harness<TypeParam> harness({.slots = 4000}, keys);
    const auto at_the_end = [&](uint64_t key) {  // one of the last 32 homes
      const KeyHash any = harness.Hash(key);
      return KeyHash{any.high | (~uint64_t{0} << 57), any.low};
    };
    std::vector<KeyHash> members;
    for (uint64_t i = 0; i < 500; ++i) members.push_back(at_the_end(i));
    ASSERT_TRUE(harness.BulkLoad(members).ok());
    const Status loaded = harness.Check();
    ASSERT_TRUE(loaded.ok()) << loaded.ToString();
    for (uint64_t i = 500; i < 700; ++i) {
      ASSERT_TRUE(harness.AdaptIfWrong(at_the_end(1000 + i)).ok());
      ASSERT_TRUE(harness.Insert(at_the_end(i)).ok());
    }
    ASSERT_TRUE(harness.Reload().ok());
    const Status status = harness.Check();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

}  // namespace
}  // namespace tamis::testing
