// Reports: what is in the files, and what becomes of text that means something
// to HTML, CSV, gnuplot or the file system.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/report/html_page.h"
#include "tools/report/plot_script.h"
#include "tools/report/write_report.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using workloads::TempDir;

constexpr const char* kNasty = "a<b> & \"c\" 'd' {e} $f `g` _h^2 \\n %s";

Chart OneChart() {
  return {"rate",
          "keys",
          "FPR",
          true,
          true,
          {{"taf:r=8", {{1, 0.1, 0.05, 0.2}, {1024, 0.01, 0, 0}}},
           {kNasty, {{1, 0.3, 0.3, 0.3}, {1024, -1, 0, 0}}}}};
}

Section OneSection() {
  return {"one",
          "a paper",
          "A title",
          {{{"numbers", {"filter", "a,b"}, {{"say \"hi\"", "1"}, {"x", "2"}}}},
           {OneChart()},
           {{"it holds", {"1", "p. 1"}, "2", {"1 to 3"}, true},
            {"it does not", {}, "4", {"at most 3"}, false}},
           {"a note"}}};
}

ReportHead Head() { return {"A report", "What came out.", "tamis x --out d"}; }

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

bool HaveGnuplot() { return system("command -v gnuplot >/dev/null") == 0; }

// Sets PATH for the time of a test.
class PathGuard {
 public:
  explicit PathGuard(const std::string& path) : before_(getenv("PATH")) {
    setenv("PATH", path.c_str(), 1);
  }
  ~PathGuard() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Report, EscapesWhatHtmlGivesAMeaning) {
  EXPECT_EQ(EscapeHtml("<a href=\"x\">&'"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(EscapeHtml("plain"), "plain");
  EXPECT_EQ(Breakable("a(b:k=8,w=2): 300,000 & more, or"),
            "a(b:<wbr>k=8,<wbr>w=2): 300,000 &amp; more, or");
}

TEST(Report, WritesAllFiles) {
  if (!HaveGnuplot()) GTEST_SKIP() << "there is no gnuplot";
  const TempDir dir;
  const std::string out = dir.Path("new/folder");
  const Section sections[] = {OneSection()};
  ASSERT_EQ(WriteReport(Head(), sections, out).ToString(),
            OkStatus().ToString());
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    names.push_back(entry.path().filename());
  }
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("index.html", "report.json",
                                              "one-1.csv", "one-1.svg"));
  EXPECT_EQ(Contents(out + "/one-1.csv"),
            "filter,\"a,b\"\n\"say \"\"hi\"\"\",1\nx,2\n");
  EXPECT_THAT(Contents(out + "/one-1.svg"),
              AllOf(::testing::StartsWith("<svg"), HasSubstr("taf:r=8"),
                    HasSubstr("prefers-color-scheme"),
                    Not(HasSubstr("='white'")), HasSubstr("a&lt;b> &amp;")));
}

TEST(Report, PageHasEverythingAndNeedsNothing) {
  const TempDir dir;
  const Section sections[] = {OneSection()};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  const std::string page = Contents(dir.Path("r/index.html"));
  for (const char* part :
       {"A report", "What came out.", "tamis x --out d", "A title", "a paper",
        "it holds", "it does not", "a note", "say &quot;hi&quot;", "<figure>",
        "&#10003; holds", "&#8800; differs"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script ")), Not(HasSubstr("@import")),
                          Not(HasSubstr("url(")), Not(HasSubstr("src="))));
  EXPECT_EQ(CountOf(page, "http"), CountOf(page, "http://www.w3.org/"));
}

