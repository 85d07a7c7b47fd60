// `tamis filters`: every filter is in it, with what it takes and can do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "tamis/any_filter.h"
#include "tools/filters/catalogue.h"
#include "tools/tool_runner.h"

namespace tamis::tools {
namespace {

using testing::HasSubstr;

const FilterInfo& Find(const std::vector<FilterInfo>& all,
                       const std::string& spec) {
  const auto found = std::ranges::find(all, spec, &FilterInfo::spec);
  EXPECT_NE(found, all.end()) << spec;
  return *found;
}

TEST(Filters, EveryKindIsListedOnce) {
  const auto all = DescribeFilters();
  ASSERT_TRUE(all.ok()) << all.status().ToString();
  std::set<std::string> specs;
  for (const FilterInfo& one : *all) {
    EXPECT_TRUE(specs.insert(one.spec).second) << one.spec;
    EXPECT_NE(one.use, "") << one.spec;
    EXPECT_FALSE(one.parameters.empty()) << one.spec;
  }
  for (const std::string_view kind : AnyFilter::KnownKinds()) {
    EXPECT_TRUE(specs.contains(std::string(kind))) << kind;
  }
}

TEST(Filters, ParametersAreThoseThatTheFilterReads) {
  const auto all = DescribeFilters().value();
  const SpecParameter r{.name = "r",
                        .fallback = "8",
                        .min = Find(all, "rsqf").parameters[0].min,
                        .max = Find(all, "rsqf").parameters[0].max};
  EXPECT_THAT(Find(all, "rsqf").parameters, testing::ElementsAre(r));
  const auto& taf = Find(all, "taf").parameters;
  ASSERT_EQ(taf.size(), 3u);  // r, overflow and c
  EXPECT_THAT(taf[1].choices, testing::ElementsAre("refuse", "evict", "reset"));
  EXPECT_TRUE(Find(all, "taf").capabilities.adapt);
  EXPECT_FALSE(Find(all, "rsqf").capabilities.adapt);
  EXPECT_TRUE(Find(all, "infini").capabilities.expand);
  EXPECT_TRUE(Find(all, "cached(SPEC)").only_compared);
  EXPECT_EQ(Find(all, "cached(SPEC)").parameters.size(), 2u);
}

// What the list says can be given, and one more than that can't.
TEST(Filters, LimitsAreTheLimits) {
  const auto made = [](const std::string& name, const std::string& value,
                       const FilterInfo& one) {
    const Spec spec = Spec::Parse(one.spec).value().Set(name, value);
    return AnyFilter::Create(spec, 100, Hasher(Seed{})).ok();
  };
  const auto all = DescribeFilters().value();
  for (const FilterInfo& one : all) {
    if (one.only_compared) continue;
    for (const SpecParameter& parameter : one.parameters) {
      SCOPED_TRACE(one.spec + " " + parameter.name);
      EXPECT_TRUE(made(parameter.name, parameter.fallback, one));
      for (const std::string& choice : parameter.choices) {
        EXPECT_TRUE(made(parameter.name, choice, one)) << choice;
      }
      EXPECT_FALSE(made(parameter.name, "nonsense", one));
      EXPECT_FALSE(made(parameter.name, "1e30", one));
    }
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
