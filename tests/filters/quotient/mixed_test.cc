// Inserts, erases, adapts, merges and reloads at random: nothing is lost,
// under either key source and every policy.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "filters/quotient/harness.h"

namespace tamis::testing {
namespace {

// One random sequence of operations.  The filter fills and empties by turns.
// One operation in `per_merge` is a merge, and one a reload: both are linear in
// the size of the filter.
template <typename F>
class Mixed {
 public:
  Mixed(const AdaptiveOptions& options, KeysIn keys, uint64_t seed,
        uint64_t per_merge = 500)
      : options_(options),
        keys_(keys),
        seed_(seed),
        per_merge_(per_merge),
        harness_(options, keys, seed),
        random_(seed) {}

  Status Run(uint64_t steps, uint64_t check_every) {
    for (uint64_t i = 0; i < steps; ++i) {
      const bool filling = i / (2 * options_.slots) % 2 == 0;
      const Status status = Step(filling);
      if (!status.ok()) {
        return status.WithContext("step " + std::to_string(i));
      }
      if (i % check_every == 0) TAMIS_RETURN_IF_ERROR(harness_.Check());
    }
    return harness_.Check();
  }
  Harness<F>& harness() { return harness_; }

 private:
  Status Step(bool filling) {
    if (random_() % per_merge_ == 0) return Merge();
    if (random_() % per_merge_ == 0) return harness_.Reload();
    const uint64_t die = random_() % 10;
    if (die < 3) return filling ? Insert() : Erase();
    if (die < 4) return filling ? Erase() : Insert();
    if (die < 5) return Query();
    return harness_.AdaptIfWrong(AnyKey()).status();
  }
  // Keys repeat, so that some are inserted more than once.
  KeyHash AnyKey() { return harness_.Hash(random_() % (8 * options_.slots)); }

  Status Insert() {
    const Status status = harness_.Insert(AnyKey());
    return status.code() == StatusCode::kFull ? Status() : status;
  }
  Status Erase() {
    const HashMultiset& truth = harness_.truth();
    if (truth.empty()) return {};
    return harness_.Erase(truth.At(random_() % truth.size()));
  }
  Status Query() {
    const KeyHash hash = AnyKey();
    if (harness_.truth().Contains(hash) &&
        !harness_.filter().MayContain(hash)) {
      return {StatusCode::kCorrupt, "false negative"};
    }
    const Status erased = harness_.truth().Contains(hash)
                              ? Status(StatusCode::kNotFound, "not asked")
                              : harness_.filter().Erase(hash);
    return erased.code() == StatusCode::kNotFound
               ? Status()
               : Status(StatusCode::kCorrupt, "erased an absent key");
  }
  Status Merge() {
    Harness<F> other(options_, keys_, seed_);
    for (uint64_t i = 0; i < options_.slots / 16; ++i) {
      TAMIS_RETURN_IF_ERROR(other.Insert(AnyKey()));
      TAMIS_RETURN_IF_ERROR(other.AdaptIfWrong(AnyKey()).status());
    }
    const Status status = harness_.Merge(other);
    return status.code() == StatusCode::kFull ? Status() : status;
  }

  AdaptiveOptions options_;
  KeysIn keys_;
  uint64_t seed_;
  uint64_t per_merge_;
  Harness<F> harness_;
  std::mt19937_64 random_;
};

template <typename F>
class MixedOperations : public ::testing::Test {};
using AllKinds = ::testing::Types<Taf, Exaf, Utaf>;
TYPED_TEST_SUITE(MixedOperations, AllKinds);

TYPED_TEST(MixedOperations, LoseNothing) {
  uint64_t seed = 1;
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    for (const OverflowPolicy policy :
         {OverflowPolicy::kEvict, OverflowPolicy::kRefuse,
          OverflowPolicy::kReset}) {
      for (const int r : {4, 8, 13}) {
        Mixed<TypeParam> mixed(
            {.slots = 300, .remainder_bits = r, .overflow = policy}, keys,
            ++seed);
        const Status status = mixed.Run(3000, 50);
        ASSERT_TRUE(status.ok()) << status.ToString() << ", r = " << r
                                 << ", source " << (keys == KeysIn::kSource);
      }
    }
  }
}

// Codes of all lengths, with the model that suits each and with odd ones.  So
// many mistakes come that the short ones overflow.
TEST(MixedTaf, WithCodesOfEveryLengthLosesNothing) {
  uint64_t seed = 100;
  std::array<double, 2>
      refusals{};  // of codes up to 56 bits, and of longer ones
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    for (int bits = 16; bits <= 128; bits += 8) {
      for (const OverflowPolicy policy :
           {OverflowPolicy::kEvict, OverflowPolicy::kRefuse,
            OverflowPolicy::kReset}) {
        const bool odd = ++seed % 4 == 0;
        Mixed<Taf> mixed({.slots = 300,
                          .remainder_bits = bits % 3 == 0 ? 8 : 4,
                          .overflow = policy,
                          .code_bits = bits,
                          .code_x = odd ? static_cast<int>(seed % 25) : 0,
                          .code_y = odd ? static_cast<int>(seed % 8) : 0},
                         keys, seed);
        const Status status = mixed.Run(6000, 200);
        ASSERT_TRUE(status.ok())
            << status.ToString() << ", code of " << bits << ", seed " << seed;
        if (policy != OverflowPolicy::kRefuse || odd) continue;
        refusals[bits > 56] +=
            Detail(mixed.harness().filter().stats(), "refusals");
      }
    }
  }
  EXPECT_GT(refusals[0], 10) << "nothing overflowed";
  EXPECT_GT(refusals[0], 2 * refusals[1]);
}

TEST(MixedExaf, WithTheBroomFiltersTraitsLosesNothing) {
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    Mixed<Exaf> mixed({.slots = 300,
                       .remainder_bits = 5,
                       .adapt_on_insert = true,
                       .rehash_after = 10},
                      keys, 5);
    const Status status = mixed.Run(6000, 100);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_GT(mixed.harness().filter().epoch(), 2u) << "rehashes";
  }
}

// 10^8 operations of TAF and exAF, half of them under each key source, and half
// as many of uTAF; on demand.
TYPED_TEST(MixedOperations, LoseNothingLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    Mixed<TypeParam> mixed({.slots = 1 << 14}, keys, 77, 10'000);
    const Status status = mixed.Run(25'000'000, 500'000);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

}  // namespace
}  // namespace tamis::testing
