// Recommendations, from comparisons made by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/compare/recommend.h"

namespace tamis::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A filter with the given false positives in 100'000 negatives, one per seed.
ComparedFilter Filter(const std::string& spec, Capabilities capabilities,
                      const std::vector<uint64_t>& mistakes, double ns) {
  ComparedFilter filter{Spec(spec), Spec(spec), capabilities,       12, 0,
                        64,         {},         LookupTimes{ns, ns}};
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
  comparison.filters = std::move(filters);
  return comparison;
}

std::string Text(const Comparison& comparison) {
  std::string text;
  for (const std::string& one : Recommend(comparison).words) text += one + "\n";
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
  EXPECT_THAT(text, StartsWith("Take best: 0.25 %"));
  EXPECT_THAT(text, HasSubstr("beyond the noise"));
  EXPECT_THAT(text, HasSubstr("100 % of the mistakes of plain"));
  EXPECT_THAT(text, HasSubstr("best makes 3.6 times fewer in all."));
}

TEST(CompareRecommend, WithinTheNoiseTheFastestWins) {
  const Recommendation answer =
      Recommend(Compared({Filter("best", kAdapts, {200, 600}, 50),
                          Filter("fast", kAdapts, {500, 600}, 10)}));
  EXPECT_EQ(answer.filter, "fast");
  EXPECT_THAT(answer.words[0], HasSubstr("its look-ups are slower"));
}

TEST(CompareRecommend, TheNoiseOfTheOtherCountsToo) {
  const Recommendation answer =
      Recommend(Compared({Filter("best", kAdapts, {400, 400}, 50),
                          Filter("fast", kAdapts, {300, 700}, 10)}));
  EXPECT_EQ(answer.filter, "fast");
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
  EXPECT_THAT(text, HasSubstr("the lowest rate of all."));
}

TEST(CompareRecommend, FewMistakesAreNoise) {
  const Recommendation answer = Recommend(Compared(
      {Filter("best", kAdapts, {2}, 50), Filter("plain", kStatic, {7}, 10)}));
  EXPECT_EQ(answer.filter, "plain");
  EXPECT_THAT(answer.words[0], HasSubstr("same within the noise"));
}

TEST(CompareRecommend, AStaticFilterWinsWhereAdaptingGivesNothing) {
  const std::string text =
      Text(Compared({Filter("best", kAdapts, {200, 600}, 1),
                     Filter("plain", kStatic, {500, 600}, 9)}));
  EXPECT_THAT(text, StartsWith("Take plain"));
  EXPECT_THAT(text, HasSubstr("100 % of the mistakes of plain, the best that "
                              "never learns, are repeated, but over this "
                              "stream an adaptive filter was not measurably "
                              "better."));
  EXPECT_THAT(text, Not(HasSubstr("last fifth")));
}

TEST(CompareRecommend, TheRatioIsThatOfTheRecommendedFilter) {
  const std::string text =
      Text(Compared({Filter("best", kAdapts, {200, 600}, 50),
                     Filter("fast", kAdapts, {450, 550}, 10),
                     Filter("plain", kStatic, {1500, 1500}, 5)}));
  EXPECT_THAT(text, StartsWith("Take fast"));
  EXPECT_THAT(text, HasSubstr("fast makes 3.0 times fewer"));
}

TEST(CompareRecommend, WithoutMistakesThereIsNothingToRepeat) {
  const auto text = [](uint64_t mistakes) {
    return Text(Compared({Filter("plain", kStatic, {mistakes}, 5),
                          Filter("learns", kAdapts, {mistakes}, 10)}));
  };
  EXPECT_THAT(text(0), HasSubstr("There was no mistake of plain"));
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
  EXPECT_THAT(text({200, 90, 60, 40, 20}),
              HasSubstr("In the last fifth of the stream best was at 2 % and "
                        "still falling, plain at 8 %: on a longer stream take "
                        "best."));
  EXPECT_THAT(text({200, 90, 60, 20, 20}),
              HasSubstr("best was at 2 %, plain at 8 %"));
  EXPECT_THAT(text({200, 90, 60, 70, 72}), Not(HasSubstr("last fifth")));
  EXPECT_THAT(text({20, 20}), Not(HasSubstr("last fifth")));
}

TEST(CompareRecommend, MemoryBesideTheFilterIsNamedAndAvoidedBeforeSpeed) {
  ComparedFilter mirrored = Filter("swapping:f=11", kAdapts, {200, 600}, 1);
  mirrored.slow_bits_per_key = 139.62;
  EXPECT_THAT(Text(Compared({mirrored})),
              HasSubstr("at 12.00 bits a key and 139.6 bits a key of slow "
                        "memory beside it (for the keys' hashes)"));
  const std::string text =
      Text(Compared({mirrored, Filter("small", kAdapts, {500, 600}, 9)}));
  EXPECT_THAT(text, StartsWith("Take small"));
  EXPECT_THAT(text, HasSubstr("but needs 139.6 bits a key of slow memory"));
}

