// The filters that are made for comparisons only: they answer as those of the
// library do, however they look.

#include "lab/reproduce/timed_filters.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "workloads/random.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kSlots = 3000;
constexpr uint64_t kMembers = 2800;
constexpr uint64_t kQueries = 60'000;

AnyFilter Adapted(const std::string& spec, const std::vector<KeyHash>& members,
                  const std::vector<KeyHash>& queries, const Hasher& hasher) {
  AnyFilter filter = CreateTimed(spec, kSlots, hasher).value();
  for (const KeyHash hash : members) EXPECT_TRUE(filter.Insert(hash).ok());
  for (const KeyHash hash : queries) {
    if (filter.MayContain(hash)) {
      EXPECT_TRUE(filter.Adapt(hash).ok());
    }
  }
  return filter;
}

std::vector<KeyHash> Keys(const Hasher& hasher, uint64_t first,
                          uint64_t count) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) {
    hashes.push_back(hasher.Hash(workloads::DistinctKey(7, first + i)));
  }
  return hashes;
}

void ExpectEqualAnswers(const AnyFilter& a, const AnyFilter& b,
                        const std::vector<KeyHash>& hashes) {
  const auto from_a = std::make_unique<bool[]>(hashes.size());
  const auto from_b = std::make_unique<bool[]>(hashes.size());
  a.MayContain(hashes, std::span(from_a.get(), hashes.size()));
  b.MayContain(hashes, std::span(from_b.get(), hashes.size()));
  for (size_t i = 0; i < hashes.size(); ++i) {
    ASSERT_EQ(a.MayContain(hashes[i]), b.MayContain(hashes[i])) << i;
    ASSERT_EQ(from_a[i], from_b[i]) << i;
  }
}

// The same filter but for how it looks: also after codes have overflowed.
TEST(TimedFilters, DecodingAlwaysChangesNoAnswer) {
  for (const uint64_t seed : {1U, 2U}) {
    const Hasher hasher(Seed{seed, 0});
    const std::vector<KeyHash> members = Keys(hasher, 0, kMembers);
    const std::vector<KeyHash> queries = Keys(hasher, kMembers, kQueries);
    const AnyFilter ours =
        Adapted("taf:r=8,overflow=reset", members, queries, hasher);
    const AnyFilter decoding =
        Adapted("taf-decoding:r=8,overflow=reset", members, queries, hasher);
    ExpectEqualAnswers(ours, decoding, members);
    ExpectEqualAnswers(ours, decoding, queries);
    EXPECT_TRUE(decoding.CheckInvariants().ok());
  }
}

// Selectors up to 7 or 255: the same as long as none is greater than 7, and a
// member is found in any case.
TEST(TimedFilters, ScreeningChangesNoAnswer) {
  const Hasher hasher(Seed{3, 0});
  const std::vector<KeyHash> members = Keys(hasher, 0, kMembers);
  const std::vector<KeyHash> queries = Keys(hasher, kMembers, kQueries);
  const AnyFilter plain = Adapted("utaf:r=8", members, queries, hasher);
  const AnyFilter screened =
      Adapted("utaf-screened:r=8", members, queries, hasher);
  ExpectEqualAnswers(plain, screened, members);
  ExpectEqualAnswers(plain, screened, queries);
  EXPECT_TRUE(screened.CheckInvariants().ok());
  for (const KeyHash hash : members) {
    ASSERT_TRUE(screened.MayContain(hash));
    ASSERT_TRUE(plain.MayContain(hash));
  }
}

TEST(TimedFilters, AllCanBeMade) {
  for (const PaperFilter& one : kTimedFilters) {
    EXPECT_TRUE(CreateTimed(one.spec, 100, Hasher(Seed{1, 0})).ok())
        << one.spec;
  }
  EXPECT_FALSE(CreateTimed("taf-decoding:q=1", 100, Hasher(Seed{1, 0})).ok());
}

}  // namespace
}  // namespace tamis::tools
