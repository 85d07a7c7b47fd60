// Golden files: the bytes of every version, pinned.
//
// For every line of conformance/all_specs.h, a small filter with a fixed seed
// and fixed keys is compared, byte by byte, with a file in tests/golden.  A
// difference means that files written before can't be read, or that answers
// have changed: then it is a mistake, or a new version of the format.
// TAMIS_UPDATE_GOLDEN=1 writes the files of the newest version anew; those of
// older ones can't be written any more, and must be read for ever.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/conformance.h"
#include "tamis/serialize.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(Golden);

constexpr uint64_t kKeys = 60;

constexpr int kNewest = internal::Snapshot::kNewestVersion;

std::string GoldenPath(std::string_view spec, int version = kNewest) {
  return std::string(TAMIS_TEST_DATA_DIR) + "/version" +
         std::to_string(version) + "/" + FileName(spec) + ".tamis";
}

std::vector<std::byte> ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)),
                         std::istreambuf_iterator<char>());
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// Inserts keys 0 to 59 and, where possible, adapts to 20 false positives.
void FillSample(AnyFilter& filter) {
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  if (!filter.capabilities().adapt) return;
  int adapted = 0;
  for (uint64_t key = 1'000'000; adapted < 20 && key < 1'050'000; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    if (!filter.MayContain(hash)) continue;
    ASSERT_TRUE(filter.Adapt(hash).ok());
    ++adapted;
  }
}

TEST_P(Golden, BytesAreAsTheyWere) {
  AnyFilter filter = Make(0x7a3157, 128);
  FillSample(filter);
  const std::vector<std::byte> bytes = Bytes(filter);
  const std::string path = GoldenPath(GetParam().spec);
  if (std::getenv("TAMIS_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(
        std::filesystem::path(path).parent_path());
    ASSERT_TRUE(Save(filter, path).ok());
  }
  const std::vector<std::byte> golden = ReadAll(path);
  ASSERT_FALSE(golden.empty())
      << path << " is missing; run with TAMIS_UPDATE_GOLDEN=1 to write it";
  EXPECT_EQ(bytes, golden);
}

TEST_P(Golden, StaysReadable) {
  const std::vector<std::byte> newest = ReadAll(GoldenPath(GetParam().spec));
  for (int version = 1; version <= kNewest; ++version) {
    const auto golden = ReadAll(GoldenPath(GetParam().spec, version));
    if (golden.empty() && version < kNewest) continue;  // a newer kind
    EXPECT_EQ(Inspect(golden)->version, version);
    const Result<AnyFilter> filter = GetParam().kind->load(golden);
    ASSERT_TRUE(filter.ok()) << filter.status().ToString();
    EXPECT_EQ(filter->size(), kKeys);
    ExpectAllFound(*filter, Hashes(*filter, 0, kKeys));
    // What Cuckooing's Adapt chooses and which bits Bloom sets have changed
    // since version 1.
    const bool is_other = GetParam().spec.starts_with("cuckooing") ||
                          GetParam().spec.starts_with("bloom:");
    if (is_other && version == 1) continue;
    EXPECT_EQ(Bytes(*filter), newest) << "read from version " << version;
  }
}

// A file from before Cuckooing chose its moves at random: members and answers
// are what they were (the number and the sum of these false positives were
// taken with the library that wrote it), and it adapts as filters do now.
TEST(GoldenBefore, CuckooingKeepsMembersAndAnswers) {
  const std::string path =
      std::string(TAMIS_TEST_DATA_DIR) + "/version1/cuckooing_f_8.tamis";
  Result<AnyFilter> filter = LoadAny(path);
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  for (uint64_t key = 0; key < kKeys; ++key) {
    EXPECT_TRUE(filter->MayContain(filter->hasher().Hash(key)));
  }
  uint64_t positives = 0, sum = 0, first = 0;
  for (uint64_t key = 1'000'000; key < 1'100'000; ++key) {
    if (!filter->MayContain(filter->hasher().Hash(key))) continue;
    ++positives;
    sum += key;
    if (first == 0) first = key;
  }
  EXPECT_EQ(positives, 750u);
  EXPECT_EQ(sum, 786'955'521u);
  const KeyHash query = filter->hasher().Hash(first);
  EXPECT_EQ(*filter->Adapt(query), AdaptOutcome::kFixed);
  EXPECT_TRUE(filter->CheckInvariants().ok());
}

// The same small files, damaged: every filter's own loading must hold.
TEST_P(Golden, DamageIsNoticed) {
  for (int version = 1; version <= kNewest; ++version) {
    const auto golden = ReadAll(GoldenPath(GetParam().spec, version));
    for (size_t at = 0; at < golden.size(); ++at) {
      std::vector<std::byte> bad = golden;
      bad[at] ^= static_cast<std::byte>(1 << (at % 8));
      const Result<AnyFilter> filter = GetParam().kind->load(bad);
      ASSERT_FALSE(filter.ok()) << "byte " << at;
      ASSERT_TRUE(filter.status().message().starts_with("offset "))
          << filter.status().ToString();
    }
  }
}

// What a forger could write: the contents changed, all checksums right.
// Loading refuses it, or gives a filter that is in order and can be used.
TEST_P(Golden, ForgedContentsAreHarmless) {
  const std::vector<std::byte> golden = ReadAll(GoldenPath(GetParam().spec));
  const auto file = internal::DecodedFile::FromMemory(golden);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  const internal::Snapshot& good = file->snapshot();
  for (size_t chosen = 0; chosen < good.arrays().size(); ++chosen) {
    const auto whole = good.arrays()[chosen].bytes;
    std::vector<std::byte> array(whole.begin(), whole.end());
    for (size_t at = 0; at < array.size(); ++at) {
      const std::byte old = array[at];
      array[at] ^= static_cast<std::byte>(1 << (at % 8));
      internal::Snapshot forged(good.spec(), good.hasher());
      for (const auto& number : good.numbers()) {
        forged.AddNumber(number.name, number.value);
      }
      for (size_t i = 0; i < good.arrays().size(); ++i) {
        forged.AddArray(good.arrays()[i].name,
                        i == chosen ? std::span<const std::byte>(array)
                                    : good.arrays()[i].bytes);
      }
      const Result<AnyFilter> filter =
          GetParam().kind->load(internal::SerializeSnapshot(forged).value());
      if (filter.ok()) {
        ASSERT_TRUE(filter->CheckInvariants().ok());
        (void)FalsePositives(*filter, 50);
      }
      array[at] = old;
    }
  }
}

}  // namespace
}  // namespace tamis::testing
