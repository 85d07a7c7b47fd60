// `tamis bench`: what it reports on a tiny run.  Times are never judged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/tool_runner.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kTiny = {
    "bench",           "--filters=rsqf:r=8", "--slots=2^12",
    "--repetitions=3", "--queries=5000",     "--fpr-queries=200000"};

std::vector<std::string> Tiny(std::vector<std::string> more) {
  more.insert(more.begin(), kTiny.begin(), kTiny.end());
  return more;
}

TEST(Bench, JsonHasExactlyTheKeysOfARow) {
  const ToolRun run = RunForTest(Tiny({"--format=json"}));
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto json = nlohmann::ordered_json::parse(run.out);
  ASSERT_TRUE(json["machine"].contains("cpu"));
  ASSERT_EQ(json["rows"].size(), 10u);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json["rows"][0].items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ::testing::ElementsAre("filter", "workload", "slots", "load",
                                   "ns_per_op", "spread", "fpr", "expected_fpr",
                                   "bits_per_key", "limit_ns", "x_limit"));
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["filter"], "rsqf:r=8");
    EXPECT_EQ(row["slots"], 4096);
    EXPECT_GT(row["ns_per_op"], 0) << row.dump();
    EXPECT_GT(row["limit_ns"], 0) << row.dump();
  }
}

TEST(Bench, MeasuresTheRateOfAbsentKeys) {
  const ToolRun run = RunForTest(
      Tiny({"--format=json", "--workloads=query0,query100", "--load=0.5"}));
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto rows = nlohmann::json::parse(run.out)["rows"];
  const double expected = rows[0]["expected_fpr"];
  // Six deviations: of the queries, and of the 2048 random members.
  const double deviation =
      expected * std::sqrt(1 / (200000 * expected) + 1 / 2048.0);
  EXPECT_NEAR(rows[0]["fpr"].get<double>(), expected, 6 * deviation);
  EXPECT_TRUE(rows[1]["fpr"].is_null());
}

TEST(Bench, PrintsTablesAndCsv) {
  const ToolRun table = RunForTest(Tiny({"--workloads=hash,query0-key"}));
  ASSERT_EQ(table.exit_status, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("# cpu: "));
  EXPECT_THAT(table.out, HasSubstr("x limit"));
  const ToolRun csv = RunForTest(Tiny({"--format=csv", "--workloads=hash"}));
  EXPECT_THAT(csv.out, ::testing::StartsWith("filter,workload,slots,load,"));
  EXPECT_THAT(csv.out, HasSubstr("rsqf:r=8,hash,4096,0.95,"));
}

TEST(Bench, RefusesWhatMakesNoSense) {
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{
           {"bench", "--slots=many"},
           {"bench", "--workloads=query1"},
           {"bench", "--filters=nosuch:r=1"},
           {"bench", "--filters=rsqf:r=8,nosuch"},
           {"bench", "--filters=rsqf:q=8"},
           {"bench", "--load=2"},
           {"bench", "--repetitions=0"},
           {"bench", "--adapt-first=often"},
           {"bench", "--adapt-first=unique:inf"},
           {"bench", "--format=xml"}}) {
    const ToolRun run = RunForTest(bad);
    EXPECT_EQ(run.exit_status, 2) << bad[1];
    EXPECT_EQ(run.out, "") << bad[1];
    EXPECT_THAT(run.err, ::testing::StartsWith("tamis: ")) << bad[1];
  }
}

}  // namespace
}  // namespace tamis::tools
