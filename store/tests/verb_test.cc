// `tamis store`: what the command prints and how it ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "store/tests/temp_store.h"
#include "tools/run_tool.h"

namespace tamis::tools {
namespace {

using testing::HasSubstr;

struct ToolRun {
  int exit_status;
  std::string out;
  std::string err;
};

ToolRun Tool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "store");
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int exit_status = RunTool(arguments, {in, out, err});
  return {exit_status, out.str(), err.str()};
}

TEST(StoreVerb, ALifeOfAStore) {
  const TempDir dir;
  const std::string store = dir / "s";
  std::ofstream(dir / "users.tsv") << "ada\t1815\nbob\t2\ncarl\t3\n";
  const ToolRun load =
      Tool({"load", store, dir / "users.tsv", "--separator", "\t"});
  EXPECT_EQ(load.exit_status, 0) << load.err;
  EXPECT_THAT(load.out, HasSubstr("3 of them new keys"));
  EXPECT_EQ(Tool({"put", store, "dora", "4"}).exit_status, 0);
  EXPECT_EQ(Tool({"get", store, "ada"}).out, "1815\n");
  EXPECT_EQ(Tool({"delete", store, "bob", "nobody"}).exit_status, 0);
  const ToolRun gone = Tool({"get", store, "bob"});
  EXPECT_EQ(gone.exit_status, 1);
  EXPECT_THAT(gone.err, HasSubstr("no such key"));
  EXPECT_THAT(Tool({"get", store, "ada", "bob", "--json"}).out,
              HasSubstr("{\"key\":\"bob\",\"found\":false}"));
  EXPECT_THAT(Tool({"scan", store}).out, HasSubstr("carl\t3\n"));
  EXPECT_THAT(Tool({"stats", store, "--json"}).out, HasSubstr("\"keys\": 3"));
  EXPECT_THAT(Tool({"check", store}).out,
              HasSubstr("3 keys, each once in the filter"));
  EXPECT_EQ(Tool({"rebuild", store, "--expected-keys", "100"}).exit_status, 0);
  EXPECT_EQ(Tool({"backup", dir / "b", "--store", store}).exit_status, 0);
  EXPECT_EQ(Tool({"backup", dir / "b", "--restore", dir / "r"}).exit_status, 0);
  EXPECT_EQ(Tool({"get", dir / "r", "dora"}).out, "4\n");
}

TEST(StoreVerb, MistakesHaveTheirExitStatus) {
  const TempDir dir;
  EXPECT_EQ(Tool({"get", dir / "none", "a"}).exit_status, 1);
  EXPECT_FALSE(std::filesystem::exists(dir / "none"));
  EXPECT_EQ(Tool({"get"}).exit_status, 2);
  EXPECT_EQ(Tool({}).exit_status, 2);
  EXPECT_EQ(Tool({"load", dir / "s", dir / "no-file"}).exit_status, 1);
  EXPECT_EQ(Tool({"backup", dir / "b"}).exit_status, 2);
  EXPECT_EQ(Tool({"--help"}).exit_status, 0);
}

// What is not asked for stays: a rebuild used to forget both.
TEST(StoreVerb, RebuildKeepsTheFormUnlessAsked) {
  const TempDir dir;
  const std::string store = dir / "s";
  const auto form = [&] { return Store::FilterForm(store).value(); };
  EXPECT_EQ(
      Tool({"put", store, "a", "b", "--bits", "14", "--expected-keys", "5000"})
          .exit_status,
      0);
  EXPECT_EQ(Tool({"rebuild", store}).exit_status, 0);
  EXPECT_EQ(form().fingerprint_bits, 14);
  EXPECT_EQ(form().expected_keys, 5000u);
  EXPECT_FALSE(form().grow);
  EXPECT_EQ(Tool({"rebuild", store, "--bits", "9"}).exit_status, 0);
  EXPECT_EQ(form().fingerprint_bits, 9);
  EXPECT_FALSE(form().grow);
  EXPECT_EQ(Tool({"rebuild", store, "--expected-keys", "0"}).exit_status, 0);
  EXPECT_EQ(form().fingerprint_bits, 9);
  EXPECT_TRUE(form().grow);
  EXPECT_EQ(Tool({"get", store, "a"}).out, "b\n");
  EXPECT_EQ(Tool({"rebuild", dir / "none"}).exit_status, 1);
  EXPECT_FALSE(std::filesystem::exists(dir / "none"));
}