// What has the memory anyway need not do without learning.
TEST(CompareRecommend, OfFiltersWithMemoryBesideThemTheLowestRateWins) {
  ComparedFilter learns = Filter("learns", kAdapts, {200, 600}, 50);
  ComparedFilter mirrored = Filter("mirrored", kStatic, {400, 600}, 10);
  learns.slow_bits_per_key = mirrored.slow_bits_per_key = 128;
  EXPECT_THAT(Text(Compared({learns, mirrored})), StartsWith("Take learns: "));
  const ComparedFilter plain = Filter("plain", kStatic, {500, 600}, 90);
  EXPECT_THAT(Text(Compared({learns, mirrored, plain})),
              StartsWith("Take plain: "));
}

TEST(CompareRecommend, MemoryThatIsThereAnywayIsForLearning) {
  ComparedFilter learns = Filter("learns", kAdapts, {410, 600}, 50);
  ComparedFilter mirrored = Filter("mirrored", kStatic, {400, 600}, 10);
  learns.slow_bits_per_key = mirrored.slow_bits_per_key = 128;
  const std::string text = Text(Compared({mirrored, learns}));
  EXPECT_THAT(text, StartsWith("Take learns: "));
  EXPECT_THAT(text,
              HasSubstr("mirrored has 0.5 %, which is the same within the "
                        "noise, but never learns."));
  EXPECT_THAT(text, HasSubstr("learns makes about as many in all."));
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

ComparedFilter Cached(const std::vector<uint64_t>& mistakes) {
  ComparedFilter filter = Filter("plain", kAdapts, mistakes, 1);
  filter.spec = Spec::Parse("cached(bloom):entries=8").value();
  return filter;
}

TEST(CompareRecommend, CachesAreNamedForThoseWithoutMemoryBeside) {
  ComparedFilter best = Filter("best", kAdapts, {1, 2}, 1);
  best.slow_bits_per_key = 128;
  const ComparedFilter plain = Filter("plain", kStatic, {500, 600}, 9);
  EXPECT_THAT(Text(Compared({best, Cached({20, 30}), plain})),
              HasSubstr("for its keys, take plain (0.55 %). "
                        "cached(bloom):entries=8 was lower still (0.025 %)"));
  EXPECT_THAT(Text(Compared({best, Cached({499, 600}), plain})),
              Not(HasSubstr("lower still")));
}

TEST(CompareRecommend, CachesAreNamedButNeverRecommended) {
  const std::string text = Text(Compared(
      {Cached({10, 12}), Filter("cuckoo:f=11", kErases, {500, 600}, 9)}));
  EXPECT_THAT(text, StartsWith("Take cuckoo:f=11"));
  EXPECT_THAT(text, HasSubstr("of all but those that are only there to compare "
                              "with"));
  EXPECT_THAT(text, HasSubstr("cached(bloom):entries=8 was lower still (0.011 "
                              "%): that is a cache of mistakes"));
  EXPECT_THAT(Text(Compared({Cached({499, 600}),
                             Filter("cuckoo:f=11", kErases, {500, 600}, 9)})),
              Not(HasSubstr("lower still")));
  EXPECT_THAT(Text(Compared({Cached({10})})),
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
  EXPECT_THAT(text,
              HasSubstr("12.00 bits a key; no other filter was compared."));
  EXPECT_THAT(text, EndsWith("tamis build KEYS -o FILTER.tamis --filter "
                             "bloom:bits=12 --slots 64\n"));
}

TEST(CompareRecommend, OtherNeedsHaveOtherAnswers) {
  ComparedFilter best = Filter("best", kAdapts, {100, 100}, 1);
  best.slow_bits_per_key = 128;
  const std::string text =
      Text(Compared({best, Filter("erases", kErases, {500, 600}, 9),
                     Filter("chain", kGrows, {700, 700}, 9),
                     Filter("infini", kGrows, {800, 900}, 9)}));
  EXPECT_THAT(text, HasSubstr("erased, take erases"));
  EXPECT_THAT(text, HasSubstr("becomes, take infini"));
  EXPECT_THAT(text, HasSubstr("for its keys, take erases"));
  Comparison small = Compared({best});
  EXPECT_THAT(Text(small), HasSubstr("becomes, none of these will do.\n"));
  small.unfit.push_back({Spec("infini"), 8.701, "too large"});
  EXPECT_THAT(Text(small), HasSubstr("becomes, none of these will do. infini "
                                     "can from 8.71 bits a key on.\n"));
}

TEST(CompareRecommend, NothingFits) {
  EXPECT_EQ(Recommend(Compared({})).filter, "");
  EXPECT_THAT(Text(Compared({})), HasSubstr("give more bits"));
}

}  // namespace
}  // namespace tamis::tools
