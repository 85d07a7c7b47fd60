// AnyFilter itself; what its filters do is for the conformance suite to test.

#include "tamis/any_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/exact_filter.h"
#include "tamis/internal/filters/any_filter_model.h"
#include "tamis/key_source.h"
#include "tamis/kind.h"

namespace tamis {
namespace {

using testing::ExactFilter;

AnyFilter MakeExact(uint64_t slots = 100, const Hasher& hasher = Hasher()) {
  return AnyFilter(std::make_unique<internal::AnyFilterModel<ExactFilter>>(
      ExactFilter::Create(Spec("exact"), slots, hasher).value()));
}

TEST(AnyFilter, KnowsItsKinds) {
  const std::vector<std::string_view> kinds = AnyFilter::KnownKinds();
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "rsqf"), kinds.end());
  EXPECT_EQ(std::set(kinds.begin(), kinds.end()).size(), kinds.size())
      << "a name is taken once";
}

TEST(AnyFilter, UnknownKindIsNamedWithTheKnown) {
  const Status status = AnyFilter::Create("sieve:r=8", 100).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("'sieve'"), std::string::npos);
  EXPECT_NE(status.message().find("rsqf"), std::string::npos);
}

TEST(AnyFilter, BadSpecIsAStatus) {
  EXPECT_EQ(AnyFilter::Create("rsqf:r", 100).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(AnyFilter::Create("rsqf:r=99", 100).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(AnyFilter, NoKindIgnoresAnInnerSpec) {
  for (const std::string_view kind : AnyFilter::KnownKinds()) {
    if (kind == "cached") continue;  // the one that takes it
    const std::string spec = std::string(kind) + "(bloom)";
    const Status status = AnyFilter::Create(spec, 100).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << spec;
    EXPECT_NE(status.message().find("'bloom'"), std::string::npos) << spec;
  }
}

TEST(AnyFilter, EmptyFiltersExpectNoFalsePositives) {
  for (const std::string_view kind : AnyFilter::KnownKinds()) {
    const double fpr = AnyFilter::Create(kind, 100).value().ExpectedFpr();
    EXPECT_EQ(fpr, 0) << kind;
    EXPECT_FALSE(std::signbit(fpr)) << kind << ": printed as -0";
  }
}

TEST(AnyFilter, SpecsGiveNumbersInTheirShortestForm) {
  for (const char* spec :
       {"taf:r=8,c=20", "taf:r=8,c=0.1", "taf:r=8,c=1e-07",
        "bloom:bits=9.5,k=4", "infini:f=12,threshold=0.95"}) {
    EXPECT_EQ(AnyFilter::Create(spec, 100).value().spec().ToString(), spec);
  }
}

TEST(AnyFilter, FromSnapshotOfAnUnknownKindIsAStatus) {
  EXPECT_FALSE(AnyFilter::FromSnapshot(MakeExact().ToSnapshot()).ok());
}

TEST(AnyFilter, PassesEverythingOn) {
  const Hasher hasher(Seed{1, 2});
  AnyFilter filter = MakeExact(10, hasher);
  const KeyHash hash = hasher.Hash(1);
  ASSERT_TRUE(filter.Insert(hash).ok());
  EXPECT_TRUE(filter.MayContain(hash));
  EXPECT_EQ(filter.size(), 1u);
  EXPECT_EQ(filter.capacity(), 10u);
  EXPECT_EQ(filter.Adapt(hash).status().code(), StatusCode::kIsMember);
  EXPECT_EQ(filter.Adapt(hasher.Hash(2)).value(), AdaptOutcome::kNothingToFix);
  ASSERT_TRUE(filter.Expand().ok());
  EXPECT_EQ(filter.capacity(), 20u);
  ASSERT_TRUE(filter.Contract().ok());
  ASSERT_TRUE(filter.Erase(hash).ok());
  EXPECT_EQ(filter.Erase(hash).code(), StatusCode::kNotFound);
  EXPECT_EQ(filter.stats().details.size(), 1u);
}

TEST(AnyFilter, LoopsStopAtTheFirstError) {
  const Hasher hasher(Seed{1, 2});
  AnyFilter filter = MakeExact(3, hasher);
  std::vector<KeyHash> hashes;
  for (uint64_t key = 0; key < 5; ++key) hashes.push_back(hasher.Hash(key));
  EXPECT_EQ(filter.InsertEach(hashes).code(), StatusCode::kFull);
  EXPECT_EQ(filter.size(), 3u);
  EXPECT_EQ(filter.CountEach(hashes), 3u);
  EXPECT_EQ(filter.EraseEach(hashes).code(), StatusCode::kNotFound);
  EXPECT_EQ(filter.size(), 0u);
}

TEST(AnyFilter, MergesOnlyItsOwnKind) {
  AnyFilter exact = MakeExact();
  const AnyFilter rsqf = AnyFilter::Create("rsqf:r=8", 100).value();
  const Status status = exact.Merge(rsqf);
  EXPECT_EQ(status.code(), StatusCode::kIncompatible);
  EXPECT_NE(status.message().find("rsqf:r=8"), std::string::npos);
}

// A filter with the least that the concept asks for.
class Plain {
 public:
  explicit Plain(ExactFilter filter) : filter_(std::move(filter)) {}
  static Result<Plain> Create(const Spec& spec, uint64_t slots,
                              const Hasher& hasher) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::Create(spec, slots, hasher));
    return Plain(std::move(filter));
  }
  static Result<Plain> FromSnapshot(const internal::Snapshot& snapshot,
                                    const LoadOptions& options = {}) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::FromSnapshot(snapshot, options));
    return Plain(std::move(filter));
  }
  internal::Snapshot ToSnapshot() const { return filter_.ToSnapshot(); }
  Status Insert(KeyHash hash) { return filter_.Insert(hash); }
  bool MayContain(KeyHash hash) const { return filter_.MayContain(hash); }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    filter_.MayContain(hashes, results);
  }
  uint64_t size() const { return filter_.size(); }
  uint64_t capacity() const { return filter_.capacity(); }
  uint64_t SizeBits() const { return filter_.SizeBits(); }
  double ExpectedFpr() const { return filter_.ExpectedFpr(); }
  FilterStats stats() const { return filter_.stats(); }
  Spec spec() const { return filter_.spec(); }
  const Hasher& hasher() const { return filter_.hasher(); }
  Status CheckInvariants() const { return filter_.CheckInvariants(); }

 private:
  ExactFilter filter_;
};

