// `tamis add` and `tamis remove`, and `tamis query --invert`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Updates : public ::testing::Test {
 protected:
  std::string Keys(const std::string& name, int begin, int end) {
    std::string lines;
    for (int i = begin; i < end; ++i) lines += "key" + std::to_string(i) + "\n";
    return dir_.Write(name, lines);
  }
  std::string Build(const std::string& keys, const std::string& spec,
                    const std::string& slots = "2^11") {
    const std::string path = dir_.Path("f.tamis");
    const ToolRun run = RunForTest({"build", keys, "-o", path, "--filter", spec,
                                    "--seed", "1", "--slots", slots});
    EXPECT_EQ(run.exit_status, kExitOk) << run.err;
    return path;
  }
  static std::string Count(const std::string& filter, const std::string& keys) {
    return RunForTest({"query", filter, keys, "--count"}).out;
  }

  workloads::TempDir dir_;
};

TEST_F(Updates, AddedKeysAreIn) {
  for (const char* spec : {"rsqf:r=16", "bloom:bits=20", "cuckoo:f=16", "taf",
                           "tamis", "infini", "cuckooing:f=12"}) {
    const std::string filter = Build(Keys("a.txt", 0, 1000), spec);
    const std::string more = Keys("b.txt", 1000, 1500);
    const ToolRun add = RunForTest({"add", filter, more});
    ASSERT_EQ(add.exit_status, kExitOk) << spec << ": " << add.err;
    EXPECT_THAT(add.err, StartsWith(filter + ": 500 keys added; "));
    EXPECT_EQ(Count(filter, Keys("all.txt", 0, 1500)), "1500\n") << spec;
  }
}

TEST_F(Updates, RemovedKeysAreOutAndTheOthersStay) {
  for (const char* spec : {"rsqf:r=24", "cuckoo:f=24", "taf:r=16", "tamis:f=24",
                           "cuckooing:f=24"}) {
    const std::string filter = Build(Keys("a.txt", 0, 1000), spec);
    const std::string gone = Keys("b.txt", 0, 400);
    const ToolRun remove = RunForTest({"remove", filter, gone, "--json"});
    ASSERT_EQ(remove.exit_status, kExitOk) << spec << ": " << remove.err;
    EXPECT_EQ(nlohmann::json::parse(remove.out)["changed"], 400);
    EXPECT_EQ(nlohmann::json::parse(remove.out)["keys"], 600);
    EXPECT_EQ(Count(filter, gone), "0\n") << spec;
    EXPECT_EQ(Count(filter, Keys("rest.txt", 400, 1000)), "600\n") << spec;
  }
}

TEST_F(Updates, AFullFilterIsLeftAsItWas) {
  const std::string filter = Build(Keys("a.txt", 0, 1000), "rsqf:r=8", "1100");
  const std::string before = Contents(filter);
  const ToolRun add = RunForTest({"add", filter, Keys("b.txt", 1000, 3000)});
  EXPECT_EQ(add.exit_status, kExitDataError);
  EXPECT_THAT(add.err, HasSubstr("of 2000 keys; nothing was written"));
  EXPECT_EQ(Contents(filter), before);
}

TEST_F(Updates, KeysThatAreNotThereAreNotRemoved) {
  const std::string filter = Build(Keys("a.txt", 0, 1000), "rsqf:r=32");
  const std::string before = Contents(filter);
  const std::string some = Keys("b.txt", 990, 1010);
  const ToolRun remove = RunForTest({"remove", filter, some});
  EXPECT_EQ(remove.exit_status, kExitDataError);
  EXPECT_THAT(remove.err, HasSubstr("10 of 20 keys are certainly not in it"));
  EXPECT_EQ(Contents(filter), before);
  const ToolRun skip = RunForTest({"remove", filter, some, "--skip-absent"});
  EXPECT_EQ(skip.exit_status, kExitOk) << skip.err;
  EXPECT_THAT(skip.err, HasSubstr("10 keys removed"));
  EXPECT_EQ(Count(filter, Keys("rest.txt", 0, 990)), "990\n");
}

TEST_F(Updates, FiltersThatCantEraseSayso) {
  const std::string filter = Build(Keys("a.txt", 0, 10), "bloom:bits=12");
  const ToolRun remove = RunForTest({"remove", filter, Keys("b.txt", 0, 1)});
  EXPECT_EQ(remove.exit_status, kExitDataError);
  EXPECT_THAT(remove.err, HasSubstr("can't remove keys"));
}

TEST_F(Updates, KeysOfAnotherFormAreRefused) {
  const std::string filter = Build(Keys("a.txt", 0, 10), "rsqf:r=8");
  const std::string numbers = dir_.Write("n.u64", std::string(16, '\1'));
  const ToolRun add = RunForTest({"add", filter, numbers});
  EXPECT_EQ(add.exit_status, kExitUsageError);
  EXPECT_THAT(add.err, HasSubstr("built from text keys"));
  EXPECT_EQ(RunForTest({"add", filter, filter}).exit_status, kExitUsageError);
}

TEST_F(Updates, QueryCanPrintWhatIsNotIn) {
  const std::string filter = Build(Keys("a.txt", 0, 100), "rsqf:r=32");
  const std::string asked = Keys("q.txt", 98, 102);
  EXPECT_EQ(RunForTest({"query", filter, asked}).out, "key98\nkey99\n");
  EXPECT_EQ(RunForTest({"query", filter, asked, "--invert"}).out,
            "key100\nkey101\n");
  EXPECT_EQ(RunForTest({"query", filter, asked, "--invert", "--count"}).out,
            "2\n");
}

}  // namespace
}  // namespace tamis::tools
