// Saved and loaded, a filter is the same: the same answers, the same bytes.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/conformance.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceSaveLoad);

// Compares everything that can be asked.
void ExpectSame(const AnyFilter& a, const AnyFilter& b) {
  EXPECT_EQ(a.spec(), b.spec());
  EXPECT_EQ(a.hasher(), b.hasher());
  EXPECT_EQ(a.size(), b.size());
  EXPECT_EQ(a.capacity(), b.capacity());
  EXPECT_EQ(a.SizeBits(), b.SizeBits());
  EXPECT_DOUBLE_EQ(a.ExpectedFpr(), b.ExpectedFpr());
  for (uint64_t key = 0; key < 20'000; ++key) {
    const KeyHash hash = a.hasher().Hash(key);
    ASSERT_EQ(a.MayContain(hash), b.MayContain(hash)) << "key " << key;
  }
}

TEST_P(ConformanceSaveLoad, RoundTripsWhenEmpty) {
  const AnyFilter filter = Make();
  const Result<AnyFilter> loaded = Reload(filter);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  ExpectSame(filter, *loaded);
  EXPECT_EQ(Bytes(filter), Bytes(*loaded));
}

TEST_P(ConformanceSaveLoad, RoundTripsWhenFilledAndAdapted) {
  AnyFilter filter = Make();
  const std::vector<KeyHash> members = Fill(filter, 0.8);
  if (filter.capabilities().adapt) {
    for (const KeyHash hash : FalsePositives(filter, 10'000)) {
      ASSERT_TRUE(filter.Adapt(hash).ok());
    }
  }
  Result<AnyFilter> loaded = Reload(filter);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  ExpectSame(filter, *loaded);
  ExpectAllFound(*loaded, members);
  EXPECT_EQ(Bytes(filter), Bytes(*loaded));
}

// What is loaded must go on as the original would.
TEST_P(ConformanceSaveLoad, GoesOnAfterLoading) {
  AnyFilter filter = Make();
  std::vector<KeyHash> members = Fill(filter, 0.4);
  AnyFilter loaded = Reload(filter).value();
  for (const KeyHash hash : Hashes(filter, 1 << 30, filter.capacity() / 4)) {
    ASSERT_EQ(filter.Insert(hash).ok(), loaded.Insert(hash).ok());
    members.push_back(hash);
  }
  if (filter.capabilities().erase) {
    for (size_t i = 0; i < 50; ++i) {
      ASSERT_TRUE(filter.Erase(members.back()).ok());
      ASSERT_TRUE(loaded.Erase(members.back()).ok());
      members.pop_back();
    }
  }
  ExpectSame(filter, loaded);
  ExpectAllFound(loaded, members);
}

TEST_P(ConformanceSaveLoad, EqualOperationsGiveEqualBytes) {
  AnyFilter first = Make();
  AnyFilter second = Make();
  (void)Fill(first);
  (void)Fill(second);
  EXPECT_EQ(Bytes(first), Bytes(second));
}

TEST_P(ConformanceSaveLoad, FileIsTheSameAsMemory) {
  AnyFilter filter = Make();
  (void)Fill(filter);
  const std::string path = ::testing::TempDir() + "conformance_" +
                           FileName(GetParam().spec) + ".tamis";
  ASSERT_TRUE(Save(filter, path).ok());
  EXPECT_EQ(std::filesystem::file_size(path), Bytes(filter).size());
  const Result<FileInfo> info = Inspect(path);
  ASSERT_TRUE(info.ok()) << info.status().ToString();
  EXPECT_EQ(info->spec, filter.ToSnapshot().spec());
  EXPECT_TRUE(info->checksums_ok());
  if (GetParam().kind == &kRegistered) {
    const Result<AnyFilter> loaded = LoadAny(path);
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    ExpectSame(filter, *loaded);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tamis::testing