TEST(Report, NastyTextStaysText) {
  const TempDir dir;
  Section nasty = OneSection();
  nasty.title = kNasty;
  nasty.source = kNasty;
  nasty.findings.tables[0] = {kNasty, {kNasty}, {{kNasty}}};
  nasty.findings.charts[0].title = kNasty;
  nasty.findings.charts[0].x_label = kNasty;
  nasty.findings.charts[0].y_label = std::string(kNasty) + "\nplot x";
  nasty.findings.claims[0] = {
      kNasty, {kNasty, kNasty}, "\xff not UTF-8", {kNasty}, true};
  nasty.findings.notes = {kNasty};
  const Section sections[] = {nasty, OneSection()};
  ASSERT_TRUE(
      WriteReport({kNasty, kNasty, kNasty}, sections, dir.Path("r")).ok());
  const std::string page = Contents(dir.Path("r/index.html"));
  EXPECT_THAT(page, Not(HasSubstr("a<b>")));
  EXPECT_THAT(page, Not(HasSubstr("There are no plots: gnuplot failed")));
  const auto json = nlohmann::json::parse(Contents(dir.Path("r/report.json")));
  EXPECT_EQ(json["title"], kNasty);
  EXPECT_EQ(json["sections"][0]["charts"][0]["title"], kNasty);
  EXPECT_EQ(json["sections"][0]["claims"][0]["text"], kNasty);
}

TEST(Report, WritingAgainReplaces) {
  const TempDir dir;
  Section sections[] = {OneSection()};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  sections[0].findings.tables[0].rows = {{"new", "3"}};
  sections[0].findings.notes = {"another note"};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  EXPECT_EQ(Contents(dir.Path("r/one-1.csv")), "filter,\"a,b\"\nnew,3\n");
  EXPECT_THAT(Contents(dir.Path("r/index.html")),
              AllOf(HasSubstr("another note"), Not(HasSubstr("a note"))));
}

TEST(Report, WritingAgainRemovesWhatTheOldReportHadAndNothingElse) {
  const TempDir dir;
  Section sections[] = {OneSection(), OneSection()};
  sections[1].name = "two";
  sections[1].findings.tables.push_back(OneSection().findings.tables[0]);
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  EXPECT_TRUE(std::filesystem::exists(dir.Path("r/two-2.csv")));
  dir.Write("r/mine.csv", "x");
  dir.Write("r/two-3.csv", "x");
  ASSERT_TRUE(WriteReport(Head(), {sections, 1}, dir.Path("r")).ok());
  for (const char* name : {"two-1.csv", "two-2.csv", "two-1.svg"}) {
    EXPECT_FALSE(std::filesystem::exists(dir.Path("r/") + name)) << name;
  }
  for (const char* name : {"one-1.csv", "mine.csv", "two-3.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(dir.Path("r/") + name)) << name;
  }
}

TEST(Report, AFileThatCantBeReplacedIsNamed) {
  const TempDir dir;
  std::filesystem::create_directories(dir.Path("r/one-1.csv"));
  const Section sections[] = {OneSection()};
  const Status status = WriteReport(Head(), sections, dir.Path("r"));
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(dir.Path("r/one-1.csv")));
}

TEST(Report, AReportOfOthersRemovesNothing) {
  const TempDir dir;
  std::filesystem::create_directory(dir.Path("r"));
  dir.Write("a-1.csv", "x");
  const Section sections[] = {OneSection()};
  for (const char* text :
       {"{", "[]", R"({"sections": 3})", R"({"sections": [{"name": 1}]})",
        R"({"sections": [{"name": "../a", "tables": [1], "charts": []}]})"}) {
    dir.Write("r/report.json", text);
    EXPECT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok()) << text;
    EXPECT_EQ(Contents(dir.Path("a-1.csv")), "x") << text;
  }
}

TEST(Report, PointsFollowTheSummaryAndManyNotesAreFolded) {
  const TempDir dir;
  Section section = OneSection();
  section.findings.notes = {"n1", "n2", "n3", "n4"};
  const Section sections[] = {section};
  ReportHead head = Head();
  head.points = {"first & point", "second point"};
  ASSERT_TRUE(WriteReport(head, sections, dir.Path("r")).ok());
  const std::string page = Contents(dir.Path("r/index.html"));
  EXPECT_THAT(page, HasSubstr("<li>first &amp; point</li>"));
  EXPECT_LT(page.find("<li>n3</li>"), page.find("More on how it was measured"));
  EXPECT_GT(page.find("<li>n4</li>"), page.find("More on how it was measured"));
}

