// The experiments: a name for every figure and table, and the small ones run.
// What they find is not judged here; that they judge is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lab/reproduce/adversary_runs.h"
#include "lab/reproduce/experiment.h"
#include "lab/reproduce/rate_grid.h"
#include "test_data.h"
#include "tools/tool_runner.h"

namespace tamis::tools {
namespace {

const Experiment* FindByName(std::string_view name) {
  for (const Experiment& one : AllExperiments()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

TEST(Reproduce, NamesAreUniqueAndMakeFileNames) {
  std::set<std::string_view> names;
  for (const Experiment& one : AllExperiments()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_THAT(std::string(one.name), testing::MatchesRegex("[a-z0-9-]+"));
    EXPECT_FALSE(one.source.empty()) << one.name;
    EXPECT_FALSE(one.title.empty()) << one.name;
    EXPECT_NE(one.run, nullptr) << one.name;
  }
}

// A quick run takes fewer ratios: only the experiment knows which.
TEST(Reproduce, TitlesLeaveRangesToTheRun) {
  for (const Experiment& one : AllExperiments()) {
    EXPECT_THAT(std::string(one.title),
                testing::Not(testing::ContainsRegex("= [0-9]+ to ")));
  }
  const std::vector<uint64_t> few = {5, 20, 30};
  const std::vector<uint64_t> many = {2, 5, 10, 20, 80};
  EXPECT_EQ(ScopeOf(few), "A/S = 5, 20, 30");
  EXPECT_EQ(ScopeOf(many), "A/S = 2 to 80");
}

TEST(Reproduce, EveryFigureAndTableHasAName) {
  for (const std::string_view name :
       {"taf-figure-2-active", "taf-figure-2-powerlaw",  "taf-figure-3",
        "taf-figure-4-trace",  "taf-figure-4-adversary", "taf-figure-5",
        "thesis-figure-6-4",   "thesis-figure-6-5",      "thesis-figure-6-9",
        "acf-figure-1",        "bloom-figure-4",         "bloom-figure-5",
        "bloom-figure-6",      "bloom-figure-7",         "bloom-figure-8",
        "bloom-figure-9",      "bloom-figure-10",        "bloom-table-2",
        "infini-figure-1",     "infini-figure-13",       "infini-figure-14",
        "infini-figure-15",    "infini-figure-16",       "infini-tables-2-3"}) {
    EXPECT_NE(FindByName(name), nullptr) << name;
  }
}

TEST(Reproduce, TheGuideHasEveryName) {
  const std::string guide =
      Contents(TAMIS_TEST_DATA_DIR "/../../docs/guide/reproducing.md");
  for (const Experiment& one : AllExperiments()) {
    EXPECT_THAT(guide, testing::HasSubstr("| `" + std::string(one.name) + "`" +
                                          (one.timed ? " (timed) |" : " |")));
  }
}

TEST(Reproduce, TheListFitsATerminal) {
  const ToolRun run = RunForTest({"reproduce", "list"});
  ASSERT_EQ(run.exit_status, kExitOk) << run.err;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
  }
  for (const Experiment& one : AllExperiments()) {
    EXPECT_THAT(run.out, testing::HasSubstr(std::string(one.source)));
  }
}

TEST(Reproduce, EveryFigureOfTheThesisHasASource) {
  for (const std::string figure :
       {"6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.9"}) {
    const auto all = AllExperiments();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Experiment& one) {
      return one.source.find("thesis") != std::string_view::npos &&
             one.source.find(figure) != std::string_view::npos;
    })) << figure;
  }
}

TEST(Reproduce, TimedExperimentsAreMarked) {
  for (const std::string_view name : {"taf-figure-5", "thesis-figure-6-9"}) {
    ASSERT_NE(FindByName(name), nullptr);
    EXPECT_TRUE(FindByName(name)->timed) << name;
  }
}

// Says whether a report can be made of it.
void CheckForm(const Findings& findings) {
  EXPECT_FALSE(findings.claims.empty());
  for (const Claim& claim : findings.claims) {
    EXPECT_FALSE(claim.text.empty());
    EXPECT_EQ(claim.paper.words.empty(), claim.paper.place.empty())
        << claim.text;
    EXPECT_TRUE(claim.limit.from != Limit::From::kPaper ||
                !claim.paper.words.empty())
        << claim.text << ": a paper's limit without its words";
    EXPECT_FALSE(claim.limit.text.empty()) << claim.text;
    EXPECT_FALSE(claim.ours.empty()) << claim.text;
  }
  for (const ResultTable& table : findings.tables) {
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.size(), table.columns.size()) << table.title;
    }
  }
  for (const Chart& chart : findings.charts) {
    for (const ChartSeries& series : chart.series) {
      EXPECT_TRUE(std::is_sorted(
          series.points.begin(), series.points.end(),
          [](const auto& a, const auto& b) { return a.x < b.x; }))
          << chart.title << ", " << series.name;
      for (const ChartPoint& point : series.points) {
        EXPECT_TRUE(std::isfinite(point.y)) << series.name;
        EXPECT_LE(point.low, point.high) << series.name;
      }
    }
  }
}

