// A filter made anew from what its source names.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tamis/key_source.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

using Members = TamisFilter::Members;

TamisFilter MakeSeeded(const TamisFilter::Options& options) {
  return TamisFilter::Create(options, Hasher(Seed{1, ~uint64_t{1}})).value();
}

// Fails from its n-th call on.
struct SourceThatFails {
  const SortedSource& members;
  uint64_t& calls_left;

  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    if (calls_left == 0) return {StatusCode::kIo, "no disk"};
    --calls_left;
    return members.ForEachInRange(low, high, visit);
  }
};

TEST(TamisRebuild, TakesASourceAsItTakesAList) {
  SortedSource members;
  uint64_t calls_left = 1000;
  const SourceThatFails source{members, calls_left};
  TamisFilter filter = MakeSeeded({.slots = 64,
                                   .fingerprint_bits = 9,
                                   .members = Members::kSource,
                                   .source = source});
  constexpr uint64_t kKeys = 30000;
  std::vector<KeyHash> hashes;
  for (uint64_t key = 0; key < kKeys; ++key) {
    hashes.push_back(filter.hasher().Hash(key / 2));  // all of them twice
    ASSERT_TRUE(filter.Insert(hashes.back()).ok());
    members.Add(hashes.back());
  }
  const double aged = filter.ExpectedFpr();
  uint64_t refused = 0;
  for (;; ++refused) {
    calls_left = refused;
    const Status status = filter.RebuildTo(256);
    if (status.ok()) break;
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_EQ(filter.ExpectedFpr(), aged);
  }
  EXPECT_GT(refused, 5) << "read at once";
  EXPECT_TRUE(filter.CheckInvariants().ok());
  for (const KeyHash hash : hashes) ASSERT_TRUE(filter.MayContain(hash));
  EXPECT_EQ(filter.size(), kKeys);
  TamisFilter loaded = MakeSeeded({.slots = 256, .fingerprint_bits = 9});
  ASSERT_TRUE(loaded.BulkLoad(hashes).ok());
  EXPECT_EQ(filter.ExpectedFpr(), loaded.ExpectedFpr());
  // What the source does not name yet would be lost.
  calls_left = 1000;
  ASSERT_TRUE(filter.Insert(filter.hasher().Hash(kKeys)).ok());
  EXPECT_EQ(filter.RebuildTo(256).code(), StatusCode::kStale);
  EXPECT_TRUE(filter.MayContain(filter.hasher().Hash(kKeys)));
}

}  // namespace
}  // namespace tamis::testing
