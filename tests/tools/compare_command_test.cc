// `tamis compare` and `tamis demo` from the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tamis/serialize.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"
#include "workloads/zipf.h"

namespace tamis::tools {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class CompareCommand : public ::testing::Test {
 protected:
  // Writes Zipf queries, a number a line.
  std::string Queries(int count) const {
    workloads::ZipfStream zipf(
        {.seed = 1, .exponent = 1, .universe = 20'000, .scramble = true});
    std::string lines;
    for (int i = 0; i < count; ++i) lines += std::to_string(zipf.Next()) + '\n';
    return dir_.Write("queries.txt", lines);
  }
  static ToolRun Compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return RunForTest(arguments);
  }

  const workloads::TempDir dir_;
};

TEST_F(CompareCommand, NoFilterThatTakesPartExceedsTheBudget) {
  const ToolRun run = Compare({"--queries", Queries(60'000), "--members",
                               "1/10", "--bits-per-key", "12.6", "--seeds", "2",
                               "--no-timings", "--json", "--jobs", "2"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_GT(json["filters"].size(), 25u);
  double last = 0;
  for (const auto& one : json["filters"]) {
    SCOPED_TRACE(one["filter"].get<std::string>());
    EXPECT_LE(one["bits_per_key"], 12.6 * 1.01);
    EXPECT_GE(one["fpr"], last);  // sorted
    EXPECT_LE(one["fpr_low"], one["fpr"]);
    EXPECT_GE(one["fpr_high"], one["fpr"]);
    last = one["fpr"];
  }
  ASSERT_FALSE(json["does_not_fit"].empty());
  EXPECT_EQ(json["does_not_fit"][0]["filter"], "taf");
  EXPECT_GT(json["does_not_fit"][0]["min_bits_per_key"], 12.6);
  EXPECT_TRUE(json["recommendation"]["filter"].is_string());
}

TEST_F(CompareCommand, WhereNothingFitsNoFilterIsNamed) {
  const ToolRun run =
      Compare({"--queries", Queries(1'000), "--members", "1/10", "--filters",
               "utaf", "--bits-per-key", "4", "--json"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_TRUE(json["filters"].empty());
  EXPECT_TRUE(json["recommendation"]["filter"].is_null());
}

TEST_F(CompareCommand, CountsDoNotDependOnTheNumberOfJobs) {
  const std::string queries = Queries(20'000);
  const auto output = [&](const std::string& jobs) {
    return Compare({"--queries", queries, "--members", "1/5", "--filters",
                    "rsqf,cuckoo,bloom,cached(bloom):policy=topk", "--csv",
                    "--no-timings", "--jobs", jobs})
        .out;
  };
  EXPECT_EQ(output("1"), output("3"));
  EXPECT_THAT(output("1"), HasSubstr("cuckoo:f="));
}

TEST_F(CompareCommand, KeysOfTheSetMayComeFromAFile) {
  const std::string keys = dir_.Write("keys.txt", "a\nb\nc\nd\nd\n");
  const std::string queries = dir_.Write("q.txt", "a\nx\ny\na\nz\n");
  const ToolRun run =
      Compare({"--keys", keys, "--queries", queries, "--filters", "bloom",
               "--bits-per-key", "16", "--json"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["budget"]["keys"], 4);
  EXPECT_EQ(json["queries"], 5);
  EXPECT_EQ(json["negatives"], 3);
  EXPECT_GT(json["filters"][0]["ns_one_by_one"], 0);
}

TEST_F(CompareCommand, TheRecommendationComesFirst) {
  const ToolRun run = Compare({"--queries", Queries(60'000), "--members",
                               "1/10", "--filters", "rsqf,cached(rsqf),infini",
                               "--no-timings", "--max-queries", "50000"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("50000 queries"));
  EXPECT_THAT(run.out, HasSubstr("Recommendation\n- Take rsqf:r="));
  EXPECT_THAT(run.out, HasSubstr("reads fall from 50,000 to "));
  EXPECT_THAT(run.out, HasSubstr("how large the set becomes, take infini"));
  EXPECT_LT(run.out.find("Recommendation"), run.out.find("FPR %"));
}

TEST_F(CompareCommand, TheLastLineBuildsAFilterOfTheSameSize) {
  std::string lines;
  for (int i = 0; i < 5'000; ++i) lines += std::to_string(i) + '\n';
  const std::string keys = dir_.Write("keys.txt", lines);
  const std::string queries = Queries(20'000);
  for (const std::string filter : {"rsqf", "taf", "cuckoo", "bloom", "blocked",
                                   "cached(rsqf)", "infini:threshold=0.95"}) {
    SCOPED_TRACE(filter);
    const ToolRun run =
        Compare({"--keys", keys, "--queries", queries, "--filters", filter,
                 "--bits-per-key", "13", "--keys-in", "store", "--seeds", "1",
                 "--no-timings", "--json"});
    ASSERT_EQ(run.exit_status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    std::string line = json["recommendation"]["words"].back();
    ASSERT_THAT(line, ::testing::StartsWith("Build it: tamis build KEYS "));
    std::erase(line, '\'');  // of the shell
    std::istringstream words(line.substr(line.find("--filter")));
    std::vector<std::string> build = {
        "build", keys, "-o", dir_.Path("f.tamis"), "--seed", "7"};
    for (std::string word; words >> word;) build.push_back(word);
    ASSERT_EQ(RunForTest(build).exit_status, 0);
    const auto made = LoadAny(dir_.Path("f.tamis"));
    ASSERT_TRUE(made.ok());
    EXPECT_NEAR(made->stats().BitsPerKey(), json["filters"][0]["bits_per_key"],
                0.1);
  }
}

TEST_F(CompareCommand, WhereTheKeysAreDecidesWhatFits) {
  const std::string queries = Queries(20'000);
  const auto json = [&](const std::string& keys_in) {
    const ToolRun run =
        Compare({"--queries", queries, "--members", "1/10", "--filters",
                 "taf,cuckooing,rsqf", "--seeds", "1", "--no-timings",
                 "--keys-in", keys_in, "--bits-per-key", "13", "--json"});
    EXPECT_EQ(run.exit_status, 0) << run.err;
    return nlohmann::json::parse(run.out);
  };
  const auto ram = json("ram");
  EXPECT_EQ(ram["keys_in"], "ram");
  EXPECT_EQ(ram["filters"].size(), 1u) << "a mirror does not fit";
  for (const auto& one : ram["does_not_fit"]) {
    EXPECT_GT(one["min_bits_per_key"], 130) << one["filter"];
  }
  const auto store = json("store");
  ASSERT_EQ(store["filters"].size(), 2u) << "the cuckoo kinds keep theirs";
  for (const auto& one : store["filters"]) {
    EXPECT_EQ(one["side_bits_per_key"], 0);
    EXPECT_LE(one["bits_per_key"], 13.2);
  }
  EXPECT_EQ(store["does_not_fit"][0]["filter"], "cuckooing");
}

TEST_F(CompareCommand, ASweepSaysHowManyBitsToTake) {
  const std::string out = dir_.Path("report");
  const ToolRun run =
      Compare({"--queries", Queries(60'000), "--members", "1/10", "--filters",
               "rsqf,bloom", "--seeds", "1", "--no-timings", "--bits-per-key",
               "8..20:4", "--out", out});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, ::testing::StartsWith("Take "));
  EXPECT_THAT(run.out, HasSubstr(" bits a key: "));
  for (const char* bits : {" 8 ", " 12 ", " 16 ", " 20 "}) {
    EXPECT_THAT(run.out, HasSubstr(bits));
  }
  const auto json = nlohmann::json::parse(Contents(out + "/report.json"));
  const auto& sizes = json["sections"][1];
  EXPECT_EQ(sizes["name"], "compare-sizes");
  EXPECT_EQ(sizes["tables"][0]["rows"].size(), 4u);
  // Of the best, more bits never make more mistakes.
  const auto& front = sizes["charts"][0]["series"][0]["points"];
  ASSERT_GE(front.size(), 2u);
  for (size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i][0], front[i - 1][0]);
    EXPECT_LT(front[i][1], front[i - 1][1]);
  }
}

TEST_F(CompareCommand, OneSeedIsNoMean) {
  const ToolRun run =
      Compare({"--queries", Queries(20'000), "--members", "1/10", "--filters",
               "bloom", "--seeds", "1", "--no-timings"});
  EXPECT_THAT(run.out, HasSubstr("counted under one seed of the hashes"));
  EXPECT_THAT(run.out, Not(HasSubstr("1 seeds")));
}

TEST_F(CompareCommand, TheTextFitsATerminal) {
  const ToolRun run = Compare({"--queries", Queries(60'000), "--members",
                               "1/10", "--seeds", "1", "--no-timings"});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
  }
  EXPECT_THAT(run.out, HasSubstr("taf: needs "));
}

TEST_F(CompareCommand, WhatDoesNotFitIsInEveryFormat) {
  const std::string queries = Queries(20'000);
  const auto output = [&](const std::string& format) {
    return Compare({"--queries", queries, "--members", "1/9", "--filters",
                    "bloom,utaf,cuckoo:f=11,k=2,b=1", "--no-timings", format})
        .out;
  };
  EXPECT_THAT(output("--csv"), HasSubstr("utaf,,,"));
  EXPECT_THAT(output("--csv"),
              ContainsRegex("needs 1[0-9][0-9][.][0-9]* bits a key in all, at "
                            "least\"\n"));
  EXPECT_THAT(output("--csv"), HasSubstr(",keys could not be placed at load"));
  const auto json = nlohmann::json::parse(output("--json"));
  ASSERT_EQ(json["does_not_fit"].size(), 2u);
  EXPECT_EQ(json["does_not_fit"][0]["reason"], "too large");
  EXPECT_TRUE(json["does_not_fit"][1]["min_bits_per_key"].is_null());
  EXPECT_THAT(json["does_not_fit"][1]["reason"].get<std::string>(),
              HasSubstr("keys could not be placed"));
}

TEST_F(CompareCommand, QueriesThatMeasureLittleAreNoted) {
  const auto output = [&](const std::string& keys, const std::string& queries) {
    return Compare({"--keys", dir_.Write("k.txt", keys), "--queries",
                    dir_.Write("q.txt", queries), "--filters", "bloom",
                    "--no-timings"});
  };
  EXPECT_THAT(output("a\nb\n", "x\ny\n").out,
              AllOf(HasSubstr("no query is of a key in the set"),
                    HasSubstr("50 % of a run's queries")));
  EXPECT_THAT(output("a\nb\n", "a\nx\n").out,
              Not(HasSubstr("no query is of a key in the set")));
  const ToolRun all = output("a\nb\n", "a\na\n");
  EXPECT_EQ(all.exit_status, 1);
  EXPECT_THAT(all.err, HasSubstr("all queries are of keys in the set"));
}

TEST_F(CompareCommand, TheReportSaysWhatToTypeToMakeItAgain) {
  const std::string out = dir_.Path("re port");
  const std::vector<std::string> arguments = {
      "--queries",    Queries(20'000), "--members", "1/10",
      "--filters",    "bloom,taf",     "--seeds",   "2",
      "--no-timings", "--out",         out};
  ASSERT_EQ(Compare(arguments).exit_status, 0);
  const auto json = nlohmann::json::parse(Contents(out + "/report.json"));
  EXPECT_THAT(json["title"].get<std::string>(),
              ::testing::StartsWith("Take bloom:bits="));
  EXPECT_THAT(json["title"].get<std::string>(), HasSubstr(": reads fall from"));
  EXPECT_EQ(json["tiles"].size(), 3u);
  EXPECT_EQ(json["tiles"][0]["meaning"], "wasted reads");
  EXPECT_THAT(Contents(out + "/index.html"),
              HasSubstr("Which filter for queries.txt, one key in 10 a "
                        "member?"));
  EXPECT_THAT(json["build"].get<std::string>(),
              ::testing::StartsWith("tamis build KEYS "));
  EXPECT_EQ(json["command"],
            "tamis compare --queries " + dir_.Path("queries.txt") +
                " --members 1/10 --filters bloom,taf --seeds 2 --no-timings "
                "--out '" +
                out + "'");
}

TEST_F(CompareCommand, TheReportIsWrittenAndItsPlaceIsSaid) {
  const std::string out = dir_.Path("report");
  const ToolRun run =
      Compare({"--queries", Queries(20'000), "--members", "1/10", "--filters",
               "bloom,rsqf", "--no-timings", "--out", out});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr(out + "/index.html"));
  EXPECT_TRUE(std::filesystem::exists(out + "/index.html"));
  EXPECT_TRUE(std::filesystem::exists(out + "/compare-1.csv"));
}

TEST_F(CompareCommand, WrongUsageIsExplained) {
  const std::string queries = Queries(100);
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--queries", queries};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ToolRun run = Compare(arguments);
    EXPECT_EQ(run.exit_status, 2);
    return run.err;
  };
  EXPECT_THAT(error({}), HasSubstr("either --keys FILE or --members 1/m"));
  EXPECT_THAT(error({"--members", "1/2", "--keys", queries}),
              HasSubstr("either --keys"));
  EXPECT_THAT(error({"--members", "10"}), HasSubstr("expected 1/m"));
  EXPECT_THAT(error({"--members", "1/1"}), HasSubstr("2 or more"));
  EXPECT_THAT(error({"--members", "1/3", "--filters", "sieve"}),
              HasSubstr("no filter 'sieve'"));
  EXPECT_THAT(error({"--members", "1/3", "--bits-per-key", "0"}),
              HasSubstr("bits-per-key"));
  EXPECT_THAT(error({"--members", "1/3", "--max-queries", "0"}),
              HasSubstr("max-queries"));
  EXPECT_THAT(error({"--members", "1/3", "--csv", "--json"}),
              HasSubstr("excludes"));
  EXPECT_EQ(Compare({"--members", "1/3"}).exit_status, 2);
}

TEST_F(CompareCommand, AnEmptyFolderIsNoFolder) {
  const std::vector<std::string> compare = {
      "compare", "--queries", Queries(100), "--members",
      "1/3",     "--filters", "bloom",      "--no-timings"};
  const std::vector<std::string> reproduce = {"reproduce", "taf-selectors"};
  for (const std::vector<std::string>& command :
       {compare, reproduce, {"demo", "--seeds", "1"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--out", ""});
    ToolRun run = RunForTest(arguments);
    EXPECT_EQ(run.exit_status, kExitUsageError) << command[0];
    EXPECT_EQ(run.err, "tamis: the argument after --out is empty\n");
    arguments = command;
    arguments.insert(arguments.begin() + 1, "--out=");
    run = RunForTest(arguments);
    EXPECT_EQ(run.exit_status, kExitUsageError) << command[0];
    EXPECT_EQ(run.err, "tamis: --out= has no value\n");
  }
}

TEST_F(CompareCommand, OnlyOneFileCanBeStandardInput) {
  const ToolRun run = Compare({"--queries", "-", "--keys", "-"});
  EXPECT_EQ(run.exit_status, kExitUsageError);
  EXPECT_THAT(run.err, HasSubstr("only one can be standard input"));
}

TEST_F(CompareCommand, FilesWithNothingInThemAreNamed) {
  dir_.Write("empty.txt", "");
  dir_.Write("one.txt", "a\n");
  const auto error = [&](const std::string& keys, const std::string& queries) {
    const ToolRun run =
        Compare({"--keys", dir_.Path(keys), "--queries", dir_.Path(queries)});
    EXPECT_EQ(run.exit_status, kExitDataError);
    return run.err;
  };
  EXPECT_THAT(error("empty.txt", "one.txt"),
              HasSubstr("empty.txt: there are no keys in the set"));
  EXPECT_THAT(error("one.txt", "empty.txt"),
              HasSubstr("empty.txt: there are no queries"));
  const ToolRun drawn =
      Compare({"--queries", dir_.Path("one.txt"), "--members", "1/1000000"});
  EXPECT_EQ(drawn.exit_status, kExitDataError);
  EXPECT_THAT(drawn.err, HasSubstr("one.txt: there are no keys in the set: "
                                   "--members 1/1000000 chose none"));
}

TEST_F(CompareCommand, AListOfFiltersMayHaveAllAndRepetitions) {
  const std::string queries = Queries(20'000);
  const auto filters = [&](const std::string& list) {
    const ToolRun run =
        Compare({"--queries", queries, "--members", "1/10", "--filters", list,
                 "--seeds", "1", "--no-timings", "--json"});
    EXPECT_EQ(run.exit_status, kExitOk) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    return json["filters"].size() + json["does_not_fit"].size();
  };
  EXPECT_EQ(filters("taf,taf,taf:overflow=refuse"), 1u);
  const size_t all = filters("all");
  EXPECT_EQ(filters("all,taf"), all);
  EXPECT_EQ(filters("taf:r=7,all"), all + 1);
}

TEST_F(CompareCommand, BadDataIsNamed) {
  const auto error = [](const std::string& file) {
    const ToolRun run = Compare({"--queries", file, "--members", "1/2"});
    EXPECT_EQ(run.exit_status, 1);
    return run.err;
  };
  EXPECT_THAT(error(dir_.Path("none.txt")), HasSubstr("none.txt"));
  EXPECT_THAT(error(dir_.Path(".")), HasSubstr(dir_.Path(".")));
  EXPECT_THAT(error(dir_.Write("stray.u64", "0123456789")),
              HasSubstr("stray.u64"));
  EXPECT_THAT(error(dir_.Write("empty.txt", "")),
              HasSubstr("there are no queries"));
}

TEST_F(CompareCommand, TheDemoComparesAllFiltersAndWritesAReport) {
  const std::string out = dir_.Path("demo");
  const ToolRun run =
      RunForTest({"demo", "--queries", "30000", "--seeds", "1", "--out", out});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("FireHose active set"));
  EXPECT_THAT(run.out, HasSubstr("Recommendation\n- Take "));
  EXPECT_TRUE(std::filesystem::exists(out + "/index.html"));
}

}  // namespace
}  // namespace tamis::tools
