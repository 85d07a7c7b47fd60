// The advice, on streams whose right answer is known: every sentence that
// `tamis compare` may say is checked against what was put in.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tamis/kind.h"
#include "tools/common/readable.h"
#include "tools/compare/compare.h"
#include "tools/compare/recommend.h"
#include "tools/compare/sweep.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using workloads::Random;

constexpr uint64_t kMembers = 4'000;
constexpr uint64_t kAbsent = uint64_t{1} << 32;

QueryStream MakeStream(const std::vector<uint64_t>& queries) {
  StreamBuilder builder;
  for (uint64_t key = 0; key < kMembers; ++key) {
    builder.AddMember(IdentityOf(key));
  }
  for (const uint64_t key : queries) builder.AddQuery(IdentityOf(key));
  return std::move(builder).Finish().value();
}

// Every member once, every absent key once.
QueryStream NothingRepeats() {
  std::vector<uint64_t> queries;
  for (uint64_t i = 0; i < 60'000; ++i) {
    queries.push_back(kAbsent + i);
    if (i % 15 == 0) queries.push_back(i / 15);
  }
  return MakeStream(queries);
}

// A thousand absent keys again and again.
QueryStream EverythingRepeats() {
  std::vector<uint64_t> queries;
  for (uint64_t i = 0; i < 120'000; ++i) queries.push_back(kAbsent + i % 1'000);
  for (uint64_t key = 0; key < kMembers; ++key) queries.push_back(key);
  return MakeStream(queries);
}

Comparison Compared(const QueryStream& stream, const std::string& filters,
                    KeysIn keys_in = KeysIn::kRam, double bits = 10) {
  CompareOptions options;
  options.filters =
      filters == "all" ? AllSpecs() : Spec::ParseList(filters).value();
  options.bits_per_key = bits;
  options.keys_in = keys_in;
  options.timings = false;
  options.jobs = 2;
  std::ostringstream err;
  Progress progress(err, "test");
  return Compare(stream, options, progress).value();
}

std::string Text(const Recommendation& made) {
  std::string text;
  for (const std::string& one : made.Sentences()) text += one + '\n';
  return text;
}

const ComparedFilter& Find(const Comparison& comparison,
                           const std::string& spec) {
  const auto found = std::ranges::find_if(
      comparison.filters,
      [&](const auto& one) { return one.spec.ToString() == spec; });
  EXPECT_NE(found, comparison.filters.end()) << spec;
  return *found;
}

const Condition* FindCondition(const Recommendation& made,
                               const std::string& when) {
  const auto found = std::ranges::find(made.conditions, when, &Condition::when);
  return found == made.conditions.end() ? nullptr : &*found;
}

constexpr const char* kSome =
    "rsqf,bloom,cuckoo,cached(rsqf),cached(bloom),infini:threshold=0.95,fuse";

// What a filter learns is part of the memory that all have alike.
TEST(CompareAdvice, NobodyHasMoreMemoryThanTheOthers) {
  for (const KeysIn keys_in : {KeysIn::kRam, KeysIn::kStore}) {
    for (const double bits : {10.0, 16.0}) {
      const Comparison comparison =
          Compared(NothingRepeats(), "all", keys_in, bits);
      bool tamis_learns = false;
      for (const ComparedFilter& one : comparison.filters) {
        EXPECT_LE(one.TotalBitsPerKey(), 1.01 * bits) << one.spec.ToString();
        tamis_learns |= one.spec.name() == "tamis" && one.learns;
      }
      // It is too large for so few keys at 10 bits.
      EXPECT_EQ(tamis_learns, keys_in == KeysIn::kStore && bits == 16) << bits;
    }
  }
}

TEST(CompareAdvice, WhereNothingRepeatsNothingIsLearnt) {
  for (const KeysIn keys_in : {KeysIn::kRam, KeysIn::kStore}) {
    const Comparison comparison =
        Compared(NothingRepeats(), std::string(kSome) + ",taf", keys_in);
    const Recommendation made = Recommend(comparison);
    EXPECT_FALSE(Find(comparison, made.filter).learns) << made.filter;
    EXPECT_THAT(Text(made), HasSubstr("learning has nothing to gain here"));
    EXPECT_THAT(Text(made), Not(HasSubstr("on a longer stream")));
    for (const ComparedFilter& one : comparison.filters) {
      EXPECT_EQ(one.Mean(&StreamRun::repeated), 0) << one.spec.ToString();
    }
  }
}

