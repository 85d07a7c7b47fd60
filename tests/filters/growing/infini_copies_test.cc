// Copies of void entries (chain=duplicate) may not make a filter grow for ever:
// their share of the table stays, however often it doubles.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "filters/growing/growing_testing.h"
#include "tamis/infini.h"

namespace tamis::testing {
namespace {

std::string DuplicateSpec(const std::string& kind, int bits,
                          const std::string& threshold) {
  return kind + ":f=" + std::to_string(bits) +
         ",chain=duplicate,threshold=" + threshold;
}

// Inserts keys one by one; the table must never have more than 8 / threshold
// slots a key, and 4.4 at the end (F = 3: a little more, as infini.h says).
void ExpectBoundedGrowth(const std::string& spec, uint64_t slots) {
  SCOPED_TRACE(spec + " with " + std::to_string(slots) + " slots");
  InfiniFilter filter = MakeInfini(spec, slots);
  const double threshold = filter.options().threshold;
  const std::vector<KeyHash> keys = HashesOf(filter, 0, 1500);
  for (const KeyHash hash : keys) {
    ASSERT_OK(filter.Insert(hash));
    const double most = 8 * static_cast<double>(filter.size()) / threshold;
    ASSERT_LE(static_cast<double>(filter.active().homes()),
              std::max(most, static_cast<double>(slots)))
        << filter.size() << " keys";
    ASSERT_GE(filter.capacity(), filter.size());
  }
  EXPECT_LE(static_cast<double>(filter.active().homes()),
            4.4 * static_cast<double>(filter.size()) / threshold);
  ExpectHasAll(filter, keys);
  for (const KeyHash hash : keys) ASSERT_OK(filter.Erase(hash));
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_EQ(filter.active().size(), 0u) << "a copy was left behind";
  EXPECT_OK(filter.CheckInvariants());
}

TEST(InfiniCopies, FewSlotsAndLowThresholdsAreBounded) {
  for (const std::string threshold : {"0.05", "0.1", "0.2", "0.5", "0.98"}) {
    for (const int bits : {3, 4, 5, 8}) {
      for (const uint64_t slots : {1u, 2u, 7u, 64u}) {
        ExpectBoundedGrowth(DuplicateSpec("infini", bits, threshold), slots);
      }
      ExpectBoundedGrowth(DuplicateSpec("infini-growing", bits, threshold), 1);
    }
  }
}

// Doubled by hand until all keys are void, it has nothing but copies.
TEST(InfiniCopies, FiltersDoubledByHandGoOnAsOthers) {
  for (const int bits : {3, 5}) {
    InfiniFilter filter = MakeInfini(DuplicateSpec("infini", bits, "0.5"), 64);
    std::vector<KeyHash> keys = HashesOf(filter, 0, filter.capacity());
    InsertAll(filter, keys);
    for (int i = 0; i <= bits; ++i) ASSERT_OK(filter.Expand());
    ASSERT_EQ(filter.active().num_voids(), filter.active().size());
    const uint64_t homes = filter.active().homes();
    const std::vector<KeyHash> more = HashesOf(filter, 1'000'000, homes);
    InsertAll(filter, more);
    EXPECT_LE(filter.active().homes(), 8 * homes);
    keys.insert(keys.end(), more.begin(), more.end());
    ExpectHasAll(filter, keys);
  }
}

}  // namespace
}  // namespace tamis::testing
