// LoadOptions::map: a filter that refers to its file answers as the original,
// refuses to change, and reads nothing but its own sections, whatever they say.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "format/blocks.h"
#include "format/samples.h"
#include "format/small_filter.h"
#include "tamis/rsqf.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

constexpr LoadOptions kMapped = {.map = true};

class Mapped : public SmallFilterTest {
 protected:
  static bool IsNeverMapped() {
    return GetParam().kind == &kReference ||
           GetParam().spec.find("threads=yes") != std::string::npos ||
           GetParam().spec.starts_with("fuse") ||
           GetParam().spec.starts_with("cached");
  }

  // A tamis filter reads and checks some small parts when it is mapped, such as
  // the depths of shards: those may be refused.
  static bool IsFine(const Result<AnyFilter>& mapped) {
    return mapped.ok() || (GetParam().spec.starts_with("tamis") &&
                           mapped.status().code() == StatusCode::kCorrupt);
  }

  // All that can be asked; answers one by one and in a batch must agree.
  static uint64_t Ask(const AnyFilter& filter) {
    const std::vector<KeyHash> hashes = Hashes(filter, 0, 150);
    std::array<bool, 150> answers{};
    filter.MayContain(hashes, answers);
    (void)filter.stats();
    uint64_t found = 0;
    for (const bool answer : answers) found += answer;
    return found;
  }
};
TAMIS_CONFORMANCE_INSTANTIATE(Mapped);

TEST(MappedTamis, ForThreadsSaysThatItCannotBe) {
  const Result<AnyFilter> filter =
      AnyFilter::Create("tamis:shards=split,threads=yes", {.keys = 100});
  ASSERT_TRUE(filter.ok());
  const auto mapped = AnyFilter::FromSnapshot(filter->ToSnapshot(), kMapped);
  EXPECT_EQ(mapped.status().code(), StatusCode::kUnsupported);
}

TEST_P(Mapped, AnswersAsTheOriginal) {
  if (IsNeverMapped()) GTEST_SKIP() << "is never mapped";
  const AnyFilter filter = SmallFilter();
  const TemporaryFile file(FileName(GetParam().spec));
  ASSERT_TRUE(Save(filter, file.path()).ok());
  const Result<AnyFilter> mapped = LoadAny(file.path(), kMapped);
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  EXPECT_EQ(mapped->spec(), filter.spec());
  EXPECT_EQ(mapped->size(), filter.size());
  EXPECT_EQ(mapped->capacity(), filter.capacity());
  EXPECT_DOUBLE_EQ(mapped->ExpectedFpr(), filter.ExpectedFpr());
  const std::vector<KeyHash> hashes = Hashes(filter, 0, 5000);
  std::vector<uint8_t> room(hashes.size());
  const std::span answers(reinterpret_cast<bool*>(room.data()), room.size());
  mapped->MayContain(hashes, answers);
  for (size_t i = 0; i < hashes.size(); ++i) {
    ASSERT_EQ(mapped->MayContain(hashes[i]), filter.MayContain(hashes[i]));
    ASSERT_EQ(answers[i], filter.MayContain(hashes[i]));
  }
  const Status status = mapped->CheckInvariants();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Bytes(*mapped), Bytes(filter));
}

TEST_P(Mapped, ChangesAreRefused) {
  if (IsNeverMapped()) GTEST_SKIP() << "is never mapped";
  const AnyFilter filter = SmallFilter();
  Blocks blocks(filter.ToSnapshot());
  Result<AnyFilter> mapped = AnyFilter::FromSnapshot(blocks.snapshot, kMapped);
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  const KeyHash member = filter.hasher().Hash(uint64_t{1});
  const KeyHash absent = filter.hasher().Hash(uint64_t{1} << 50);
  const std::vector<Status> refused = {
      mapped->Insert(absent),     mapped->Erase(member),
      mapped->Expand(),           mapped->Contract(),
      mapped->Rejuvenate(member), mapped->BulkLoad({&absent, 1}),
      mapped->Merge(filter),      mapped->Adapt(absent).status()};
  for (const Status& status : refused) {
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << status.ToString();
  }
  EXPECT_EQ(Bytes(*mapped), Bytes(filter));
}

