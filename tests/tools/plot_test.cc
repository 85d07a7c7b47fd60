// Plots: zeros on logarithmic axes, labels, and series that are equal.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/report/equal_series.h"
#include "tools/report/plot_axes.h"
#include "tools/report/plot_script.h"
#include "tools/report/write_report.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using workloads::TempDir;

Chart LogChart(std::vector<ChartSeries> series) {
  return {.title = "t",
          .x_label = "x",
          .y_label = "y",
          .log_y = true,
          .series = std::move(series)};
}

// The commands that are about one axis' labels.
std::string TicsOf(const Chart& chart, char axis) {
  const std::string script = PlotScript(chart, "out.svg");
  const size_t begin = script.find(std::string("set ") + axis + "tics");
  if (begin == std::string::npos) return "";
  return script.substr(begin, script.find('\n', begin) - begin);
}

TEST(Plot, ZerosOfALogAxisHaveABand) {
  const Chart chart = LogChart({{"a", {{1, 0.5}, {2, 0}, {3, 0.001}}}});
  EXPECT_TRUE(ShowsZeros(chart));
  const PlotAxes axes(chart);
  const double zero = axes.PlaceOfY(0);
  EXPECT_GT(zero, 0);
  EXPECT_LT(zero, 0.001);
  EXPECT_EQ(axes.PlaceOfY(0.5), 0.5);
  EXPECT_THAT(TicsOf(chart, 'y'), HasSubstr("('0' "));
  EXPECT_THAT(PlotScript(chart, "out.svg"),
              AllOf(HasSubstr("set object 1 rectangle"),
                    HasSubstr(fmt::format("\n2 {0} {0} {0}\n", zero))));
}

TEST(Plot, ABandIsOnlyWhereThereAreZeros) {
  const Chart above = LogChart({{"a", {{1, 0.5}, {2, -1}, {3, 0.001}}}});
  EXPECT_FALSE(ShowsZeros(above));
  EXPECT_THAT(PlotScript(above, "out.svg"),
              AllOf(Not(HasSubstr("rectangle")), Not(HasSubstr("'0' ")),
                    Not(HasSubstr("\n2 "))));  // below 0 is left out
  Chart linear = LogChart({{"a", {{1, 0.5}, {2, 0}}}});
  linear.log_y = false;
  EXPECT_FALSE(ShowsZeros(linear));
}

TEST(Plot, BarsReachTheBand) {
  const Chart chart = LogChart({{"a", {{1, 0.5, 0, 0.9}, {2, 0.1, 0, 0}}}});
  EXPECT_TRUE(ShowsZeros(chart));
  EXPECT_LT(PlotAxes(chart).PlaceOfY(0), 0.1);
  // A bar that goes on below 0 ends at the lowest point if nothing is 0.
  const Chart lower = LogChart({{"a", {{1, 0.5, -1, 0.9}, {2, 0.1, 0, 0}}}});
  EXPECT_FALSE(ShowsZeros(lower));
  EXPECT_EQ(PlotAxes(lower).PlaceOfY(-1), 0.1);
}

TEST(Plot, ZerosAloneAreDrawnOnALinearAxis) {
  const Chart chart = LogChart({{"a", {{1, 0}, {2, 0}}}});
  ASSERT_TRUE(CanDraw(chart));
  EXPECT_THAT(PlotScript(chart, "out.svg"),
              AllOf(HasSubstr("set yrange [0:1]"), HasSubstr("\n2 0 0 0\n"),
                    Not(HasSubstr("logscale"))));
}

TEST(Plot, ThePageSaysWhereZeroIs) {
  const TempDir dir;
  const Section sections[] = {
      {"one", "s", "t", {{}, {LogChart({{"a", {{1, 0.5}, {2, 0}}}})}, {}, {}}}};
  ASSERT_TRUE(WriteReport({"r", "s", "c"}, sections, dir.Path("r")).ok());
  const std::string page = Contents(dir.Path("r/index.html"));
  if (page.find("There are no plots") != std::string::npos) {
    GTEST_SKIP() << "there is no gnuplot";
  }
  EXPECT_THAT(page, HasSubstr("grey band at the lower edge: 0"));
  // The band's colour, as gnuplot writes it, has a twin for dark pages.
  EXPECT_THAT(page, AllOf(HasSubstr("<polygon fill = 'rgb(235, 238, 242)'"),
                          HasSubstr("[fill='rgb(235, 238, 242)']")));
}