TEST(Report, EachPaperHasItsScore) {
  const TempDir dir;
  Section sections[] = {OneSection(), OneSection(), OneSection()};
  sections[0].source = sections[2].source = "another, Figure 2";
  sections[1].name = "two";
  sections[2].name = "three";
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  const std::string page = Contents(dir.Path("r/index.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("1 of 2 hold"), HasSubstr("2 of 4 hold")));
}

TEST(Report, SaysWhenThereIsNoGnuplot) {
  const TempDir dir;
  const PathGuard nothing(dir.Path("empty"));
  const Section sections[] = {OneSection()};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  EXPECT_FALSE(std::filesystem::exists(dir.Path("r/one-1.svg")));
  EXPECT_TRUE(std::filesystem::exists(dir.Path("r/one-1.csv")));
  EXPECT_THAT(Contents(dir.Path("r/index.html")),
              AllOf(HasSubstr("no plots: gnuplot is not installed"),
                    HasSubstr("say &quot;hi&quot;")));
}

TEST(Report, SaysWhenGnuplotFails) {
  const TempDir dir;
  std::filesystem::create_directory(dir.Path("bin"));
  dir.Write("bin/gnuplot", "#!/bin/sh\necho broken >&2\nexit 3\n");
  std::filesystem::permissions(dir.Path("bin/gnuplot"),
                               std::filesystem::perms::owner_all);
  const PathGuard fake(dir.Path("bin"));
  const Section sections[] = {OneSection()};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  EXPECT_THAT(Contents(dir.Path("r/index.html")),
              HasSubstr("gnuplot failed: broken"));
}

TEST(Report, BadFolderIsAStatus) {
  const TempDir dir;
  const std::string file = dir.Write("file", "x");
  const Section sections[] = {OneSection()};
  for (const std::string& bad : {file, file + "/below"}) {
    const Status status = WriteReport(Head(), sections, bad);
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad));
  }
  EXPECT_EQ(Contents(file), "x");
}

TEST(Report, FolderWithoutPermissionIsAStatus) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TempDir dir;
  std::filesystem::create_directory(dir.Path("locked"));
  std::filesystem::permissions(dir.Path("locked"),
                               std::filesystem::perms::owner_read);
  const Section sections[] = {OneSection()};
  EXPECT_EQ(WriteReport(Head(), sections, dir.Path("locked")).code(),
            StatusCode::kIo);
}

TEST(Report, ChartsWithoutPointsAreNotDrawn) {
  Chart chart = OneChart();
  EXPECT_TRUE(CanDraw(chart));
  for (ChartSeries& series : chart.series) {
    for (ChartPoint& point : series.points) point.y = -1;
  }
  EXPECT_FALSE(CanDraw(chart));
  chart.log_y = false;
  EXPECT_TRUE(CanDraw(chart));
  for (ChartSeries& series : chart.series) {
    for (ChartPoint& point : series.points) {
      point.x = std::numeric_limits<double>::quiet_NaN();
    }
  }
  EXPECT_FALSE(CanDraw(chart));
  EXPECT_FALSE(CanDraw(Chart{}));

  const TempDir dir;
  Section section = OneSection();
  section.findings.charts = {chart, OneChart()};
  const Section sections[] = {section};
  ASSERT_TRUE(WriteReport(Head(), sections, dir.Path("r")).ok());
  EXPECT_EQ(CountOf(Contents(dir.Path("r/index.html")),
                    HaveGnuplot() ? "Nothing to draw" : "Not drawn"),
            HaveGnuplot() ? 1u : 2u);
}

}  // namespace
}  // namespace tamis::tools