TEST(AnyFilter, WhatAFilterLacksIsUnsupported) {
  AnyFilter filter(std::make_unique<internal::AnyFilterModel<Plain>>(
      Plain::Create(Spec("exact"), 10, Hasher()).value()));
  const Capabilities can = filter.capabilities();
  EXPECT_FALSE(can.erase || can.adapt || can.knows_members || can.expand ||
               can.rejuvenate || can.merge || can.bulk_load ||
               can.adapt_with_members || can.adapt_if_proven || can.rebuild ||
               can.rebuild_to || can.count);
  const KeyHash hash = filter.hasher().Hash(1);
  const AnyFilter other = MakeExact();
  for (const Status& status :
       {filter.Erase(hash), filter.EraseEach({}), filter.Adapt(hash).status(),
        filter.Adapt(hash, {}, 0).status(), filter.AdaptIfProven(hash).status(),
        filter.Expand(), filter.Contract(), filter.Merge(other),
        filter.Rejuvenate(hash), filter.Rejuvenate(std::span<const KeyHash>()),
        filter.Rebuild(1), filter.Count(hash).status()}) {
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_NE(status.message().find("exact has no "), std::string::npos);
  }
  EXPECT_EQ(filter.num_erases(), 0u);
  EXPECT_FALSE(filter.CollisionRange(hash));
  filter.PrefetchInsert(hash);  // no harm
  EXPECT_TRUE(filter.BulkLoad(std::vector<KeyHash>{hash}).ok());
  EXPECT_EQ(filter.size(), 1u);
}