TEST(Reproduce, SmallExperimentsRunAndJudge) {
  for (const std::string_view name : {"taf-selectors", "acf-theorem-12"}) {
    const Experiment* one = FindByName(name);
    ASSERT_NE(one, nullptr) << name;
    const Result<Findings> findings = one->run({});
    ASSERT_TRUE(findings.ok()) << findings.status().ToString();
    CheckForm(*findings);
  }
}

TEST(ReproduceLong, AllExperimentsRunAndJudge) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) GTEST_SKIP();
  for (const Experiment& one : AllExperiments()) {
    const Result<Findings> findings = one.run({});
    ASSERT_TRUE(findings.ok()) << findings.status().ToString();
    CheckForm(*findings);
  }
}

TEST(AdversaryRuns, AStaticFilterNeverEmptiesQ) {
  const AdversarySetup setup{.slots = 512, .ratio = 20, .seed = 3, .runs = 2};
  const auto course = PlayAdversary("cuckoo:f=8,k=4,b=1", setup);
  ASSERT_TRUE(course.ok()) << course.status().ToString();
  EXPECT_EQ(course->emptied, 0);
  EXPECT_FALSE(course->AlwaysEmptyAfter(kAdversaryRounds));
  EXPECT_EQ(course->rounds[0].queue_share, 20);
  // What errs once errs always: Q stays, and all of it errs in all subrounds.
  EXPECT_EQ(course->rounds[1].queue_share, course->final_share);
  EXPECT_EQ(course->last_element_wise, 1);
  EXPECT_EQ(course->rounds.back().overall, 1);
}

TEST(AdversaryRuns, AnAdaptiveFilterEmptiesASmallQ) {
  const AdversarySetup setup{.slots = 512, .ratio = 5, .seed = 3, .runs = 3};
  const auto course = PlayAdversary("taf:r=8", setup);
  ASSERT_TRUE(course.ok()) << course.status().ToString();
  EXPECT_TRUE(course->AlwaysEmptyAfter(2)) << course->empty_after;
  EXPECT_EQ(course->final_share, 0);
  EXPECT_EQ(course->last_element_wise, 0);
  for (const auto& round : course->rounds) {
    EXPECT_LE(round.lowest_share, round.queue_share);
    EXPECT_GE(round.highest_share, round.queue_share);
  }
}

// 2000 keys, each asked four times, and a set of others.
QueryStream SmallStream() {
  StreamBuilder builder;
  for (int pass = 0; pass < 4; ++pass) {
    for (uint64_t i = 0; i < 2000; ++i) builder.AddQuery(IdentityOf(i));
  }
  return std::move(builder).Finish().value();
}

GridPlan SmallPlan() {
  return {.ratios = {2, 4},
          .seed = 5,
          .seeds = 2,
          .set_members = [](QueryStream& stream, uint64_t ratio) {
            stream.keys.resize(2000);
            stream.member.assign(2000, false);
            stream.num_members = 2000 / ratio;
            for (uint64_t i = 0; i < stream.num_members; ++i) {
              stream.keys.push_back(IdentityOf(1'000'000 + i));
              stream.member.push_back(true);
            }
          }};
}

TEST(RateGrid, GivesEveryFilterTheSameMemory) {
  QueryStream stream = SmallStream();
  const auto grid =
      MeasureGrid(SmallPlan(), GridMemory::kEqual, stream, [](double) {});
  ASSERT_TRUE(grid.ok()) << grid.status().ToString();
  ASSERT_EQ(grid->cells.size(), 2u);
  for (const auto& row : grid->cells) {
    for (const RateCell& cell : row) {
      EXPECT_LE(cell.bits_per_key, 1.01 * kHonestBitsPerKey) << cell.spec;
      EXPECT_LE(cell.low, cell.fpr);
      EXPECT_GE(cell.high, cell.fpr);
      EXPECT_LE(cell.repeated, 1);
    }
  }
}

TEST(RateGrid, ComparesRatesOverARange) {
  RateGrid grid{.ratios = {1, 10, 20}, .cells = {}};
  for (const double factor : {8.0, 2.0, 0.5}) {
    auto& row = grid.cells.emplace_back();
    row[kTaf].fpr = factor * 1e-4;
    row[kExaf].fpr = 1e-4;
  }
  EXPECT_NEAR(grid.MeanRatio(kTaf, kExaf, 10, 20), 1, 1e-12);
  EXPECT_NEAR(grid.MeanRatio(kTaf, kExaf, 0, 5), 8, 1e-12);
  EXPECT_NEAR(grid.MeanRatio(kTaf, kExaf, 0, 100), 2, 1e-12);
}

}  // namespace
}  // namespace tamis::tools
