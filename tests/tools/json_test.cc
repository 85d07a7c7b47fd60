// --json of the verbs that tell something: valid, with the keys that their help
// lists.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tool_runner.h"
#include "tools/lab_door.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> KeysOf(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

// Checks that the help of the verb names every key.
void ExpectDocumented(const std::string& verb, const Json& json) {
  const std::string help = RunForTest({verb, "--help"}).out;
  for (const std::string& key : KeysOf(json)) {
    EXPECT_THAT(help, HasSubstr('"' + key + '"')) << verb;
  }
}

class JsonOutput : public ::testing::Test {
 protected:
  ToolRun Build(const std::string& name, int first) const {
    std::string keys = std::to_string(first) + '\n';  // comes again
    for (int i = first; i < first + 1000; ++i) keys += std::to_string(i) + '\n';
    return RunForTest({"build", dir_.Write("keys.txt", keys), "-o",
                       dir_.Path(name), "--seed", "1", "--slots", "4096",
                       "--filter", "rsqf", "--json"});
  }

  const workloads::TempDir dir_;
};

TEST_F(JsonOutput, OfBuildAndMerge) {
  const ToolRun build = Build("a.tamis", 0);
  ASSERT_EQ(build.exit_status, kExitOk) << build.err;
  const Json built = Json::parse(build.out);
  EXPECT_EQ(built["file"], dir_.Path("a.tamis"));
  EXPECT_EQ(built["filter"], "rsqf:r=8");
  EXPECT_EQ(built["keys"], 1000);
  EXPECT_EQ(built["keys_read"], 1001);
  ExpectDocumented("build", built);
  Build("b.tamis", 5000);
  const ToolRun merge =
      RunForTest({"merge", dir_.Path("a.tamis"), dir_.Path("b.tamis"), "-o",
                  dir_.Path("c.tamis"), "--json"});
  const Json merged = Json::parse(merge.out);
  EXPECT_EQ(merged["keys"], 2000);
  EXPECT_GT(merged["bits_per_key"], 0);
  ExpectDocumented("merge", merged);
}

TEST_F(JsonOutput, OfVerifyNamesGoodAndBadFiles) {
  Build("a.tamis", 0);
  dir_.Write("b.tamis", "no filter");
  const ToolRun run = RunForTest(
      {"verify", dir_.Path("a.tamis"), dir_.Path("b.tamis"), "--json"});
  EXPECT_EQ(run.exit_status, kExitDataError);
  const Json json = Json::parse(run.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["ok"], true);
  EXPECT_EQ(json[0]["keys"], 1000);
  EXPECT_TRUE(json[0]["error"].is_null());
  EXPECT_EQ(json[1]["ok"], false);
  EXPECT_TRUE(json[1]["filter"].is_null());
  EXPECT_THAT(json[1]["error"].get<std::string>(), HasSubstr("b.tamis"));
  ExpectDocumented("verify", json[0]);
}

TEST_F(JsonOutput, OfBenchIsThatOfItsFormat) {
  const std::vector<std::string> tiny = {
      "bench",          "--slots=2^12",       "--repetitions=1",
      "--queries=1000", "--fpr-queries=1000", "--workloads=hash"};
  std::vector<std::string> arguments = tiny;
  arguments.emplace_back("--json");
  const ToolRun run = RunForTest(arguments);
  ASSERT_EQ(run.exit_status, kExitOk) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_THAT(KeysOf(json), ElementsAre("machine", "rows", "notes"));
  ExpectDocumented("bench", json);
  ExpectDocumented("bench", json["rows"][0]);
  arguments.emplace_back("--format=csv");
  EXPECT_EQ(RunForTest(arguments).exit_status, kExitUsageError);
}

TEST_F(JsonOutput, OfTheDemoIsThatOfACompare) {
  const ToolRun run =
      RunForTest({"demo", "--queries", "10000", "--seeds", "1", "--no-timings",
                  "--out", dir_.Path("report"), "--json"});
  ASSERT_EQ(run.exit_status, kExitOk) << run.err;
  EXPECT_GT(Json::parse(run.out)["filters"].size(), 20u);
}

TEST_F(JsonOutput, OfTheListOfExperiments) {
  if (ExperimentNames().empty()) GTEST_SKIP() << "built without the lab";
  const Json json =
      Json::parse(RunForTest({"reproduce", "list", "--json"}).out);
  ASSERT_GT(json.size(), 20u);
  EXPECT_THAT(KeysOf(json[0]), ElementsAre("name", "source", "title", "timed"));
  ExpectDocumented("reproduce", json[0]);
}

}  // namespace
}  // namespace tamis::tools