TEST_P(Mapped, ADamagedBodyIsNeverReadOutOfBounds) {
  if (IsNeverMapped()) GTEST_SKIP() << "is never mapped";
  const AnyFilter filter = SmallFilter();
  Blocks blocks(filter.ToSnapshot());
  uint64_t found = 0;
  for (Block& block : blocks.blocks) {
    for (size_t at = 0; at < block.bytes().size(); ++at) {
      const std::byte good = block.bytes()[at];
      for (const int flip : {1 << (at % 8), 0xff}) {
        block.bytes()[at] = good ^ static_cast<std::byte>(flip);
        const auto mapped = AnyFilter::FromSnapshot(blocks.snapshot, kMapped);
        ASSERT_TRUE(IsFine(mapped)) << mapped.status().ToString();
        if (mapped.ok()) found += Ask(*mapped);
      }
      block.bytes()[at] = good;
    }
  }
  EXPECT_GT(found, 0u);
}

TEST_P(Mapped, NoiseIsNeverReadOutOfBounds) {
  if (IsNeverMapped()) GTEST_SKIP() << "is never mapped";
  const AnyFilter filter = SmallFilter();
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    Blocks blocks(filter.ToSnapshot());
    for (Block& block : blocks.blocks) {
      for (std::byte& byte : block.bytes()) {
        byte = round == 0 ? std::byte{0xff} : static_cast<std::byte>(random());
      }
    }
    const auto mapped = AnyFilter::FromSnapshot(blocks.snapshot, kMapped);
    ASSERT_TRUE(IsFine(mapped)) << mapped.status().ToString();
    if (!mapped.ok()) continue;
    (void)Ask(*mapped);
    // A deep check reads everything, and must stay in bounds too.
    (void)mapped->CheckInvariants().ok();
  }
}

AnyFilter SomeRsqf() {
  AnyFilter filter =
      AnyFilter::Create("rsqf:r=8", 100, Hasher(Seed{1, 2})).value();
  for (uint64_t key = 0; key < 80; ++key) {
    EXPECT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok());
  }
  return filter;
}

TEST(Map, ChecksTheHeaderAndNotTheBody) {
  const TemporaryFile file("map_damage");
  const ByteVector good = Serialize(SomeRsqf()).value();
  for (size_t at = 0; at < good.size(); ++at) {
    ByteVector bad = good;
    bad[at] ^= std::byte{1};
    file.Write(bad);
    const bool in_header = at < HeaderBytes(good);
    EXPECT_EQ(LoadAny(file.path(), kMapped).ok(), !in_header) << at;
    ASSERT_FALSE(LoadAny(file.path()).ok());
  }
}

TEST(Map, LivesOnWhenTheFileIsReplaced) {
  const TemporaryFile file("map_replaced");
  const AnyFilter filter = SomeRsqf();
  ASSERT_TRUE(Save(filter, file.path()).ok());
  const AnyFilter mapped = LoadAny(file.path(), kMapped).value();
  const AnyFilter second = LoadAny(file.path(), kMapped).value();
  ASSERT_TRUE(Save(AnyFilter::Create("bloom", 10).value(), file.path()).ok());
  EXPECT_TRUE(mapped.CheckInvariants().ok());
  for (uint64_t key = 0; key < 80; ++key) {
    EXPECT_TRUE(mapped.MayContain(filter.hasher().Hash(key)));
    EXPECT_TRUE(second.MayContain(filter.hasher().Hash(key)));
  }
}

TEST(Map, OfVersion1IsRefused) {
  const std::string path =
      std::string(TAMIS_TEST_DATA_DIR) + "/version1/rsqf_r_8.tamis";
  EXPECT_TRUE(LoadAny(path).ok());
  EXPECT_EQ(LoadAny(path, kMapped).status().code(), StatusCode::kVersion);
}

TEST(Map, OfMemoryMustStartALine) {
  const ByteVector bytes = Serialize(SomeRsqf()).value();
  Block aligned(bytes);
  const Result<Rsqf> mapped = Deserialize<Rsqf>(aligned.bytes(), kMapped);
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  EXPECT_TRUE(mapped->MayContain(mapped->hasher().Hash(uint64_t{7})));
  ByteVector shifted(bytes.size() + 1);
  Block moved(shifted);
  std::memcpy(moved.bytes().data() + 1, bytes.data(), bytes.size());
  EXPECT_EQ(
      Deserialize<Rsqf>(moved.bytes().subspan(1), kMapped).status().code(),
      StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tamis::testing