TEST(CompareAdvice, WhereEverythingRepeatsLearningWins) {
  for (const KeysIn keys_in : {KeysIn::kRam, KeysIn::kStore}) {
    const Comparison comparison =
        Compared(EverythingRepeats(), std::string(kSome) + ",taf", keys_in);
    const Recommendation made = Recommend(comparison);
    const ComparedFilter& chosen = Find(comparison, made.filter);
    EXPECT_TRUE(chosen.learns) << made.filter;
    EXPECT_THAT(Text(made), Not(HasSubstr("nothing to gain")));
    EXPECT_THAT(Text(made), ContainsRegex("[0-9]+ % of the mistakes of .*, the "
                                          "best that never learns, are "
                                          "repeated: .* times fewer in all"));
    // The engineer's number: all queries, then members and mistakes alone.
    EXPECT_EQ(made.saved.queries, 124'000);
    EXPECT_NEAR(made.saved.reads,
                kMembers + chosen.Mean(&StreamRun::first_time) +
                    chosen.Mean(&StreamRun::repeated),
                1e-6);
    EXPECT_EQ(made.saved.reads - made.saved.wasted, kMembers);
    EXPECT_GT(made.rival_wasted, 3 * made.saved.wasted);
    EXPECT_THAT(made.words.front(), HasSubstr("reads fall from 124,000 to "));
    EXPECT_THAT(made.words.front(),
                HasSubstr(made.rival + ", the best that never learns, wastes " +
                          ReadableCount(made.rival_wasted)));
  }
}

TEST(CompareAdvice, AllMemoryCountsWhereKeysAreInRam) {
  constexpr double kBits = 12.6;
  const QueryStream stream = EverythingRepeats();
  const Comparison comparison = Compared(stream, "all", KeysIn::kRam, kBits);
  for (const ComparedFilter& one : comparison.filters) {
    EXPECT_LE(one.TotalBitsPerKey(), kBits * 1.03) << one.spec.ToString();
    EXPECT_FALSE(one.reads_to_learn) << one.spec.ToString();
  }
  std::set<std::string> unfit;
  for (const UnfitFilter& one : comparison.unfit) {
    unfit.insert(one.wanted.name());
    if (one.min_bits_per_key) {
      EXPECT_GT(*one.min_bits_per_key, kBits) << one.wanted.ToString();
    }
  }
  for (const char* mirrored : {"taf", "exaf", "cyclic", "cuckooing"}) {
    EXPECT_TRUE(unfit.contains(mirrored)) << mirrored;
  }
  // What it needs in all is what it then fits.
  const auto cuckooing = std::ranges::find_if(
      comparison.unfit,
      [](const auto& one) { return one.wanted.name() == "cuckooing"; });
  const double least = *cuckooing->min_bits_per_key;
  EXPECT_GT(least, 130);
  EXPECT_EQ(
      Compared(stream, "cuckooing", KeysIn::kRam, least + 1).filters.size(),
      1u);
  EXPECT_TRUE(
      Compared(stream, "cuckooing", KeysIn::kRam, least - 1).filters.empty());
  EXPECT_THAT(Text(Recommend(comparison)),
              HasSubstr("all memory of the process counts"));
}

TEST(CompareAdvice, AStoreSparesTheMirrorOfThoseThatCanAskIt) {
  const Comparison comparison =
      Compared(EverythingRepeats(), "all", KeysIn::kStore, 18);
  std::set<std::string> compared;
  for (const ComparedFilter& one : comparison.filters) {
    compared.insert(one.spec.name());
    const std::string& kind = one.spec.name();
    const bool asks =
        kind == "taf" || kind == "exaf" || kind == "utaf" || kind == "tamis";
    EXPECT_EQ(one.reads_to_learn, asks) << one.spec.ToString();
    if (asks) {
      EXPECT_EQ(one.slow_bits_per_key, 0) << one.spec.ToString();
    }
  }
  for (const char* asks : {"taf", "exaf", "tamis"}) {
    EXPECT_TRUE(compared.contains(asks)) << asks;
  }
  for (const char* keeps : {"cyclic", "swapping", "cuckooing"}) {
    EXPECT_FALSE(compared.contains(keeps)) << keeps;
  }
  const Recommendation made = Recommend(comparison);
  EXPECT_THAT(Text(made), HasSubstr("a store sorted by hash has the keys"));
  if (Find(comparison, made.filter).reads_to_learn) {
    const Condition* ram = FindCondition(made, "the keys are only in RAM");
    ASSERT_NE(ram, nullptr);
    EXPECT_FALSE(Find(comparison, ram->filter).reads_to_learn);
  }
}

// The sentence on growth is of a filter that has grown, which is worse than one
// made to size, and its figures can be had again.
TEST(CompareAdvice, GrowthIsQuotedOfAFilterThatHasGrown) {
  const QueryStream stream = NothingRepeats();
  const Comparison comparison =
      Compared(stream, "rsqf,infini:threshold=0.95,infini-growing,tamis");
  const Recommendation made = Recommend(comparison);
  const Condition* grows =
      FindCondition(made, "nobody knows how large the set becomes");
  ASSERT_NE(grows, nullptr);
  const auto quoted = std::ranges::find_if(
      comparison.grown,
      [&](const auto& one) { return one.spec.ToString() == grows->filter; });
  ASSERT_NE(quoted, comparison.grown.end());
  EXPECT_EQ(quoted->from_keys, kMembers / 1000);
  const HashedStream hashed(stream, 1);
  AnyFilter again = AnyFilter::Create(quoted->spec, {.keys = quoted->from_keys,
                                                     .hasher = hashed.hasher})
                        .value();
  ASSERT_TRUE(again.InsertEach(hashed.members).ok());
  const StreamRun run = RunStream(again, hashed).value();
  EXPECT_EQ(run.fpr(), quoted->run.fpr());
  EXPECT_THAT(grows->why, HasSubstr("grown from 4 to 4,000 keys it makes"));
  EXPECT_THAT(grows->why, HasSubstr(fmt::format("{:.3g} %", 100 * run.fpr())));
  // The same filter made for all keys at once is better.
  for (const ComparedFilter& one : comparison.filters) {
    if (one.spec.name() != quoted->spec.name()) continue;
    EXPECT_LT(one.MeanFpr(), run.fpr());
  }
}

TEST(CompareAdvice, AnAttackerGetsTheLeastOutOfTheOneThatIsNamed) {
  const Comparison comparison = Compared(
      EverythingRepeats(), "rsqf,cached(rsqf),taf,exaf", KeysIn::kStore);
  const Recommendation made = Recommend(comparison);
  const Condition* attacked =
      FindCondition(made, "somebody chooses the queries");
  ASSERT_NE(attacked, nullptr);
  const ComparedFilter& named = Find(comparison, attacked->filter);
  ASSERT_TRUE(named.attack);
  for (const ComparedFilter& one : comparison.filters) {
    if (!one.learns) {
      EXPECT_FALSE(one.attack) << "it would pass all again";
      continue;
    }
    ASSERT_TRUE(one.attack);
    EXPECT_GT(one.attack->passed, 0u);
    EXPECT_LE(one.attack->still, one.attack->passed);
    EXPECT_GE(one.attack->still, named.attack->still);
  }
  EXPECT_LT(named.attack->ShareStill(), 0.5);
  EXPECT_THAT(attacked->why, HasSubstr("--hash siphash"));
  // A cache of a few keys is no answer to somebody who has many.
  const auto cached = std::ranges::find_if(
      comparison.filters,
      [](const auto& one) { return one.spec.name() == "cached"; });
  EXPECT_GT(cached->attack->ShareStill(), 0.5);
}

TEST(CompareAdvice, WhereNoneHoldsOutNoneIsNamed) {
  const Recommendation made =
      Recommend(Compared(EverythingRepeats(), "rsqf,cached(rsqf)"));
  const Condition* attacked =
      FindCondition(made, "somebody chooses the queries");
  ASSERT_NE(attacked, nullptr);
  EXPECT_EQ(attacked->filter, "");
  EXPECT_THAT(attacked->Sentence(), HasSubstr("none of these will do (those "
                                              "that hold out"));
}

TEST(CompareAdvice, FiltersThatNeverLearnPassAllAgain) {
  const QueryStream stream = NothingRepeats();
  const HashedStream hashed(stream, 1);
  AnyFilter filter =
      AnyFilter::Create("rsqf:r=6", {.keys = kMembers, .hasher = hashed.hasher})
          .value();
  ASSERT_TRUE(filter.BulkLoad(hashed.members).ok());
  const AttackResult result = Attack(filter, hashed, KeysIn::kRam).value();
  EXPECT_GT(result.passed, 100u);
  EXPECT_EQ(result.still, result.passed);
}

TEST(CompareAdvice, ASetThatNeverChangesMayHaveAStaticFilter) {
  const Comparison comparison =
      Compared(NothingRepeats(), "blocked,fuse", KeysIn::kRam, 11.5);
  const Recommendation made = Recommend(comparison);
  EXPECT_THAT(made.filter, ::testing::StartsWith("blocked"));
  const Condition* never = FindCondition(made, "the set never changes");
  ASSERT_NE(never, nullptr);
  EXPECT_EQ(never->filter, "fuse:f=8");
  EXPECT_LT(Find(comparison, "fuse:f=8").MeanFpr(),
            Find(comparison, made.filter).MeanFpr());
}

TEST(CompareAdvice, ErasingIsOfferedByOneThatCan) {
  const Comparison comparison =
      Compared(NothingRepeats(), "bloom,rsqf", KeysIn::kRam, 8.9);
  const Recommendation made = Recommend(comparison);
  const Condition* erases = FindCondition(made, "keys must be erased");
  if (Find(comparison, made.filter).capabilities.erase) {
    EXPECT_EQ(erases, nullptr);
  } else {
    ASSERT_NE(erases, nullptr);
    EXPECT_TRUE(erases->filter.empty() ||
                Find(comparison, erases->filter).capabilities.erase);
  }
}

TEST(CompareAdvice, TheSizeToTakeWastesNoMoreThanAHundredth) {
  const QueryStream stream = NothingRepeats();
  std::vector<SweepPoint> points;
  for (const double bits : {6.0, 10.0, 14.0, 18.0}) {
    Comparison comparison = Compared(stream, "bloom,rsqf", KeysIn::kRam, bits);
    Recommendation made = Recommend(comparison);
    points.push_back({bits, std::move(made), std::move(comparison)});
  }
  const size_t chosen = ChooseSize(points);
  EXPECT_LE(points[chosen].recommendation.saved.wasted, 0.01 * kMembers);
  ASSERT_GT(chosen, 0u);
  EXPECT_GT(points[chosen - 1].recommendation.saved.wasted, 0.01 * kMembers);
  EXPECT_THAT(AboutSizes(points, chosen),
              ::testing::StartsWith(fmt::format("Take {} bits a key: ",
                                                points[chosen].bits_per_key)));
}

TEST(CompareAdvice, SizesAreReadAsTheyAreWritten) {
  EXPECT_EQ(ParseBits("12.6").value(), std::vector<double>{12.6});
  EXPECT_EQ(ParseBits("8..11").value(), (std::vector<double>{8, 9, 10, 11}));
  EXPECT_EQ(ParseBits("8..12:2").value(), (std::vector<double>{8, 10, 12}));
  EXPECT_EQ(ParseBits("16,8,8").value(), (std::vector<double>{8, 16}));
  for (const char* wrong : {"abc", "8..", "..8", "20..8", "8..20:0", "8..9:x",
                            "1..1000", "", "8,,9"}) {
    EXPECT_FALSE(ParseBits(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace tamis::tools
