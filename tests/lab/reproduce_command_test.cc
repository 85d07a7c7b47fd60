// `tamis reproduce` as a verb: what it refuses, and what Ctrl-C leaves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/program.h"
#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using testing::HasSubstr;
using workloads::TempDir;

TEST(ReproduceCommand, ReadsSeedsAndNumbersAsOtherVerbsDo) {
  for (const std::string seed :
       {"-1", "0x10", " 5", "abc", "18446744073709551616"}) {
    const ToolRun run = RunForTest({"reproduce", "list", "--seed", seed});
    EXPECT_EQ(run.exit_status, kExitUsageError) << seed;
    EXPECT_THAT(run.err, HasSubstr("'" + seed + "' is not a seed"));
  }
  const ToolRun run = RunForTest({"reproduce", "list", "--jobs", "0x2"});
  EXPECT_EQ(run.exit_status, kExitUsageError);
  EXPECT_THAT(run.err, HasSubstr("is not a "));
}

TEST(ReproduceCommand, AnUnknownExperimentIsAUsageError) {
  EXPECT_EQ(RunForTest({"reproduce", "nosuch"}).exit_status, kExitUsageError);
}

TEST(ReproduceCommand, OutputThatCannotBeWrittenIsAnError) {
  std::istringstream in;
  std::ofstream full("/dev/full");
  std::ostringstream err;
  const std::vector<std::string> list = {"reproduce", "list"};
  EXPECT_EQ(RunTool(list, {in, full, err}), kExitDataError);
  EXPECT_THAT(err.str(), HasSubstr("standard output: can't write"));
}

TEST(ReproduceCommand, AnInterruptLeavesAReadableReport) {
  const TempDir dir;
  const std::string report = dir.Path("report");
  const Program reproduce({"reproduce", "taf-selectors", "acf-figure-1",
                           "--jobs", "1", "--out", report},
                          dir);
  ASSERT_TRUE(
      WaitFor([&] { return std::filesystem::exists(report + "/index.html"); }));
  reproduce.Interrupt();
  EXPECT_EQ(reproduce.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(reproduce.Out()), HasSubstr("1 experiment: "));
  EXPECT_THAT(Contents(reproduce.Err()),
              HasSubstr("interrupted: 1 of 2 experiments are finished"));
  EXPECT_THAT(Contents(reproduce.Err()), HasSubstr(report + "/index.html"));
  EXPECT_THAT(Contents(report + "/index.html"),
              HasSubstr("So far 1 of 2 experiments are finished."));
}

}  // namespace
}  // namespace tamis::tools
