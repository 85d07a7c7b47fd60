// What a comparison made by hand looks like in tables, charts and notes.

#include "tools/compare/compare_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "tools/compare/compare_notes.h"
#include "tools/compare/compare_tables.h"
#include "tools/compare/compare_text.h"

namespace tamis::tools {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A filter with these mistakes in the windows of its stream, under each seed.
ComparedFilter Filter(const std::string& spec, bool adapts,
                      const std::vector<uint64_t>& mistakes,
                      uint64_t seeds = 1) {
  StreamRun run;
  for (const uint64_t count : mistakes) {
    run.queries += 1'000;
    run.negatives += 1'000;
    run.first_time += count;
    run.windows.push_back({run.queries, 1'000, count});
  }
  ComparedFilter filter{.wanted = Spec(spec),
                        .spec = Spec(spec),
                        .capabilities = {},
                        .bits_per_key = 12,
                        .learns = adapts,
                        .runs = {},
                        .times = {},
                        .attack = {}};
  filter.runs.assign(seeds, run);
  return filter;
}

Comparison Reported(std::vector<ComparedFilter> filters, uint64_t seeds = 1) {
  Comparison comparison;
  comparison.budget = {1, 12};
  comparison.queries = comparison.negatives = 2'000;
  comparison.different_keys = 5;
  comparison.seeds = comparison.wanted_seeds = seeds;
  comparison.filters = std::move(filters);
  return comparison;
}

std::vector<std::string> NamesInChart(const Comparison& comparison) {
  std::vector<std::string> names;
  const std::vector<Section> sections =
      SectionsOf(comparison, {}, {}, "source");
  for (const auto& series : sections.front().findings.charts.at(0).series) {
    names.push_back(series.name);
  }
  return names;
}

std::string ReportText(const Comparison& comparison) {
  std::ostringstream out;
  PrintComparison(comparison, {}, "source", {}, out);
  return out.str();
}

TEST(CompareReport, EqualFiltersShareALineOfTheChart) {
  EXPECT_THAT(NamesInChart(Reported({Filter("a", true, {21, 0}),
                                     Filter("b", true, {0, 21}),
                                     Filter("c", true, {21, 0})})),
              ElementsAre("a and c", "b"));
}

TEST(CompareReport, TheChartHasTheBestAndTheBestThatNeverLearns) {
  std::vector<ComparedFilter> filters;
  for (uint64_t i = 1; i <= 8; ++i) {
    filters.push_back(Filter("f" + std::to_string(i), true, {20 + i, 0}));
  }
  EXPECT_THAT(NamesInChart(Reported(filters)),
              ElementsAre("f1", "f2", "f3", "f4"));
  filters.push_back(Filter("plain", false, {29, 9}));
  filters.push_back(Filter("worse", false, {30, 9}));
  EXPECT_THAT(NamesInChart(Reported(filters)),
              ElementsAre("f1", "f2", "f3", "plain"));
  filters.push_back(Filter("twin", true, {22, 0}));
  EXPECT_EQ(NamesInChart(Reported(filters))[1], "f2 and twin");
}

TEST(CompareReport, AChartOfAFewMistakesWouldShowTheirLuck) {
  const auto charts = [](uint64_t mistakes) {
    return SectionsOf(Reported({Filter("a", true, {mistakes, 0})}), {}, {}, "s")
        .front()
        .findings.charts.size();
  };
  EXPECT_EQ(charts(19), 0u);
  EXPECT_EQ(charts(20), 1u);
}

TEST(CompareReport, BarsShowTheBestOfEachFamilyAndMarkTheWinner) {
  Recommendation made;
  made.filter = "exaf";
  const auto sections = SectionsOf(
      Reported({Filter("taf", true, {30, 0}), Filter("exaf", true, {40, 0}),
                Filter("rsqf", false, {90, 0})}),
      made, {}, "s");
  const BarChart& chart = sections.front().findings.bars.at(0);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_EQ(chart.bars[0].name, "exaf") << "the one that was chosen";
  EXPECT_EQ(chart.bars[0].group, "telescoping");
  EXPECT_TRUE(chart.bars[0].marked);
  EXPECT_EQ(chart.bars[1].name, "rsqf");
  EXPECT_EQ(chart.bars[1].first, 90);
}

TEST(CompareReport, ColumnsOfZerosAreLeftOut) {
  const auto sections =
      SectionsOf(Reported({Filter("a", true, {30, 0})}), {}, {}, "s");
  const auto& columns = sections.back().findings.tables.front().columns;
  EXPECT_THAT(columns, Contains("FPR %"));
  EXPECT_THAT(columns, Not(Contains("resets")));
  EXPECT_THAT(columns, Not(Contains("ns")));
}

TEST(CompareReport, TheWinnerIsMarkedAndColouredOnATerminal) {
  const Comparison comparison =
      Reported({Filter("taf", true, {1, 0}), Filter("exaf", true, {2, 0}),
                Filter("rsqf", false, {9, 0})});
  Recommendation made;
  made.filter = "taf";
  made.words = {"Take taf."};
  const auto text = [&](const TextStyle& style) {
    std::ostringstream out;
    PrintComparison(comparison, made, "source", style, out);
    return out.str();
  };
  EXPECT_THAT(text({}), HasSubstr("\n* taf "));
  EXPECT_THAT(text({}), Not(HasSubstr("exaf"))) << "not the best of its family";
  EXPECT_THAT(text({}), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(text({.all_rows = true}), HasSubstr("  exaf "));
  EXPECT_THAT(text({.colour = true}), HasSubstr("\x1b[1;32m* taf "));
}

TEST(CompareReport, LinesAreAsLongAsTheTerminalIsWide) {
  Recommendation made;
  made.words = {std::string("word ") + std::string(300, 'x')};
  for (int i = 0; i < 60; ++i) made.words.front() += " word";
  for (const size_t columns : {size_t{70}, size_t{120}}) {
    std::ostringstream out;
    PrintComparison(Reported({}), made, "s", {.columns = columns}, out);
    size_t longest = 0;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      if (line.find("word word") != std::string::npos) {
        longest = std::max(longest, line.size());
      }
    }
    EXPECT_LE(longest, columns);
    EXPECT_GT(longest, columns - 10);
  }
}

TEST(CompareReport, NoSectionRepeatsATitle) {
  const auto sections =
      SectionsOf(Reported({Filter("a", true, {30, 0})}), {}, {}, "s");
  std::vector<std::string> titles;
  for (const Section& section : sections) {
    titles.push_back(section.title);
    for (const auto& one : section.findings.tables) titles.push_back(one.title);
    for (const auto& one : section.findings.charts) titles.push_back(one.title);
  }
  std::sort(titles.begin(), titles.end());
  EXPECT_EQ(std::unique(titles.begin(), titles.end()), titles.end());
}

TEST(CompareReport, OneSeedHasNoSpread) {
  EXPECT_EQ(ShortTable(Reported({Filter("a", true, {1, 0})})).rows[0][3], "-");
  EXPECT_EQ(ShortTable(Reported({Filter("a", true, {1, 0}, 2)}, 2)).rows[0][3],
            "0.0000");
  EXPECT_THAT(ReportText(Reported({Filter("a", true, {1, 0})})),
              Not(HasSubstr("+/- is")));
  EXPECT_THAT(ReportText(Reported({Filter("a", true, {1, 0}, 2)}, 2)),
              HasSubstr("+/- is"));
}

TEST(CompareReport, CountsAreWholeAndInTheRightNumber) {
  EXPECT_THAT(NotesOnInput(Reported({Filter("a", true, {1, 0})})),
              Contains(AllOf(HasSubstr("1 key in the set, 2000 queries"),
                             HasSubstr("5 different keys in all"))));
  const auto first_note = [](const std::vector<uint64_t>& mistakes,
                             uint64_t seeds) {
    return NotesOnInput(Reported({Filter("a", true, mistakes, seeds)}, seeds))
        .at(1);
  };
  EXPECT_THAT(first_note({0, 0}, 1), HasSubstr("a makes no mistake in it"));
  EXPECT_THAT(first_note({1, 0}, 1), HasSubstr("a makes 1 mistake in it"));
  EXPECT_THAT(first_note({1, 0}, 3), HasSubstr("a makes 3 mistakes in 3 runs"));
}

}  // namespace
}  // namespace tamis::tools
