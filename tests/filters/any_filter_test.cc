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
               can.rejuvenate || can.merge || can.bulk_load);
  const KeyHash hash = filter.hasher().Hash(1);
  const AnyFilter other = MakeExact();
  for (const Status& status :
       {filter.Erase(hash), filter.EraseEach({}), filter.Adapt(hash).status(),
        filter.Expand(), filter.Contract(), filter.Merge(other)}) {
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_NE(status.message().find("exact has no "), std::string::npos);
  }
  EXPECT_TRUE(filter.BulkLoad(std::vector<KeyHash>{hash}).ok());
  EXPECT_EQ(filter.size(), 1u);
}

TEST(AdaptOutcome, HasNames) {
  EXPECT_EQ(ToString(AdaptOutcome::kFixed), "fixed");
  EXPECT_EQ(ToString(AdaptOutcome::kNothingToFix), "nothing to fix");
  EXPECT_EQ(ToString(AdaptOutcome::kNotFixed), "not fixed");
}

}  // namespace
}  // namespace tamis