TEST(Plot, LabelsOfLongStreamsAreShortAndFew) {
  Chart chart = LogChart({{"a", {{36'566, 0.5}, {914'145, 0.2}}}});
  EXPECT_EQ(TicsOf(chart, 'x'),
            "set xtics ('200k' 200000, '400k' 400000, '600k' 600000, "
            "'800k' 800000)");
  chart.series[0].points[1].x = 3'000'000;
  EXPECT_THAT(TicsOf(chart, 'x'),
              AllOf(HasSubstr("'500k' 500000, '1M' 1000000, '1.5M' 1500000"),
                    HasSubstr("'3M' 3000000")));
  chart.series[0].points = {{5, 1}, {30, 1}};
  EXPECT_THAT(TicsOf(chart, 'x'), HasSubstr("('5' 5, '10' 10, '15' 15"));
  chart.series[0].points = {{0.1, 1}, {0.7, 1}};
  EXPECT_THAT(TicsOf(chart, 'x'), HasSubstr("'0.3' 0.3"));
}

TEST(Plot, LabelsOfLogAxesAreRound) {
  Chart chart = LogChart({{"a", {{2'000, 0.5}, {300'000, 0.2}}}});
  chart.log_x = true;
  EXPECT_THAT(TicsOf(chart, 'x'),
              HasSubstr("('2k' 2000, '5k' 5000, '10k' 10000, '20k' 20000"));
  chart.series[0].points = {{1, 1e-6}, {1'024, 1}};
  EXPECT_THAT(TicsOf(chart, 'x'), HasSubstr("'2^{10}' 1024"));
  EXPECT_THAT(TicsOf(chart, 'y'), HasSubstr("'10^{-6}' 1e-06"));
  chart.series[0].points = {{1, 94}, {1'024, 96}};
  EXPECT_EQ(TicsOf(chart, 'y'),
            "set ytics enhanced ('90' 90, '95' 95, '100' 100, '105' 105)");
}

TEST(Plot, EqualSeriesShareALine) {
  const std::vector<ChartPoint> points = {{1, 0.5}, {2, 0.1}};
  const Chart chart = LogChart({{"taf:r=8", points},
                                {"other", {{1, 0.5}, {2, 0.2}}},
                                {"taf:r=8,overflow=evict", points}});
  const Chart merged = WithEqualSeriesMerged(chart);
  ASSERT_EQ(merged.series.size(), 2u);
  EXPECT_EQ(merged.series[0].name, "taf:r=8 and taf:r=8,overflow=evict");
  EXPECT_EQ(merged.series[1].name, "other");
  EXPECT_THAT(PlotScript(chart, "out.svg"),
              AllOf(HasSubstr("'taf:r=8 and taf:r=8,overflow=evict'"),
                    Not(HasSubstr("$series2"))));
}

TEST(Plot, NumbersOfAPaperArePointsBesideOurLine) {
  Chart chart = LogChart({{"ours", {{1, 0.5}, {2, 0.1}}},
                          {"other", {{1, 0.7}, {2, 0.3}}},
                          {"the paper", {{1, 0.4, 0.3, 0.6}}}});
  chart.series[2].said_of = "other";
  const std::string script = PlotScript(chart, "out.svg");
  EXPECT_THAT(script, HasSubstr("$series1 using 1:2 with linespoints"));
  EXPECT_THAT(script, HasSubstr("$series2 using 1:2 with points"));
  EXPECT_THAT(script, Not(HasSubstr("$series2 using 1:2 with linespoints")));
  // In the colour of the line that they are of.
  const auto colour = [&](const std::string& curve) {
    const size_t at = script.find("lc rgb", script.find(curve));
    return script.substr(at, script.find_first_of(",\n ", at + 7) - at);
  };
  EXPECT_EQ(colour("$series2 using 1:2 with points"),
            colour("$series1 using 1:2 with linespoints"));
  EXPECT_NE(colour("$series2 using 1:2 with points"),
            colour("$series0 using 1:2 with linespoints"));
}

TEST(Plot, LegendsBreakWhereNamesWereJoined) {
  EXPECT_THAT(LegendLines("short", 10), ElementsAre("short"));
  EXPECT_THAT(LegendLines("longer than ten", 10),
              ElementsAre("longer than ten"));
  EXPECT_THAT(LegendLines("aaa and bbb", 11), ElementsAre("aaa and bbb"));
  EXPECT_THAT(LegendLines("aaa and bbb", 10), ElementsAre("aaa", "and bbb"));
  EXPECT_THAT(LegendLines("aaa and bbb and ccc and ddd", 12),
              ElementsAre("aaa and bbb", "and ccc and 1 more"));
  EXPECT_THAT(LegendLines("a and bb and ccc and dddd and e", 8),
              ElementsAre("a and bb", "and ccc and 2 more"));
}

}  // namespace
}  // namespace tamis::tools
