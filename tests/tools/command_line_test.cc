// What the command says of numbers, options and output that are no good.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tool_runner.h"

namespace tamis::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Arguments = std::vector<std::string>;

TEST(CommandLine, EveryVerbReadsSeedsAlike) {
  const std::vector<Arguments> verbs = {
      {"compare", "--queries", "q", "--members", "1/2"},
      {"demo"},
      {"bench"},
      {"build", "k", "-o", "f", "--filter", "rsqf"},
      {"generate", "zipf", "--count", "1"}};
  for (const Arguments& verb : verbs) {
    for (const std::string seed :
         {"-1", "0x10", " 5", "abc", "18446744073709551616"}) {
      Arguments arguments = verb;
      arguments.insert(arguments.end(), {"--seed", seed});
      const ToolRun run = RunForTest(arguments);
      EXPECT_EQ(run.exit_status, kExitUsageError) << verb[0] << seed;
      EXPECT_THAT(run.err, HasSubstr("'" + seed + "' is not a seed"))
          << verb[0];
    }
  }
}

TEST(CommandLine, NegativeNumbersDoNotBecomeHuge) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"demo", "--queries", "-1"},
                              {"demo", "--seeds", "-1"},
                              {"demo", "--jobs", "-1"},
                              {"bench", "--queries", "-1"},
                              {"bench", "--fpr-queries", "-1"},
                              {"bench", "--repetitions", "-1"},
                              {"generate", "zipf", "--count", "-1"}}) {
    const ToolRun run = RunForTest(arguments);
    EXPECT_EQ(run.exit_status, kExitUsageError) << run.err;
    EXPECT_THAT(run.err, HasSubstr("is not a ")) << arguments[1];
  }
}

TEST(CommandLine, NumbersMayBePowers) {
  const ToolRun run =
      RunForTest({"bench", "--slots=2^12", "--repetitions=1", "--queries=2^12",
                  "--fpr-queries=2^12", "--workloads=query0", "--json"});
  EXPECT_EQ(run.exit_status, kExitOk) << run.err;
}

TEST(CommandLine, AnUnknownOptionIsNamed) {
  for (const std::string option : {"--nope", "-x", "--nope=1"}) {
    const ToolRun run = RunForTest({option});
    EXPECT_EQ(run.exit_status, kExitUsageError);
    EXPECT_THAT(run.err, HasSubstr("unknown option '" + option + "'"));
  }
  EXPECT_EQ(RunForTest({"--version"}).exit_status, kExitOk);
}

TEST(CommandLine, OutputThatCannotBeWrittenIsAnError) {
  for (const Arguments& arguments :
       std::vector<Arguments>{{"--help"},
                              {"--version"},
                              {"build", "--help"},
                              {"filters"},
                              {"completion", "bash"},
                              {"generate", "zipf", "--count", "10"}}) {
    std::istringstream in;
    std::ofstream full("/dev/full");
    std::ostringstream err;
    EXPECT_EQ(RunTool(arguments, {in, full, err}), kExitDataError)
        << arguments[0];
    EXPECT_THAT(err.str(), HasSubstr("standard output: can't write"));
  }
}

}  // namespace
}  // namespace tamis::tools
