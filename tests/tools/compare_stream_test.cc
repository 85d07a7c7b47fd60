// Streams of queries, and what a run of one counts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "tools/compare/budget.h"
#include "tools/compare/query_stream.h"
#include "tools/compare/stream_run.h"
#include "workloads/random.h"
#include "workloads/zipf.h"

namespace tamis::tools {
namespace {

// Members 0 and 1; the stream has `queries`, of which 2 and up are absent.
QueryStream TinyStream(const std::vector<uint64_t>& queries) {
  StreamBuilder builder;
  builder.AddMember(IdentityOf(uint64_t{0}));
  builder.AddMember(IdentityOf(uint64_t{1}));
  builder.AddMember(IdentityOf(uint64_t{1}));
  for (const uint64_t key : queries) builder.AddQuery(IdentityOf(key));
  return std::move(builder).Finish().value();
}

// Zipf queries, a tenth of whose keys are members.
QueryStream ZipfQueries(uint64_t count) {
  StreamBuilder builder;
  workloads::ZipfStream zipf(
      {.seed = 3, .exponent = 1, .universe = 20'000, .scramble = true});
  for (uint64_t i = 0; i < count; ++i)
    builder.AddQuery(IdentityOf(zipf.Next()));
  QueryStream stream = std::move(builder).Finish().value();
  DrawMembers(stream, 10);
  return stream;
}

Result<StreamRun> RunSpec(const std::string& spec, const QueryStream& stream,
                          uint64_t seed, double bits_per_key = 12.6) {
  const HashedStream hashed(stream, seed);
  const Budget budget{stream.num_members, bits_per_key};
  TAMIS_ASSIGN_OR_RETURN(const Spec parsed, Spec::Parse(spec));
  TAMIS_ASSIGN_OR_RETURN(const Fit fit, FitComparable(parsed, budget));
  if (!fit.choice) return Status(StatusCode::kFull, spec + " does not fit");
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      MakeFilled(*fit.choice, budget, hashed.members, hashed.hasher));
  return RunStream(filter, hashed);
}

TEST(CompareStream, TextAndIntegerKeysAreTheSameKey) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(IdentityOf(uint64_t{1}), IdentityOf("\1\0\0\0\0\0\0\0"sv));
  EXPECT_NE(IdentityOf("1"), IdentityOf(uint64_t{1}));
}

TEST(CompareStream, KeysAreCountedOnceAndQueriesKeepTheirOrder) {
  const QueryStream stream = TinyStream({5, 0, 5, 6});
  EXPECT_EQ(stream.keys.size(), 4u);
  EXPECT_EQ(stream.num_members, 2u);
  EXPECT_THAT(stream.queries, ::testing::ElementsAre(2, 0, 2, 3));
  EXPECT_THAT(stream.member, ::testing::ElementsAre(true, true, false, false));
}

TEST(CompareStream, DrawnMembersAreAShareOfTheKeysNotOfTheQueries) {
  const QueryStream stream = ZipfQueries(200'000);
  const double share = static_cast<double>(stream.num_members) /
                       static_cast<double>(stream.keys.size());
  EXPECT_NEAR(share, 0.1, 0.01);
  // The same keys in another stream are drawn alike.
  const QueryStream other = ZipfQueries(20'000);
  std::set<KeyHash> members;
  for (size_t i = 0; i < stream.keys.size(); ++i) {
    if (stream.member[i]) members.insert(stream.keys[i]);
  }
  for (size_t i = 0; i < other.keys.size(); ++i) {
    EXPECT_EQ(other.member[i], members.contains(other.keys[i]));
  }
}

// A filter of one slot a key that says yes to everything is a Bloom filter of
// 1/8 bit a key: by hand, every absent query is a false positive.
TEST(CompareStream, FirstAndRepeatedMistakesOfAStaticFilterAreCounted) {
  const QueryStream stream = TinyStream({2, 3, 2, 0, 2, 3, 1, 4});
  const HashedStream hashed(stream, 1);
  auto filter =
      AnyFilter::Create("bloom:bits=0.125,k=1", 2, hashed.hasher).value();
  ASSERT_TRUE(filter.InsertEach(hashed.members).ok());
  const StreamRun run = RunStream(filter, hashed, KeysIn::kRam, 2).value();
  EXPECT_EQ(run.queries, 8u);
  EXPECT_EQ(run.negatives, 6u);
  EXPECT_EQ(run.first_time, 3u);  // 2, 3 and 4
  EXPECT_EQ(run.repeated, 3u);    // 2, 2 and 3
  EXPECT_EQ(run.adapts, 0u);
  EXPECT_EQ(run.reads, 8u);  // members are read, too
  EXPECT_EQ(run.fpr(), 1);
  ASSERT_EQ(run.windows.size(), 2u);
  EXPECT_EQ(run.windows[0].end, 4u);
  EXPECT_EQ(run.windows[0].negatives, 3u);
  EXPECT_EQ(run.windows[1].false_positives, 3u);
}

// The same with a cache of all mistakes: each is made once.
TEST(CompareStream, MistakesThatAreRememberedAreNotRepeated) {
  const QueryStream stream = TinyStream({2, 3, 2, 0, 2, 3, 1, 4});
  const HashedStream hashed(stream, 1);
  const Spec spec =
      Spec::Parse("cached(bloom:bits=0.125,k=1):bytes=168").value();
  auto filter = AnyFilter::Create(spec, 2, hashed.hasher).value();
  ASSERT_TRUE(filter.BulkLoad(hashed.members).ok());
  const StreamRun run = RunStream(filter, hashed).value();
  EXPECT_EQ(run.first_time, 3u);
  EXPECT_EQ(run.repeated, 0u);
  EXPECT_EQ(run.adapts, 3u);
  EXPECT_EQ(run.not_fixed, 0u);
  EXPECT_EQ(run.reads, 5u);
  EXPECT_EQ(run.windows.size(), 8u);  // no window without a query
}

TEST(CompareStream, AFilterThatDeniesAMemberIsReported) {
  const QueryStream stream = TinyStream({0});
  const HashedStream hashed(stream, 1);
  auto empty = AnyFilter::Create("rsqf:r=8", 10, hashed.hasher).value();
  const auto run = RunStream(empty, hashed);
  EXPECT_EQ(run.status().code(), StatusCode::kCorrupt);
}

TEST(CompareStream, EqualSeedsGiveEqualRunsAndOthersOthers) {
  const QueryStream stream = ZipfQueries(100'000);
  for (const char* spec : {"taf", "cuckooing", "abf:sets=4",
                           "cached(bloom):share=20,policy=topk"}) {
    SCOPED_TRACE(spec);
    ASSERT_TRUE(RunSpec(spec, stream, 1).ok());
    const StreamRun one = RunSpec(spec, stream, 1).value();
    const StreamRun two = RunSpec(spec, stream, 1).value();
    const StreamRun other = RunSpec(spec, stream, 2).value();
    EXPECT_EQ(one.first_time, two.first_time);
    EXPECT_EQ(one.repeated, two.repeated);
    EXPECT_EQ(one.reads, two.reads);
    EXPECT_NE(one.first_time, other.first_time);
  }
}

TEST(CompareStream, WindowsAddUpToTheWhole) {
  const StreamRun run = RunSpec("swapping", ZipfQueries(50'003), 1).value();
  ASSERT_EQ(run.windows.size(), 50u);
  uint64_t negatives = 0;
  uint64_t false_positives = 0;
  for (const StreamWindow& window : run.windows) {
    negatives += window.negatives;
    false_positives += window.false_positives;
  }
  EXPECT_EQ(run.windows.back().end, run.queries);
  EXPECT_EQ(negatives, run.negatives);
  EXPECT_EQ(false_positives, run.false_positives());
}

TEST(CompareStream, AdaptingHelpsWhereQueriesRepeat) {
  const QueryStream stream = ZipfQueries(200'000);
  const StreamRun fixed = RunSpec("cuckoo:k=4,b=1", stream, 4).value();
  const StreamRun adapting = RunSpec("cuckooing", stream, 4).value();
  EXPECT_EQ(fixed.adapts, 0u);
  EXPECT_GT(fixed.repeated, 5 * adapting.repeated);
  EXPECT_LT(adapting.fpr(), fixed.fpr());
  // One read for each positive; its mirror is in RAM.
  const uint64_t members = adapting.queries - adapting.negatives;
  EXPECT_EQ(adapting.reads, members + adapting.false_positives());
}

// Members from a store teach a filter what those of its own mirror do, for one
// read of it each.
TEST(CompareStream, AStoreTeachesAsAMirrorDoes) {
  const QueryStream stream = ZipfQueries(100'000);
  const HashedStream hashed(stream, 3);
  const auto run = [&](const char* spec, KeysIn keys_in) {
    auto filter =
        AnyFilter::Create(spec, 2 * stream.num_members, hashed.hasher).value();
    EXPECT_TRUE(filter.BulkLoad(hashed.members).ok());
    return RunStream(filter, hashed, keys_in).value();
  };
  for (const std::string kind : {"taf:r=5", "exaf:r=5", "tamis:f=6,grow=no"}) {
    SCOPED_TRACE(kind);
    const std::string asks = kind + ",members=caller";
    const StreamRun mirror = run(kind.c_str(), KeysIn::kRam);
    const StreamRun store = run(asks.c_str(), KeysIn::kStore);
    EXPECT_EQ(mirror.first_time, store.first_time);
    EXPECT_EQ(mirror.repeated, store.repeated);
    EXPECT_EQ(store.reads, mirror.reads + store.adapts);
    const StreamRun alone = run(asks.c_str(), KeysIn::kRam);
    EXPECT_EQ(alone.adapts, 0u) << "there is no store to ask";
    EXPECT_GT(alone.repeated, store.repeated);
  }
}

}  // namespace
}  // namespace tamis::tools
