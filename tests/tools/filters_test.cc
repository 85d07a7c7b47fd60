// `tamis filters`: every filter is in it, with what it takes and can do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tamis/any_filter.h"
#include "tamis/kind.h"
#include "tools/tool_runner.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;

TEST(Filters, EveryKindIsListedOnce) {
  std::set<std::string_view> specs;
  for (const Kind& one : AllKinds()) {
    EXPECT_TRUE(specs.insert(one.ShortestSpec()).second) << one.name;
    EXPECT_NE(one.use, "") << one.name;
    EXPECT_FALSE(one.parameters.empty()) << one.name;
  }
  for (const std::string_view kind : AnyFilter::KnownKinds()) {
    EXPECT_TRUE(specs.contains(kind) || kind == "cached") << kind;
  }
}

TEST(Filters, TheTableFitsATerminal) {
  const ToolRun run = RunForTest({"filters"});
  ASSERT_EQ(run.exit_status, kExitOk) << run.err;
  EXPECT_THAT(run.out, HasSubstr("overflow=refuse|evict|reset"));
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Filters, JsonHasNumbersAndChoices) {
  const auto json =
      nlohmann::json::parse(RunForTest({"filters", "--json"}).out);
  EXPECT_EQ(json[0]["filter"], "rsqf");
  EXPECT_EQ(json[0]["erases"], true);
  EXPECT_EQ(json[0]["parameters"][0]["name"], "r");
  EXPECT_EQ(json[0]["parameters"][0]["default"], 8);
  EXPECT_GT(json[0]["parameters"][0]["max"], 8);
  EXPECT_EQ(json[1]["parameters"][1]["default"], "refuse");
  EXPECT_NE(json[1]["parameters"][1]["meaning"], "");
  EXPECT_EQ(json[1]["doi"], "10.4230/LIPIcs.ESA.2021.60");
}

TEST(Filters, HelpSaysWhereTheListIs) {
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"build", "--help"},
                                             {"compare", "--help"},
                                             {"bench", "--help"}}) {
    EXPECT_THAT(RunForTest(command).out, HasSubstr("tamis filters"))
        << command[0];
  }
}

}  // namespace
}  // namespace tamis::tools
