// Mapped tamis filters with something in each of their parts: voids, extensions,
// long ones, a mirror, several shards.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/blocks.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {
namespace {

using Members = TamisFilter::Members;

constexpr LoadOptions kMappedTamis = {.map = true};
constexpr uint64_t kTamisKeys = 2000;
constexpr uint64_t kAbsent = uint64_t{1} << 40;

TamisFilter::Options SmallOptions(Members members) {
  TamisFilter::Options options;
  options.slots = 4;
  options.fingerprint_bits = 4;
  options.extension_bits = 16;
  options.members = members;
  return options;
}
TamisFilter MakeOne(Members members) {
  return TamisFilter::Create(SmallOptions(members), Hasher(Seed{1, 2})).value();
}
ShardedTamis MakeSharded(Members members) {
  return ShardedTamis::Create(
             {.filter = SmallOptions(members), .shard_slots = 256},
             Hasher(Seed{1, 2}))
      .value();
}

template <typename F>
double Detail(const F& filter, const std::string& name) {
  for (const auto& [detail, value] : filter.stats().details) {
    if (detail == name) return value;
  }
  return 0;
}
// Members, and keys that are none: many of those were once wrong.
template <typename F>
std::vector<KeyHash> SomeHashes(const F& filter) {
  std::vector<KeyHash> hashes;
  for (uint64_t key = 0; key < kTamisKeys; ++key) {
    hashes.push_back(filter.hasher().Hash(key));
    hashes.push_back(filter.hasher().Hash(kAbsent + key));
  }
  return hashes;
}
template <typename F>
F Filled(F filter) {
  std::vector<KeyHash> members;
  for (uint64_t key = 0; key < kTamisKeys; ++key) {
    members.push_back(filter.hasher().Hash(key));
    EXPECT_TRUE(filter.Insert(members.back()).ok());
  }
  std::sort(members.begin(), members.end());
  for (uint64_t key = 0; key < kTamisKeys; ++key) {
    const KeyHash absent = filter.hasher().Hash(kAbsent + key);
    const auto range = filter.CollisionRange(absent);
    if (!range) continue;
    std::vector<KeyHash> inside;
    for (const KeyHash member : members) {
      if (range->Contains(member)) inside.push_back(member);
    }
    EXPECT_TRUE(filter.Adapt(absent, inside, filter.num_erases()).ok());
  }
  EXPECT_GT(Detail(filter, "extensions"), 100);
  EXPECT_GT(Detail(filter, "voids"), 0);
  return filter;
}
template <typename F>
std::vector<bool> Answers(const F& filter, const std::vector<KeyHash>& hashes) {
  const auto batched = std::make_unique<bool[]>(hashes.size());
  filter.MayContain(hashes, std::span(batched.get(), hashes.size()));
  std::vector<bool> answers;
  for (size_t i = 0; i < hashes.size(); ++i) {
    answers.push_back(filter.MayContain(hashes[i]));
    EXPECT_EQ(answers.back(), batched[i]);
  }
  return answers;
}
template <typename F>
auto Bytes(const F& filter) {
  return internal::SerializeSnapshot(filter.ToSnapshot()).value();
}

template <typename F>
void ExpectMappedIsTheSame(const F& filter) {
  Blocks blocks(filter.ToSnapshot());
  const Result<F> mapped = F::FromSnapshot(blocks.snapshot, kMappedTamis);
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  const std::vector<KeyHash> hashes = SomeHashes(filter);
  EXPECT_EQ(Answers(*mapped, hashes), Answers(filter, hashes));
  EXPECT_EQ(mapped->size(), filter.size());
  EXPECT_DOUBLE_EQ(mapped->ExpectedFpr(), filter.ExpectedFpr());
  EXPECT_EQ(Detail(*mapped, "extensions"), Detail(filter, "extensions"));
  const Status status = mapped->CheckInvariants();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Bytes(*mapped), Bytes(filter));
}

// Also those that would make other tables, and read the mapped ones only.
template <typename F>
void ExpectNothingChanges(const F& filter) {
  Blocks blocks(filter.ToSnapshot());
  F mapped = F::FromSnapshot(blocks.snapshot, kMappedTamis).value();
  const KeyHash member = filter.hasher().Hash(uint64_t{1});
  std::vector<KeyHash> more;
  for (uint64_t key = 0; key < 3 * kTamisKeys; ++key) {
    more.push_back(filter.hasher().Hash(2 * kAbsent + key));
  }
  std::vector<Status> refused = {
      mapped.Erase(member),
      mapped.Expand(),
      mapped.Contract(),
      mapped.BulkLoad(more),
      mapped.Rejuvenate(member),
      mapped.RejuvenateAll(),
      mapped.Merge(filter),
      mapped.Adapt(more[0]).status(),
      mapped.Adapt(more[0], {&member, 1}, mapped.num_erases()).status()};
  for (const KeyHash hash : more) refused.push_back(mapped.Insert(hash));
  for (const Status& status : refused) {
    ASSERT_EQ(status.code(), StatusCode::kUnsupported) << status.ToString();
  }
  mapped.Forget(0);
  EXPECT_EQ(Bytes(mapped), Bytes(filter));
}