// What only some filters can do is reached through AnyFilter.
TEST(AnyFilter, ReachesWhatSomeFiltersCanDo) {
  const Hasher hasher(Seed{1, 2});
  const auto filled = [&](std::string_view spec) {
    AnyFilter filter =
        AnyFilter::Create(spec, {.keys = 500, .hasher = hasher}).value();
    for (uint64_t key = 0; key < 500; ++key) {
      EXPECT_TRUE(filter.Insert(hasher.Hash(key)).ok()) << spec;
    }
    return filter;
  };
  AnyFilter rsqf = filled("rsqf:r=30");
  ASSERT_TRUE(rsqf.Erase(hasher.Hash(1)).ok());
  ASSERT_TRUE(rsqf.Insert(hasher.Hash(2)).ok());
  rsqf.PrefetchInsert(hasher.Hash(3));
  EXPECT_EQ(rsqf.Count(hasher.Hash(1)).value(), 0u);
  EXPECT_EQ(rsqf.Count(hasher.Hash(2)).value(), 2u);

  AnyFilter infini = filled("infini:f=8");
  ASSERT_TRUE(infini.Expand().ok());
  const double aged = infini.ExpectedFpr();
  std::vector<KeyHash> members;
  for (uint64_t key = 0; key < 500; ++key) members.push_back(hasher.Hash(key));
  ASSERT_TRUE(infini.Rejuvenate(members).ok());
  EXPECT_LT(infini.ExpectedFpr(), aged);
  EXPECT_EQ(infini.CountEach(members), members.size());

  AnyFilter cyclic = filled("cyclic:f=8");
  ASSERT_TRUE(cyclic.Rebuild(7).ok());
  EXPECT_EQ(cyclic.CountEach(members), members.size());

  AnyFilter abf = filled("abf:bits=8");
  uint64_t fixed = 0;
  for (uint64_t key = 1000; key < 3000; ++key) {
    if (!abf.MayContain(hasher.Hash(key))) continue;
    fixed +=
        abf.AdaptIfProven(hasher.Hash(key)).value() == AdaptOutcome::kFixed;
  }
  EXPECT_GT(fixed, 10u);
  EXPECT_EQ(abf.CountEach(members), members.size());
}

// As many keys as were asked for fit, and a growing filter has not grown.
TEST(AnyFilter, HoldsTheKeysItIsMadeFor) {
  for (const Kind& kind : AllKinds()) {
    for (const uint64_t keys : {1, 2, 10, 99, 3000}) {
      SCOPED_TRACE(std::string(kind.ShortestSpec()) + " for " +
                   std::to_string(keys));
      AnyFilter filter =
          AnyFilter::Create(kind.ShortestSpec(),
                            {.keys = keys, .hasher = Hasher(Seed{3, keys})})
              .value();
      const uint64_t bits = filter.SizeBits();
      for (uint64_t key = 0; key < keys; ++key) {
        ASSERT_TRUE(filter.Insert(filter.hasher().Hash(key)).ok()) << key;
      }
      if (kind.is_static) continue;  // made in one go; keys beside it are dear
      EXPECT_LE(filter.SizeBits(), bits + bits / 20 + 512) << "has grown";
    }
  }
}

TEST(AnyFilter, NeedsKeysOrSlots) {
  for (const Kind& kind : AllKinds()) {
    EXPECT_EQ(
        AnyFilter::Create(kind.ShortestSpec(), CreateOptions()).status().code(),
        StatusCode::kInvalidArgument)
        << kind.ShortestSpec();
  }
}

TEST(AnyFilter, TakesASourceWhereTheFilterCan) {
  SortedSource source;
  const Hasher hasher(Seed{5, 6});
  AnyFilter taf =
      AnyFilter::Create("taf:r=4",
                        {.keys = 300, .hasher = hasher, .source = source})
          .value();
  for (uint64_t key = 0; key < 300; ++key) {
    source.Add(hasher.Hash(key));
    ASSERT_TRUE(taf.Insert(hasher.Hash(key)).ok());
  }
  EXPECT_EQ(taf.stats().side_bits, 0u) << "no mirror";
  uint64_t fixed = 0;
  for (uint64_t key = 1000; key < 2000; ++key) {
    if (!taf.MayContain(hasher.Hash(key))) continue;
    fixed += taf.Adapt(hasher.Hash(key)).value() == AdaptOutcome::kFixed;
  }
  EXPECT_GT(fixed, 10u);
  EXPECT_EQ(
      AnyFilter::Create("rsqf", {.keys = 10, .source = source}).status().code(),
      StatusCode::kUnsupported);
}

TEST(AdaptOutcome, HasNames) {
  EXPECT_EQ(ToString(AdaptOutcome::kFixed), "fixed");
  EXPECT_EQ(ToString(AdaptOutcome::kNothingToFix), "nothing to fix");
  EXPECT_EQ(ToString(AdaptOutcome::kNotFixed), "not fixed");
}

}  // namespace
}  // namespace tamis
