// What all filters of the family promise, checked for each by its spec.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/internal/filters/snapshot.h"

namespace tamis {
namespace {

constexpr Seed kSeed{1, 2};

class BloomFamily : public testing::TestWithParam<const char*> {
 protected:
  AnyFilter Make(uint64_t slots, Seed seed = kSeed) const {
    return std::move(AnyFilter::Create(GetParam(), slots, Hasher(seed)))
        .value();
  }
  static KeyHash Member(uint64_t i) { return Hasher(kSeed).Hash(2 * i); }
  static KeyHash Absent(uint64_t i) { return Hasher(kSeed).Hash(2 * i + 1); }
  static std::vector<std::byte> AllBytes(const AnyFilter& filter) {
    std::vector<std::byte> all;
    const internal::Snapshot snapshot = filter.ToSnapshot();
    for (const auto& array : snapshot.arrays()) {
      all.insert(all.end(), array.bytes.begin(), array.bytes.end());
    }
    return all;
  }
  static void Fill(AnyFilter& filter, uint64_t keys) {
    for (uint64_t i = 0; i < keys; ++i) {
      ASSERT_TRUE(filter.Insert(Member(i)).ok());
    }
  }
};

TEST_P(BloomFamily, SpecReadsBack) {
  const AnyFilter filter = Make(1000);
  const Spec spec = filter.spec();
  const Result<AnyFilter> again = AnyFilter::Create(spec, 1000);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(again->spec(), spec);
  EXPECT_EQ(again->SizeBits(), filter.SizeBits());
}

TEST_P(BloomFamily, HasTheMemoryAskedFor) {
  const AnyFilter filter = Make(100'000);
  const double bits = filter.spec().Number("bits", 0, 0, 1e9).value();
  EXPECT_NEAR(static_cast<double>(filter.SizeBits()), bits * 100'000, 512);
  EXPECT_EQ(filter.capacity(), 100'000u);
  EXPECT_EQ(filter.stats().size_bits, filter.SizeBits());
}

TEST_P(BloomFamily, FullIsAStatusAndChangesNothing) {
  AnyFilter filter = Make(100);
  Fill(filter, 100);
  const std::vector<std::byte> before = AllBytes(filter);
  EXPECT_EQ(filter.Insert(Absent(1)).code(), StatusCode::kFull);
  EXPECT_EQ(AllBytes(filter), before);
  EXPECT_EQ(filter.size(), 100u);
}

TEST_P(BloomFamily, NoFalseNegativeAndInvariantsFromOneKeyOn) {
  for (const uint64_t slots : {1, 2, 7, 64, 1000}) {
    AnyFilter filter = Make(slots);
    EXPECT_TRUE(filter.CheckInvariants().ok());
    for (uint64_t i = 0; i < slots; ++i) {
      EXPECT_TRUE(filter.Insert(Member(i)).ok());
      for (uint64_t j = 0; j <= i; j += 1 + i / 10) {
        EXPECT_TRUE(filter.MayContain(Member(j)));
      }
    }
    const Status status = filter.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

// The rate within 4 standard deviations of the formula, and of the formula's
// own variation from filter to filter (some 1 % at this size).
TEST_P(BloomFamily, RateIsTheFormulas) {
  constexpr uint64_t kKeys = 100'000, kQueries = 1'000'000;
  for (const double load : {0.5, 1.0}) {
    AnyFilter filter = Make(kKeys);
    Fill(filter, static_cast<uint64_t>(kKeys * load));
    uint64_t positives = 0;
    for (uint64_t i = 0; i < kQueries; ++i) {
      positives += filter.MayContain(Absent(i));
    }
    const double expected = filter.ExpectedFpr();
    const double deviation = std::sqrt(expected * (1 - expected) / kQueries);
    EXPECT_NEAR(static_cast<double>(positives) / kQueries, expected,
                4 * deviation + 0.02 * expected)
        << filter.spec().ToString();
  }
}

TEST_P(BloomFamily, BatchesAgreeWithSingleAnswers) {
  AnyFilter filter = Make(5000);
  Fill(filter, 5000);
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < 3000; ++i) {
    hashes.push_back(i % 3 == 0 ? Member(i) : Absent(i));
  }
  for (const size_t count : {0, 1, 63, 64, 65, 200, 3000}) {
    const auto results = std::make_unique<bool[]>(count + 1);
    filter.MayContain(std::span(hashes).first(count), {results.get(), count});
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(results[i], filter.MayContain(hashes[i])) << i;
    }
  }
}

TEST_P(BloomFamily, SnapshotGivesTheSameAnswers) {
  AnyFilter filter = Make(2000);
  Fill(filter, 1500);
  for (uint64_t i = 0; filter.capabilities().adapt && i < 5000; ++i) {
    if (filter.MayContain(Absent(i))) {
      ASSERT_TRUE(filter.Adapt(Absent(i)).ok());
    }
  }
  Result<AnyFilter> loaded = AnyFilter::FromSnapshot(filter.ToSnapshot());
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  EXPECT_EQ(loaded->size(), filter.size());
  EXPECT_EQ(loaded->spec(), filter.spec());
  for (uint64_t i = 0; i < 20'000; ++i) {
    EXPECT_EQ(loaded->MayContain(Absent(i)), filter.MayContain(Absent(i)));
  }
  EXPECT_TRUE(loaded->Insert(Absent(1)).ok());
  EXPECT_TRUE(loaded->CheckInvariants().ok());
}

TEST_P(BloomFamily, DamagedSnapshotsAreRefused) {
  AnyFilter filter = Make(500);
  Fill(filter, 300);
  const internal::Snapshot good = filter.ToSnapshot();

  internal::Snapshot no_arrays(good.spec(), good.hasher());
  internal::Snapshot short_arrays(good.spec(), good.hasher());
  internal::Snapshot huge(good.spec(), good.hasher());
  internal::Snapshot too_large(good.spec(), good.hasher());
  for (const auto& number : good.numbers()) {
    no_arrays.AddNumber(number.name, number.value);
    short_arrays.AddNumber(number.name, number.value);
    huge.AddNumber(number.name,
                   number.name == "slots" ? uint64_t{1} << 44 : number.value);
    too_large.AddNumber(number.name,
                        number.name == "size" ? 501 : number.value);
  }
  for (const auto& array : good.arrays()) {
    short_arrays.AddArray(array.name,
                          array.bytes.first(array.bytes.size() - 1));
    huge.AddArray(array.name, array.bytes);
    too_large.AddArray(array.name, array.bytes);
  }
  for (const auto* bad : {&no_arrays, &short_arrays, &huge, &too_large}) {
    const Result<AnyFilter> loaded = AnyFilter::FromSnapshot(*bad);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.status().code(), StatusCode::kCorrupt);
  }
}

TEST_P(BloomFamily, MergeIsTheUnion) {
  AnyFilter left = Make(1000);
  if (!left.capabilities().merge) GTEST_SKIP() << "has no Merge";
  AnyFilter right = Make(1000);
  for (uint64_t i = 0; i < 400; ++i) {
    ASSERT_TRUE(left.Insert(Member(i)).ok());
    ASSERT_TRUE(right.Insert(Member(1000 + i)).ok());
  }
  ASSERT_TRUE(left.Merge(right).ok());
  EXPECT_EQ(left.size(), 800u);
  for (uint64_t i = 0; i < 400; ++i) {
    EXPECT_TRUE(left.MayContain(Member(i)));
    EXPECT_TRUE(left.MayContain(Member(1000 + i)));
  }
  EXPECT_TRUE(left.CheckInvariants().ok());
  EXPECT_EQ(left.Merge(right).code(), StatusCode::kFull);
  EXPECT_EQ(left.size(), 800u);
  EXPECT_EQ(left.Merge(Make(1001)).code(), StatusCode::kIncompatible);
  EXPECT_EQ(left.Merge(Make(1000, Seed{3, 4})).code(),
            StatusCode::kIncompatible);
}

TEST_P(BloomFamily, BadParametersAreNamed) {
  const std::string spec = GetParam();
  const std::string glue = spec.find(':') == std::string::npos ? ":" : ",";
  const Result<AnyFilter> filter =
      AnyFilter::Create(spec + glue + "nonsense=1", 100);
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(filter.status().message().find("nonsense"), std::string_view::npos);
  EXPECT_FALSE(AnyFilter::Create(spec, 0).ok());
  EXPECT_FALSE(AnyFilter::Create(spec, ~uint64_t{0}).ok());
}

INSTANTIATE_TEST_SUITE_P(
    Specs, BloomFamily,
    testing::Values(
        "bloom", "bloom:bits=12.6,k=8", "bloom:bits=7,k=1", "bloom1",
        "bloom1:bits=8,k=4,w=64", "bloom1:bits=10,k=5,w=128",
        "bloom1:bits=11,k=6,w=256", "bloom1:bits=12,k=8,w=512",
        "bloom1:bits=16,k=12,w=64", "bloomj:bits=8,k=4,j=2,w=64",
        "bloomj:bits=8,k=5,j=3,w=64", "bloomj:bits=9,k=8,j=4,w=128", "blocked",
        "blocked:bits=8", "abf", "abf:bits=8,k=4,w=64,sets=2",
        "abf:bits=8,k=4,w=64,sets=8,check=0", "abf:bits=12,k=6,w=256,sets=8",
        "abf:bits=8,k=4,sets=4,copies=others",
        "abf:bits=8,k=4,sets=2,decimation=5,detect=0.5",
        "abf-counting:bits=8,k=4,sets=4", "abfj:bits=8,k=4,j=2,sets=4",
        "abfj:bits=8,k=5,j=3,sets=2,copies=others", "abfbits:bits=8,k=5,sets=4",
        "abfbits:bits=8,k=4,sets=2,check=0"));

TEST(BloomFamilySpecs, OutOfRangeValuesAreRefused) {
  for (const char* bad :
       {"bloom:bits=0", "bloom:bits=2000", "bloom:k=0", "bloom:k=65",
        "bloom1:w=32", "bloom1:k=17", "bloomj:j=1", "bloomj:j=5",
        "bloomj:k=2,j=3", "abf:sets=3", "abf:sets=16", "abf:check=2",
        "abf:decimation=0", "abf:detect=1.5", "abf:copies=none", "abf:j=2",
        "abf-counting:copies=all", "blocked:k=8"}) {
    const Result<AnyFilter> filter = AnyFilter::Create(bad, 100);
    ASSERT_FALSE(filter.ok()) << bad;
    EXPECT_EQ(filter.status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace tamis