// What is mapped can be merged into what is not, as if it had been loaded.
template <typename F>
void ExpectMergesAsLoaded(const F& filter, F into_mapped, F into_loaded) {
  Blocks blocks(filter.ToSnapshot());
  const F mapped = F::FromSnapshot(blocks.snapshot, kMappedTamis).value();
  const F loaded = F::FromSnapshot(blocks.snapshot).value();
  ASSERT_TRUE(into_mapped.Merge(mapped).ok());
  ASSERT_TRUE(into_loaded.Merge(loaded).ok());
  EXPECT_TRUE(into_mapped.CheckInvariants().ok());
  EXPECT_EQ(Bytes(into_mapped), Bytes(into_loaded));
}

// Parts of any content: asked and checked, never out of bounds.
template <typename F>
void ExpectNoiseIsSafe(const F& filter) {
  std::mt19937_64 random(7);
  const std::vector<KeyHash> hashes = SomeHashes(filter);
  uint64_t opened = 0;
  for (int round = 0; round < 40; ++round) {
    Blocks blocks(filter.ToSnapshot());
    const auto noise = static_cast<uint64_t>(1 + round % 8 * 40);
    for (Block& block : blocks.blocks) {
      for (std::byte& byte : block.bytes()) {
        if (random() % noise == 0) byte = static_cast<std::byte>(random());
      }
    }
    const Result<F> mapped = F::FromSnapshot(blocks.snapshot, kMappedTamis);
    if (!mapped.ok()) {
      ASSERT_EQ(mapped.status().code(), StatusCode::kCorrupt);
      continue;
    }
    ++opened;
    (void)Answers(*mapped, hashes);
    (void)mapped->stats();
    const bool is_whole = mapped->CheckInvariants().ok();
    // What others would take over is checked, and refused.
    F other = F::FromSnapshot(filter.ToSnapshot()).value();
    ASSERT_EQ(other.Merge(*mapped).ok(), is_whole);
    ASSERT_TRUE(other.CheckInvariants().ok());
    ASSERT_EQ(other.size() > filter.size(), is_whole);
  }
  EXPECT_GT(opened, 0u);
}

class MappedTamisParts : public ::testing::TestWithParam<Members> {};
INSTANTIATE_TEST_SUITE_P(Tamis, MappedTamisParts,
                         ::testing::Values(Members::kMirror, Members::kCaller));

TEST_P(MappedTamisParts, AreTheSame) {
  const TamisFilter one = Filled(MakeOne(GetParam()));
  EXPECT_GT(one.extensions().longs().size(), 0u);
  ExpectMappedIsTheSame(one);
  const ShardedTamis sharded = Filled(MakeSharded(GetParam()));
  EXPECT_GT(sharded.num_shards(), 4u);
  ExpectMappedIsTheSame(sharded);
}

TEST_P(MappedTamisParts, DoNotChange) {
  const TamisFilter one = Filled(MakeOne(GetParam()));
  ExpectNothingChanges(one);
  Blocks blocks(one.ToSnapshot());
  TamisFilter mapped =
      TamisFilter::FromSnapshot(blocks.snapshot, kMappedTamis).value();
  EXPECT_EQ(mapped.RebuildTo(4000).code(), StatusCode::kUnsupported);
  ExpectNothingChanges(Filled(MakeSharded(GetParam())));
}

TEST_P(MappedTamisParts, MergeAsIfLoaded) {
  ExpectMergesAsLoaded(Filled(MakeOne(GetParam())), MakeOne(GetParam()),
                       MakeOne(GetParam()));
  ExpectMergesAsLoaded(Filled(MakeSharded(GetParam())), MakeSharded(GetParam()),
                       MakeSharded(GetParam()));
}

TEST_P(MappedTamisParts, OfNoiseAreReadInBounds) {
  ExpectNoiseIsSafe(Filled(MakeOne(GetParam())));
  // Of many small parts, some must be whole for the file to be taken at all.
  TamisFilter::Options options = SmallOptions(GetParam());
  options.fingerprint_bits = 12;
  ShardedTamis sharded =
      ShardedTamis::Create({.filter = options, .shard_slots = 1024},
                           Hasher(Seed{1, 2}))
          .value();
  for (uint64_t key = 0; key < 500; ++key) {
    EXPECT_TRUE(sharded.Insert(sharded.hasher().Hash(key)).ok());
  }
  ExpectNoiseIsSafe(sharded);
}

}  // namespace
}  // namespace tamis::testing
