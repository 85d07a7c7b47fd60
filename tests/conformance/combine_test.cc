// Merge, bulk load, expand and contract: operations on whole filters.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "conformance/conformance.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceCombine);

TEST_P(ConformanceCombine, MergeHasTheKeysOfBoth) {
  AnyFilter first = Make();
  if (!first.capabilities().merge) GTEST_SKIP() << "has no Merge";
  AnyFilter second = Make();
  const uint64_t count = first.capacity() / 3;
  const std::vector<KeyHash> a = Hashes(first, 0, count);
  const std::vector<KeyHash> b = Hashes(first, count / 2, count);
  ASSERT_TRUE(first.InsertEach(a).ok());
  ASSERT_TRUE(second.InsertEach(b).ok());
  const std::vector<std::byte> before = Bytes(second);
  const Status status = first.Merge(second);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(first.size(), 2 * count);
  EXPECT_EQ(Bytes(second), before) << "the source is const";
  ExpectAllFound(first, a);
  ExpectAllFound(first, b);
}

TEST_P(ConformanceCombine, MergeWithAnEmptyFilterChangesNoAnswer) {
  AnyFilter filter = Make();
  if (!filter.capabilities().merge) GTEST_SKIP() << "has no Merge";
  const std::vector<KeyHash> members = Fill(filter);
  const size_t before = FalsePositives(filter, 5000).size();
  ASSERT_TRUE(filter.Merge(Make()).ok());
  ExpectAllFound(filter, members);
  EXPECT_EQ(filter.size(), members.size());
  EXPECT_EQ(FalsePositives(filter, 5000).size(), before);
}

TEST_P(ConformanceCombine, MergeRefusesAnotherHasher) {
  AnyFilter filter = Make(1);
  if (!filter.capabilities().merge) GTEST_SKIP() << "has no Merge";
  (void)Fill(filter, 0.3);
  const std::vector<std::byte> before = Bytes(filter);
  const Status status = filter.Merge(Make(2));
  EXPECT_EQ(status.code(), StatusCode::kIncompatible) << status.ToString();
  EXPECT_FALSE(status.message().empty());
  EXPECT_EQ(Bytes(filter), before);
}

TEST_P(ConformanceCombine, MergeThatDoesNotFitChangesNothing) {
  AnyFilter filter = Make(1, 300);
  if (!filter.capabilities().merge) GTEST_SKIP() << "has no Merge";
  AnyFilter other = Make(1, 300);
  const std::vector<KeyHash> members = Fill(filter, 0.85);
  (void)Fill(other, 0.85);
  const std::vector<std::byte> before = Bytes(filter);
  const Status status = filter.Merge(other);
  if (status.ok()) {
    EXPECT_EQ(filter.size(), 2 * members.size());
  } else {
    EXPECT_EQ(status.code(), StatusCode::kFull) << status.ToString();
    EXPECT_EQ(Bytes(filter), before);
  }
  ExpectAllFound(filter, members);
}

TEST_P(ConformanceCombine, BulkLoadAnswersAsInserts) {
  AnyFilter loaded = Make();
  if (IsStatic(loaded.spec())) {
    GTEST_SKIP() << "keeps what is inserted exactly";
  }
  AnyFilter inserted = Make();
  const std::vector<KeyHash> members = Fill(inserted);
  ASSERT_TRUE(loaded.BulkLoad(members).ok());
  EXPECT_EQ(loaded.size(), inserted.size());
  ExpectAllFound(loaded, members);
  EXPECT_EQ(FalsePositives(loaded, 20'000), FalsePositives(inserted, 20'000));
}

TEST_P(ConformanceCombine, BulkLoadAddsToWhatIsThere) {
  AnyFilter filter = Make();
  const std::vector<KeyHash> members = Fill(filter, 0.3);
  const std::vector<KeyHash> more = Hashes(filter, 1 << 20, members.size());
  ASSERT_TRUE(filter.BulkLoad(more).ok());
  ASSERT_TRUE(filter.BulkLoad({}).ok());
  EXPECT_EQ(filter.size(), 2 * members.size());
  ExpectAllFound(filter, members);
  ExpectAllFound(filter, more);
}

TEST_P(ConformanceCombine, BulkLoadIsAllOrNothing) {
  AnyFilter filter = Make(1, 300);
  if (!filter.capabilities().bulk_load) GTEST_SKIP() << "has no BulkLoad";
  const std::vector<KeyHash> members = Fill(filter, 0.3);
  const std::vector<std::byte> before = Bytes(filter);
  const std::vector<KeyHash> many =
      Hashes(filter, 1 << 20, 2 * filter.capacity());
  const Status status = filter.BulkLoad(many);
  ExpectAllFound(filter, members);
  if (status.ok()) {
    ExpectAllFound(filter, many);
  } else {
    EXPECT_EQ(status.code(), StatusCode::kFull) << status.ToString();
    EXPECT_EQ(Bytes(filter), before);
  }
}

TEST_P(ConformanceCombine, ExpandMakesRoom) {
  AnyFilter filter = Make(1, 300);
  if (!filter.capabilities().expand) GTEST_SKIP() << "has no Expand";
  std::vector<KeyHash> members = Fill(filter, 0.8);
  for (int doubling = 1; doubling <= 4; ++doubling) {
    const uint64_t capacity = filter.capacity();
    const Status status = filter.Expand();
    if (!status.ok()) break;  // a filter may have spent its fingerprints
    EXPECT_GT(filter.capacity(), capacity);
    ExpectAllFound(filter, members);
    const auto first = static_cast<uint64_t>(doubling) << 32;
    for (const KeyHash hash : Hashes(filter, first, capacity / 2)) {
      ASSERT_TRUE(filter.Insert(hash).ok());
      members.push_back(hash);
    }
    ExpectAllFound(filter, members);
  }
}

TEST_P(ConformanceCombine, ContractUndoesExpand) {
  AnyFilter filter = Make(1, 300);
  if (!filter.capabilities().expand) GTEST_SKIP() << "has no Expand";
  const std::vector<KeyHash> members = Fill(filter, 0.3);
  const uint64_t capacity = filter.capacity();
  ASSERT_TRUE(filter.Expand().ok());
  const Status status = filter.Contract();
  ExpectAllFound(filter, members);
  if (status.ok()) {
    EXPECT_EQ(filter.capacity(), capacity);
  } else {
    EXPECT_TRUE(status.code() == StatusCode::kFull ||
                status.code() == StatusCode::kUnsupported)
        << status.ToString();
  }
}

}  // namespace
}  // namespace tamis::testing
