// Recommendations, from comparisons made by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/compare/recommend.h"

namespace tamis::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A filter with the given false positives in 100'000 negatives, one per seed.
ComparedFilter Filter(const std::string& spec, Capabilities capabilities,
                      const std::vector<uint64_t>& mistakes, double ns) {
  ComparedFilter filter{Spec(spec), Spec(spec), capabilities,       12,
                        0,          {},         LookupTimes{ns, ns}};
  for (const uint64_t count : mistakes) {
    StreamRun run;
    run.queries = run.negatives = 100'000;
    run.first_time = 1;
    run.repeated = count - 1;
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
  EXPECT_THAT(text, HasSubstr("adapting makes 3.6 times fewer"));
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
  EXPECT_THAT(text, HasSubstr("Adapting gives nothing here"));
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
  EXPECT_THAT(Text(Compared({best})), HasSubstr("none of these will do"));
}

TEST(CompareRecommend, NothingFits) {
  EXPECT_EQ(Recommend(Compared({})).filter, "");
  EXPECT_THAT(Text(Compared({})), HasSubstr("give more bits"));
}

}  // namespace
}  // namespace tamis::tools
