// Recommendations, from comparisons made by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/common/readable.h"
#include "tools/compare/recommend.h"

namespace tamis::tools {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A filter with the given false positives in 100'000 negatives, one per seed.
ComparedFilter Filter(const std::string& spec, Capabilities capabilities,
                      const std::vector<uint64_t>& mistakes, double ns) {
  const Spec parsed = Spec::Parse(spec).value();
  ComparedFilter filter{.wanted = parsed,
                        .spec = parsed,
                        .capabilities = capabilities,
                        .bits_per_key = 12,
                        .learns = capabilities.adapt,
                        .runs = {},
                        .times = LookupTimes{ns, ns},
                        .attack = {}};
  for (const uint64_t count : mistakes) {
    StreamRun run;
    run.queries = run.negatives = 100'000;
    run.first_time = count == 0 ? 0 : 1;
    run.repeated = count - run.first_time;
    filter.runs.push_back(run);
  }
  return filter;
}

Comparison Compared(std::vector<ComparedFilter> filters) {
  Comparison comparison;
  comparison.budget = {100, 12};
  comparison.queries = 150'000;
  comparison.negatives = 100'000;
  comparison.filters = std::move(filters);
  return comparison;
}

std::string Text(const Comparison& comparison) {
  std::string text;
  for (const std::string& one : Recommend(comparison).Sentences()) {
    text += one + "\n";
  }
  return text;
}

// Gives each of the filter's runs these mistakes in 1'000 queries a window.
ComparedFilter Along(ComparedFilter filter,
                     const std::vector<uint64_t>& mistakes) {
  for (StreamRun& run : filter.runs) {
    for (const uint64_t count : mistakes) {
      run.windows.push_back({0, 1'000, count});
    }
  }
  return filter;
}

constexpr Capabilities kStatic = {};
constexpr Capabilities kAdapts = {.adapt = true};
constexpr Capabilities kErases = {.erase = true};
constexpr Capabilities kGrows = {.erase = true, .expand = true};

TEST(CompareRecommend, TheLowestRateWins) {
  const std::string text =
      Text(Compared({Filter("best", kAdapts, {200, 300}, 50),
                     Filter("next", kAdapts, {500, 600}, 10),
                     Filter("plain", kStatic, {900, 900}, 5)}));
  EXPECT_THAT(text, StartsWith("Take best: reads fall from 150,000 to 50,250, "
                               "of which 250 are wasted on absent keys (0.25 "
                               "% of the queries of them); plain, the best "
                               "that never learns, wastes 900.\n"));
  EXPECT_THAT(text, HasSubstr("beyond the noise"));
  EXPECT_THAT(text, HasSubstr("100 % of the mistakes of plain"));
  EXPECT_THAT(text, HasSubstr("best makes 3.6 times fewer in all."));
}

TEST(CompareRecommend, WithinTheNoiseTheFastestWins) {
  const Recommendation answer =
      Recommend(Compared({Filter("best", kAdapts, {200, 600}, 50),
                          Filter("fast", kAdapts, {500, 600}, 10)}));
  EXPECT_EQ(answer.filter, "best") << "of those that learn the lowest rate";
  EXPECT_EQ(Recommend(Compared({Filter("best", kStatic, {200, 600}, 50),
                                Filter("fast", kStatic, {500, 600}, 10)}))
                .filter,
            "fast");
}

TEST(CompareRecommend, TheNoiseOfTheOtherCountsToo) {
  const Recommendation answer =
      Recommend(Compared({Filter("best", kStatic, {400, 400}, 50),
                          Filter("fast", kStatic, {300, 700}, 10)}));
  EXPECT_EQ(answer.filter, "fast");
  EXPECT_THAT(answer.words[2], HasSubstr("its look-ups are slower"));
}

// A filter that makes hundreds of times as many mistakes is not as good, though
// one of its seeds had none.
TEST(CompareRecommend, LuckySeedsDoNotMakeAWideRangeAsGood) {
  const auto answer = [](std::vector<uint64_t> best,
                         std::vector<uint64_t> wide) {
    return Recommend(Compared({Filter("best", kAdapts, best, 50),
                               Filter("wide", kStatic, wide, 10)}))
        .filter;
  };
  EXPECT_EQ(answer({0, 1, 0}, {0, 300, 12}), "best");
  EXPECT_EQ(answer({100, 110, 90}, {90, 600, 120}), "best");
  EXPECT_EQ(answer({100, 110, 90}, {90, 250, 120}), "best");
  EXPECT_EQ(answer({100, 110, 90}, {90, 200, 120}), "wide") << "1.37 times";
  EXPECT_EQ(answer({1000, 1010, 990}, {1020, 1900, 1200}), "best")
      << "no overlap";
  EXPECT_EQ(answer({100, 110, 90}, {190, 199, 181}), "best") << "each is worse";
}

TEST(CompareRecommend, MoreSeedsSeeSmallerDifferences) {
  std::vector<uint64_t> best;
  std::vector<uint64_t> other;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    best.push_back(1000 + 200 * (seed % 3));
    other.push_back(1300 + 200 * (seed % 2));
  }
  const auto answer = [&](size_t seeds) {
    return Recommend(
               Compared({Filter("best", kAdapts,
                                {best.begin(), best.begin() + seeds}, 50),
                         Filter("other", kStatic,
                                {other.begin(), other.begin() + seeds}, 10)}))
        .filter;
  };
  EXPECT_EQ(answer(3), "other");
  EXPECT_EQ(answer(12), "best");
}

TEST(CompareRecommend, OneSeedHasNoNoiseToSpeakOf) {
  const std::string text = Text(Compared({Filter("best", kAdapts, {200}, 50),
                                          Filter("next", kAdapts, {500}, 10)}));
  EXPECT_THAT(text, HasSubstr("Its rate is the lowest of all."));
}

TEST(CompareRecommend, FewMistakesAreNoise) {
  const Recommendation answer = Recommend(Compared(
      {Filter("best", kAdapts, {2}, 50), Filter("plain", kStatic, {7}, 10)}));
  EXPECT_EQ(answer.filter, "plain");
  EXPECT_THAT(answer.words[2], HasSubstr("same within the noise"));
}

TEST(CompareRecommend, AStaticFilterWinsWhereAdaptingGivesNothing) {
  const std::string text =
      Text(Compared({Filter("best", kAdapts, {200, 600}, 1),
                     Filter("plain", kStatic, {500, 600}, 9)}));
  EXPECT_THAT(text, StartsWith("Take plain"));
  EXPECT_THAT(text, HasSubstr("100 % of the mistakes of plain, the best that "
                              "never learns, are repeated, but over this "
                              "stream a filter that learns was not measurably "
                              "better."));
  EXPECT_THAT(text, Not(HasSubstr("last fifth")));
}

TEST(CompareRecommend, TheRatioIsThatOfTheRecommendedFilter) {
  const std::string text =
      Text(Compared({Filter("best", kAdapts, {450, 550}, 50),
                     Filter("plain", kStatic, {1500, 1500}, 5)}));
  EXPECT_THAT(text, StartsWith("Take best"));
  EXPECT_THAT(text, HasSubstr("best makes 3.0 times fewer"));
}

TEST(CompareRecommend, WithoutMistakesThereIsNothingToRepeat) {
  const auto text = [](uint64_t mistakes) {
    return Text(Compared({Filter("plain", kStatic, {mistakes}, 5),
                          Filter("learns", kAdapts, {mistakes}, 10)}));
  };
  EXPECT_THAT(text(0),
              HasSubstr("plain made no mistake: learning has nothing to gain"));
  EXPECT_THAT(text(1), HasSubstr("No mistake of plain, which never learns, was "
                                 "repeated"));
  EXPECT_THAT(text(0) + text(1), Not(HasSubstr("0 % of the mistakes")));
}

TEST(CompareRecommend, OnALongerStreamALateLearnerIsBetter) {
  const auto text = [](const std::vector<uint64_t>& learner) {
    return Text(
        Compared({Along(Filter("best", kAdapts, {200, 600}, 1), learner),
                  Along(Filter("plain", kStatic, {500, 600}, 9),
                        {80, 80, 80, 80, 80})}));
  };
  EXPECT_THAT(
      text({200, 90, 60, 40, 20}),
      HasSubstr("In the last fifth of the stream best was at 2 %, plain "
                "at 8 %: on a longer stream take that."));
  EXPECT_THAT(text({200, 90, 60, 70, 72}), Not(HasSubstr("last fifth")));
  EXPECT_THAT(text({20, 20}), Not(HasSubstr("last fifth")));
}

TEST(CompareRecommend, AllMemoryIsNamed) {
  ComparedFilter mirrored = Filter("swapping:f=11", kAdapts, {200, 600}, 1);
  mirrored.slow_bits_per_key = 139.62;
  EXPECT_THAT(Text(Compared({mirrored})),
              HasSubstr("It takes 151.62 bits a key in all, as it was assumed "
                        "that the keys are in RAM or nowhere in order: all "
                        "memory of the process counts; 139.62 of them lie "
                        "beside the filter."));
  ComparedFilter asks = Filter("taf:r=8", kAdapts, {200, 600}, 1);
  asks.reads_to_learn = true;
  Comparison stored = Compared({asks});
  stored.keys_in = KeysIn::kStore;
  EXPECT_THAT(Text(stored),
              HasSubstr("It takes 12.00 bits a key in all, as it was assumed "
                        "that a store sorted by hash has the keys: it answers "
                        "for them, and only what lies in the process counts; "
                        "each mistake costs one more read, of the keys that "
                        "collide."));
}

TEST(CompareRecommend, ReadsToLearnAreAvoidedIfNothingIsLost) {
  ComparedFilter asks = Filter("asks", kAdapts, {200, 600}, 1);
  asks.reads_to_learn = true;
  Comparison stored = Compared({asks, Filter("alone", kAdapts, {250, 600}, 9)});
  stored.keys_in = KeysIn::kStore;
  EXPECT_THAT(Text(stored), StartsWith("Take alone"));
  EXPECT_THAT(Text(stored), HasSubstr("but reads the store once more"));
}

// No sentence may say that learning is of no use where one that learns is taken.
TEST(CompareRecommend, SentencesDoNotContradictEachOther) {
  ComparedFilter learns = Filter("learns", kAdapts, {100}, 1);
  ComparedFilter plain = Filter("plain", kStatic, {900}, 1);
  plain.runs[0].first_time = 900;
  plain.runs[0].repeated = 0;
  const std::string text = Text(Compared({learns, plain}));
  EXPECT_THAT(text, StartsWith("Take learns"));
  EXPECT_THAT(text, HasSubstr("learns is taken for its rate alone"));
  EXPECT_THAT(text, Not(HasSubstr("nothing to gain")));
}

TEST(CompareRecommend, WithoutTimesTheLowestRateThatDoesNotGrowIsTaken) {
  const auto timeless = [](ComparedFilter filter) {
    filter.times.reset();
    return filter;
  };
  const std::string text =
      Text(Compared({timeless(Filter("infini", kGrows, {400, 600}, 1)),
                     timeless(Filter("rsqf", kErases, {420, 600}, 1)),
                     timeless(Filter("bloom", kStatic, {430, 600}, 1))}));
  EXPECT_THAT(text, StartsWith("Take rsqf: "));
  EXPECT_THAT(text, HasSubstr("but is made to grow."));
}

TEST(CompareRecommend, StaticFiltersAreForSetsThatNeverChange) {
  const std::string text =
      Text(Compared({Filter("fuse:f=8", kStatic, {10, 12}, 1),
                     Filter("cuckoo:f=11", kErases, {500, 600}, 9)}));
  EXPECT_THAT(text, StartsWith("Take cuckoo:f=11"));
  EXPECT_THAT(text, HasSubstr("If the set never changes, take fuse:f=8 (0.011 "
                              "%, 12.0 bits a key in all, made in one go)."));
  EXPECT_THAT(Text(Compared({Filter("fuse:f=8", kStatic, {10}, 1)})),
              StartsWith("Take fuse:f=8"));
  EXPECT_THAT(Text(Compared({Filter("chain", kGrows, {10}, 1)})),
              StartsWith("No recommendation: all of these"));
}

TEST(CompareRecommend, AnInterruptLeavesNothingToSayOfFiltersThatDidNotRun) {
  Comparison comparison = Compared(
      {Filter("one", kStatic, {10}, 1), Filter("two", kStatic, {90}, 1)});
  comparison.interrupted = true;
  EXPECT_THAT(Text(comparison), StartsWith("Take one, of what has been run: "));
  comparison.not_run = 36;
  EXPECT_EQ(Text(comparison),
            "No recommendation: interrupted after 2 of 38 filters.\n");
  EXPECT_EQ(Recommend(comparison).filter, "");
}

TEST(CompareRecommend, OneFilterIsNotTheLowestOfAll) {
  const std::string text =
      Text(Compared({Filter("bloom:bits=12", kStatic, {10, 20}, 1)}));
  EXPECT_THAT(text, HasSubstr("No other filter was compared."));
  EXPECT_THAT(text, EndsWith("tamis build KEYS -o FILTER.tamis --filter "
                             "bloom:bits=12 --bits-per-key 12\n"));
}

GrownFilter Grown(const std::string& spec, uint64_t mistakes, double bits) {
  GrownFilter grown{.wanted = Spec(spec),
                    .spec = Spec(spec),
                    .from_keys = 1000,
                    .total_bits_per_key = bits,
                    .run = {}};
  grown.run.queries = grown.run.negatives = 100'000;
  grown.run.first_time = mistakes;
  return grown;
}

TEST(CompareRecommend, OtherNeedsHaveOtherAnswers) {
  ComparedFilter best = Filter("best", kAdapts, {100, 100}, 1);
  best.attack =
      AttackResult{.tried = 1'000'000, .passed = 5'000, .still = 4'000};
  ComparedFilter safe = Filter("safe", kAdapts, {900, 900}, 1);
  safe.attack = AttackResult{.tried = 1'000'000, .passed = 6'000, .still = 7};
  Comparison comparison =
      Compared({best, Filter("erases", kErases, {500, 600}, 9),
                Filter("infini", kGrows, {800, 900}, 9), safe});
  // One made to size has 0.85 %; grown ones have what they have.
  comparison.grown = {Grown("infini", 2'200, 11.5), Grown("large", 10, 30),
                      Grown("chain", 5, 9)};
  const std::string text = Text(comparison);
  EXPECT_THAT(text, HasSubstr("If keys must be erased, take erases (0.55 %, "
                              "12.0 bits a key in all)."));
  EXPECT_THAT(
      text, HasSubstr("If nobody knows how large the set becomes, take infini "
                      "(grown from 1,000 to 100 keys it makes 2.2 % at 11.5 "
                      "bits a key in all)."));
  EXPECT_THAT(text,
              HasSubstr("If somebody chooses the queries, take safe (of "
                        "6,000 keys that an attacker got past it, 7 still "
                        "pass when asked again; build it with --hash "
                        "siphash)."));
  EXPECT_THAT(Text(Compared({best})),
              HasSubstr("becomes, none of these will do.\n"));
}

TEST(CompareRecommend, CommandsAreQuotedForAShell) {
  ComparedFilter cached = Filter("rsqf", kAdapts, {1}, 1);
  cached.spec = Spec::Parse("cached(rsqf:r=8):bytes=168").value();
  EXPECT_EQ(Recommend(Compared({cached})).build,
            "tamis build KEYS -o FILTER.tamis --filter "
            "'cached(rsqf:r=8):bytes=168' --bits-per-key 12");
}

TEST(CompareRecommend, CountsAreReadable) {
  EXPECT_EQ(ReadableCount(752), "752");
  EXPECT_EQ(ReadableCount(4914), "4,914");
  EXPECT_EQ(ReadableCount(999'999), "999,999");
  EXPECT_EQ(ReadableCount(5e6), "5.00 million");
}

TEST(CompareRecommend, NothingFits) {
  EXPECT_EQ(Recommend(Compared({})).filter, "");
  EXPECT_THAT(Text(Compared({})), HasSubstr("give more bits"));
}

}  // namespace
}  // namespace tamis::tools