TEST(StoreVerb, TakesEmptyKeysAndValues) {
  const TempDir dir;
  const std::string store = dir / "s";
  EXPECT_EQ(Tool({"put", store, "a", ""}).exit_status, 0);
  EXPECT_EQ(Tool({"put", store, "", "nobody"}).exit_status, 0);
  EXPECT_EQ(Tool({"get", store, "a", ""}).out, "\nnobody\n");
  EXPECT_EQ(Tool({"delete", store, ""}).exit_status, 0);
  EXPECT_EQ(Tool({"get", store, ""}).exit_status, 1);
  EXPECT_EQ(Tool({"get", ""}).exit_status, 2) << "a store has a name";
  EXPECT_EQ(Tool({"put", store, "a", "b", "--order", ""}).exit_status, 2);
}

TEST(StoreVerb, SaysWhatIsInTheWay) {
  const TempDir dir;
  std::ofstream keys(dir / "keys");
  for (int i = 0; i < 2000; ++i) keys << i << '\n';
  keys.close();
  const ToolRun full =
      Tool({"load", dir / "s", dir / "keys", "--expected-keys", "1000"});
  EXPECT_EQ(full.exit_status, 1);
  EXPECT_THAT(full.err, HasSubstr("made for 1000 keys"));
  const ToolRun order = Tool({"put", dir / "s", "a", "b", "--order", "key"});
  EXPECT_EQ(order.exit_status, 2);
  EXPECT_THAT(order.err, HasSubstr("the other order"));
  EXPECT_EQ(Tool({"put", dir / "s", "a", "b", "--order", "hash"}).exit_status,
            0);
  const ToolRun attach = Tool({"attach", dir / "s"});
  EXPECT_EQ(attach.exit_status, 2);
  EXPECT_THAT(attach.err, HasSubstr("is a store"));
  EXPECT_THAT(Tool({"attach", dir / "none"}).err,
              HasSubstr("there is no database"));
  const auto store = MustOpen(dir / "s");
  const ToolRun open = Tool({"get", dir / "s", "a"});
  EXPECT_EQ(open.exit_status, 1);
  EXPECT_THAT(open.err, HasSubstr("is open already"));
}

TEST(StoreVerb, AttachAndDetach) {
  const TempDir dir;
  {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, dir / "db", &db).ok());
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(db->Put({}, std::to_string(i), "v").ok());
    }
    delete db;
  }
  EXPECT_THAT(Tool({"attach", dir / "db"}).out, HasSubstr("built: 100 keys"));
  EXPECT_THAT(Tool({"attach", dir / "db"}).out,
              HasSubstr("up to date: 100 keys"));
  EXPECT_EQ(Tool({"detach", dir / "db"}).exit_status, 0);
  EXPECT_EQ(Tool({"detach", dir / "db"}).exit_status, 1);
  EXPECT_EQ(Tool({"attach", dir / "none"}).exit_status, 1);
}

TEST(StoreVerb, ReplayWritesAReport) {
  const TempDir dir;
  const ToolRun run =
      Tool({"replay", "demo", "--demo-queries", "20000", "--folder",
            dir / "databases", "--out", dir / "report"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("RocksDB, Ribbon"));
  EXPECT_TRUE(std::filesystem::exists(dir / "report/index.html"));
}

TEST(StoreVerb, MeasureRuns) {
  const TempDir dir;
  const std::vector<std::string> common = {
      "measure", "--folder", dir / "d", "--keys", "10000", "--queries", "2000"};
  std::vector<std::string> prepare = common;
  prepare.emplace_back("--prepare");
  EXPECT_EQ(Tool(prepare).exit_status, 0);
  const ToolRun run = Tool(common);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("ycsb f"));
}

}  // namespace
}  // namespace tamis::tools
