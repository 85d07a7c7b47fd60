// What the command says to those who ask, and to those who mistype.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tamis/internal/base/nearest_name.h"
#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using workloads::TempDir;

TEST(Help, OfAVerbIsItsOwn) {
  for (const char* verb : {"build", "add", "compare", "help"}) {
    const ToolRun help = RunForTest({"help", verb});
    EXPECT_EQ(help.exit_status, kExitOk);
    EXPECT_EQ(help.out, RunForTest({verb, "--help"}).out) << verb;
  }
  EXPECT_EQ(RunForTest({"help"}).out, RunForTest({"--help"}).out);
  const ToolRun wrong = RunForTest({"help", "biuld"});
  EXPECT_EQ(wrong.exit_status, kExitUsageError);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'build'?"));
}

TEST(Help, ExplainsAFilter) {
  const ToolRun taf = RunForTest({"filters", "taf"});
  EXPECT_EQ(taf.exit_status, kExitOk);
  EXPECT_THAT(taf.out, HasSubstr("taf: queries that repeat"));
  EXPECT_THAT(taf.out, HasSubstr("Telescoping Filter"));
  EXPECT_THAT(taf.out, HasSubstr("https://doi.org/10.4230/LIPIcs.ESA.2021.60"));
  EXPECT_THAT(taf.out, HasSubstr("r=8 (4 to 16)"));
  EXPECT_THAT(taf.out, Not(HasSubstr("exaf")));
  const ToolRun both = RunForTest({"filters", "cuckoo"});
  EXPECT_THAT(both.out, HasSubstr("cuckoo:k=4: "));
  const ToolRun wrong = RunForTest({"filters", "rsfq"});
  EXPECT_EQ(wrong.exit_status, kExitUsageError);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'rsqf'?"));
}

TEST(Help, GuessesWhatWasMeant) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", "a\nb\n");
  const std::string out = dir.Path("f");
  struct Case {
    std::vector<std::string> command;
    const char* meant;
  };
  for (const auto& [command, meant] : std::vector<Case>{
           {{"comapre"}, "compare"},
           {{"build", keys, "-o", out, "--filter", "rsqg:r=8"}, "rsqf"},
           {{"build", keys, "-o", out, "--fliter", "rsqf:r=8"}, "--filter"},
           {{"compare", "--queries", keys, "--members", "1/2", "--filters",
             "bloon"},
            "bloom"},
           {{"generate", "flowz", "--count", "1"}, "flows"}}) {
    const ToolRun run = RunForTest(command);
    EXPECT_EQ(run.exit_status, kExitUsageError) << command.front();
    EXPECT_THAT(run.err, HasSubstr(std::string("did you mean '") + meant + "'"))
        << command.front();
  }
  EXPECT_THAT(RunForTest({"nonsense"}).err, Not(HasSubstr("did you mean")));
  EXPECT_THAT(RunForTest({"build", keys, "--otput", out}).err,
              HasSubstr("unknown option '--otput' (did you mean '--output'?)"));
  EXPECT_THAT(RunForTest({"build", "--filter", "rsqf", "--", "--otput"}).err,
              HasSubstr("--output is required"));
}

TEST(Help, NearestNamesAreNear) {
  constexpr std::string_view kNames[] = {"rsqf", "taf", "exaf", "infini"};
  EXPECT_EQ(internal::NearestName("rsfq", kNames), "rsqf");
  EXPECT_EQ(internal::NearestName("tag", kNames), "taf");
  EXPECT_EQ(internal::NearestName("infinity", kNames), "infini");
  EXPECT_EQ(internal::NearestName("bloom", kNames), "");
  EXPECT_EQ(internal::NearestName("", kNames), "");
  EXPECT_EQ(internal::NearestName(std::string(10'000, 'a'), kNames), "");
}

// The file of data is not there: an error that names it would show that it was
// to be read first.
TEST(Help, SpecsAreCheckedBeforeDataAreRead) {
  const TempDir dir;
  const std::string none = dir.Path("none");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{
           {"build", none, "-o", dir.Path("f"), "--filter", "nosuch"},
           {"build", none, "-o", dir.Path("f"), "--filter", "rsqf:r=99"},
           {"build", none, "-o", dir.Path("f"), "--filter", "rsqf(bloom)"},
           {"build", none, "-o", dir.Path("f"), "--filter", "nosuch", "--fpr",
            "0.1"},
           {"compare", "--queries", none, "--members", "1/2", "--filters",
            "nosuch"},
           {"compare", "--queries", none, "--members", "1/2", "--filters",
            "rsqf:r=99"}}) {
    const ToolRun run = RunForTest(command);
    EXPECT_EQ(run.exit_status, kExitUsageError) << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr(none))) << command.front();
  }
}

TEST(Help, WhatIsNoNumberIsSaidToBeNone) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", "a\nb\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{
           {"compare", "--queries", keys, "--members", "1/2", "--bits-per-key",
            "abc"},
           {"build", keys, "-o", dir.Path("f"), "--fpr", "abc"},
           {"build", keys, "-o", dir.Path("f"), "--filter", "rsqf", "--load",
            "nan"},
           {"demo", "--bits-per-key", "12x"}}) {
    const ToolRun run = RunForTest(command);
    EXPECT_EQ(run.exit_status, kExitUsageError);
    EXPECT_THAT(run.err, HasSubstr("is not a number")) << command.front();
  }
}

TEST(Help, TooFewSlotsAreToldWithWhatWouldDo) {
  const TempDir dir;
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += std::to_string(i) + '\n';
  const std::string keys = dir.Write("keys.txt", lines);
  const ToolRun run = RunForTest({"build", keys, "-o", dir.Path("f"),
                                  "--filter", "rsqf:r=8", "--slots", "500"});
  EXPECT_EQ(run.exit_status, kExitDataError);
  EXPECT_THAT(run.err,
              HasSubstr("1000 keys in 500 slots do not fit; --slots "));
  const std::string enough =
      run.err.substr(run.err.find("--slots ") + 8,
                     run.err.find(" would do") - run.err.find("--slots ") - 8);
  EXPECT_EQ(RunForTest({"build", keys, "-o", dir.Path("f"), "--filter",
                        "rsqf:r=8", "--slots", enough})
                .exit_status,
            kExitOk);
}

}  // namespace
}  // namespace tamis::tools
