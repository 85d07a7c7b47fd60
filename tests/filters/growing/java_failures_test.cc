// Failures of the authors' Java implementation, each as a test of ours.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "filters/growing/growing_testing.h"
#include "tamis/infini.h"

namespace tamis::testing {
namespace {

// Their secondary filter can be full before it is expanded; the failed insert
// is ignored, and a key lost.
TEST(JavaFailures, VoidEntriesJustUnderAPowerOfTwo) {
  for (uint64_t first = 60; first <= 64; ++first) {
    InfiniFilter filter = MakeInfini("infini:f=4,threshold=0.98", 66, first);
    const std::vector<KeyHash> keys = HashesOf(filter, 0, first);
    InsertAll(filter, keys);
    for (int i = 0; i < 12; ++i) ASSERT_OK(filter.Expand());
    EXPECT_EQ(filter.chain().size(), 1u);
    EXPECT_EQ(filter.chain()[0].size(), first);
    ExpectHasAll(filter, keys);
  }
}

// Theirs loops for ever.
TEST(JavaFailures, FiveBitSlotsFrom64) {
  InfiniFilter filter = MakeInfini("infini:f=4", 64);
  ASSERT_EQ(filter.active().width(), 5);
  const std::vector<KeyHash> keys = HashesOf(filter, 0, 50'000);
  InsertAll(filter, keys);
  EXPECT_EQ(filter.generation(), 10);
  ExpectHasAll(filter, keys);
}

// Theirs loses keys of slots too wide for its shifts.
TEST(JavaFailures, SlotsOf36And40Bits) {
  for (const int width : {36, 40, 48, 56}) {
    const std::string spec = "infini:f=" + std::to_string(width - 1);
    InfiniFilter filter = MakeInfini(spec, 64);
    ASSERT_EQ(filter.active().width(), width);
    const std::vector<KeyHash> keys = HashesOf(filter, 0, 20'000);
    InsertAll(filter, keys);
    ExpectHasAll(filter, keys);
    for (const KeyHash hash : keys) ASSERT_OK(filter.Erase(hash));
    EXPECT_EQ(filter.generation(), 0);
  }
}

// Theirs hashes strings anew, differently, after an expansion.
TEST(JavaFailures, StringKeysAcrossExpansions) {
  InfiniFilter filter = MakeInfini("infini:f=6", 64);
  std::vector<std::string> keys;
  for (int i = 0; i < 20'000; ++i) keys.push_back("user:" + std::to_string(i));
  for (const std::string& key : keys) {
    ASSERT_OK(filter.Insert(filter.hasher().Hash(std::string_view(key))));
  }
  for (const std::string& key : keys) {
    ASSERT_TRUE(filter.MayContain(filter.hasher().Hash(std::string_view(key))));
  }
}

// Theirs runs past the end of its array.
TEST(JavaFailures, ManyCopiesOfAKeyHomedInTheLastSlots) {
  for (const std::string spec :
       {"infini:f=8", "infini:f=3", "infini-growing:f=3",
        "infini:f=4,chain=duplicate"}) {
    InfiniFilter filter = MakeInfini(spec, 64);
    const KeyHash last = {~uint64_t{0}, ~uint64_t{0}};
    const KeyHash near = {~uint64_t{0} - 1, 5};
    for (int i = 0; i < 3000; ++i) {
      ASSERT_OK(filter.Insert(last));
      ASSERT_OK(filter.Insert(near));
    }
    EXPECT_OK(filter.CheckInvariants());
    for (int i = 0; i < 3000; ++i) ASSERT_OK(filter.Erase(last));
    EXPECT_TRUE(filter.MayContain(near)) << spec;
    for (int i = 0; i < 3000; ++i) ASSERT_OK(filter.Erase(near));
    EXPECT_EQ(filter.size(), 0u);
    EXPECT_FALSE(filter.MayContain(last));
    EXPECT_OK(filter.CheckInvariants());
  }
}

// Theirs removes another key's entry from the end of a run, or crashes.
TEST(JavaFailures, EraseOfAnAbsentKeyIsAStatus) {
  InfiniFilter filter = MakeInfini("infini:f=12", 64);
  const std::vector<KeyHash> keys = HashesOf(filter, 0, 1000);
  InsertAll(filter, keys);
  const auto before = Serialize(filter).value();
  int refused = 0;
  for (const KeyHash hash : HashesOf(filter, 1 << 20, 100)) {
    if (filter.MayContain(hash)) continue;
    EXPECT_EQ(filter.Erase(hash).code(), StatusCode::kNotFound);
    EXPECT_EQ(filter.Rejuvenate(hash).code(), StatusCode::kNotFound);
    ++refused;
  }
  EXPECT_GT(refused, 90);
  EXPECT_EQ(Serialize(filter).value(), before);
  ExpectHasAll(filter, keys);
}

// Theirs keeps empty filters in its chain, or fails on them.
TEST(JavaFailures, RejuvenationEmptiesTheSecondary) {
  for (const std::string spec :
       {"infini:f=3", "infini-growing:f=3", "infini:f=3,chain=duplicate"}) {
    InfiniFilter filter = MakeInfini(spec, 64);
    const std::vector<KeyHash> keys = HashesOf(filter, 0, 60'000);
    InsertAll(filter, keys);
    ASSERT_FALSE(filter.chain().empty()) << spec;
    const uint64_t size = filter.size();
    const double before = filter.ExpectedFpr();
    ASSERT_OK(filter.Rejuvenate(keys));
    EXPECT_TRUE(filter.chain().empty()) << spec;
    EXPECT_EQ(filter.size(), size);
    EXPECT_LT(filter.ExpectedFpr(), before);
    ExpectHasAll(filter, keys);
    // And it grows on from there.
    InsertAll(filter, HashesOf(filter, 1 << 20, 60'000));
    ExpectHasAll(filter, keys);
  }
}

// Theirs changes a filter when it is read.
TEST(JavaFailures, ReadsAreConst) {
  InfiniFilter filter = MakeInfini("infini:f=4", 64);
  const std::vector<KeyHash> keys = HashesOf(filter, 0, 10'000);
  InsertAll(filter, keys);
  const auto before = Serialize(filter).value();
  const InfiniFilter& view = filter;
  for (const KeyHash hash : keys) ASSERT_TRUE(view.MayContain(hash));
  EXPECT_EQ(Serialize(filter).value(), before);
}

}  // namespace
}  // namespace tamis::testing
