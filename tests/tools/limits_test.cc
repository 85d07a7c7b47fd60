// Limits of the system: too little memory, a file that may not grow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using workloads::TempDir;

// Runs the program in `dir` after `limit`, a command of the shell.
int ExitStatusUnder(const std::string& limit, const std::string& arguments,
                    const TempDir& dir) {
  const int how = system(("cd " + dir.Path(".") + " && " + limit + " && '" +
                          TAMIS_TOOL_PATH "' " + arguments + " 2>err")
                             .c_str());
  return WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how);
}

TEST(Limits, AFileThatMayNotGrowLeavesNoTemporary) {
  const TempDir dir;
  dir.Write("keys.txt", "a\nb\n");
  dir.Write("f.tamis", "old");
  for (const char* arguments :
       {"build keys.txt -o f.tamis --filter rsqf:r=8 --slots 2^20",
        "generate flows --count 2^20 -o f.tamis"}) {
    EXPECT_EQ(ExitStatusUnder("ulimit -f 16", arguments, dir), kExitDataError);
    EXPECT_THAT(Contents(dir.Path("err")), HasSubstr("File too large"));
    EXPECT_EQ(Contents(dir.Path("f.tamis")), "old");
    EXPECT_EQ(dir.Files(),
              (std::vector<std::string>{"err", "f.tamis", "keys.txt"}));
  }
}

TEST(Limits, TooLittleMemorySaysForWhat) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more memory than any limit here";
#endif
  const TempDir dir;
  dir.Write("keys.u64", "");
  std::filesystem::resize_file(dir.Path("keys.u64"), 80'000'000);  // zeros
  EXPECT_EQ(ExitStatusUnder("ulimit -v 150000",
                            "build keys.u64 -o f.tamis --filter rsqf:r=8", dir),
            kExitDataError);
  EXPECT_EQ(Contents(dir.Path("err")),
            "tamis: not enough memory for: tamis build keys.u64 -o f.tamis "
            "--filter rsqf:r=8\n");
}

}  // namespace
}  // namespace tamis::tools
