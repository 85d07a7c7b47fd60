// `tamis generate`, called as the command calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/tool_runner.h"
#include "workloads/key_stream.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using workloads::TakeKeys;
using workloads::TempDir;

ToolRun Generate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "generate");
  return RunForTest(arguments);
}

std::string AsText(const std::vector<uint64_t>& keys) {
  std::string text;
  for (const uint64_t key : keys) text += std::to_string(key) + "\n";
  return text;
}

TEST(Generate, WritesTextToStandardOutput) {
  const ToolRun run = Generate({"firehose-active", "--count", "5"});
  EXPECT_EQ(run.exit_status, kExitOk) << run.err;
  EXPECT_EQ(run.out,
            "11155941130799625767\n6790973440189073475\n6804519224468018232\n"
            "13463958296107302088\n16996825731739252748\n");
  EXPECT_EQ(run.err, "");
}

TEST(Generate, OptionsAreParametersOfTheWorkload) {
  const ToolRun run =
      Generate({"zipf:scramble=no", "--exponent", "1.2", "--seed", "7",
                "--universe", "90", "--count", "20000"});
  EXPECT_EQ(run.out,
            AsText(TakeKeys("zipf:scramble=no,exponent=1.2,seed=7,universe=90",
                            20'000)
                       .value()));
}

TEST(Generate, WritesU64ByExtensionOrByName) {
  const TempDir dir;
  const std::string path = dir.Path("a.u64");
  EXPECT_EQ(Generate({"flows", "--count", "2^14", "-o", path}).exit_status,
            kExitOk);
  const ToolRun piped =
      Generate({"flows", "--count", "16384", "--format", "u64"});
  EXPECT_EQ(Contents(path), piped.out);
  EXPECT_EQ(piped.out.size(), 8u * 16'384);
  EXPECT_EQ(Generate({"replay", "--file", path}).out,
            AsText(TakeKeys("flows", 16'384).value()));
  EXPECT_EQ(Generate({"replay", "--file", path, "--count", "3"}).out,
            AsText(TakeKeys("flows", 3).value()));
}

TEST(Generate, WritesGrowthAsOperations) {
  const ToolRun run = Generate({"growth:erase=1,order=oldest", "--count", "2"});
  const std::string key =
      std::to_string(TakeKeys("distinct", 1).value().front());
  EXPECT_EQ(run.out, "insert " + key + "\nerase " + key + "\n");
}

TEST(Generate, WrongUsageExitsWithTwo) {
  const auto error = [](std::vector<std::string> arguments) {
    const ToolRun run = Generate(std::move(arguments));
    EXPECT_EQ(run.exit_status, kExitUsageError) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(error({"zipf"}), HasSubstr("--count"));
  for (const auto& arguments :
       {std::vector<std::string>{"zip"}, {"zip", "--count", "1"}}) {
    EXPECT_THAT(
        error(arguments),
        HasSubstr("unknown workload 'zip' (did you mean 'zipf'?); known "
                  "are firehose-active"));
    EXPECT_THAT(error(arguments), HasSubstr(", replay, growth\n"));
  }
  EXPECT_THAT(error({"growth", "--count", "1", "--format", "u64"}),
              HasSubstr("written as text"));
  EXPECT_THAT(error({"flows", "--count", "1", "--format", "pcap"}),
              HasSubstr("expected text or u64"));
  EXPECT_THAT(error({"flows", "--count", "many"}), HasSubstr("many"));
}

TEST(Generate, WrongUsageLeavesNoFile) {
  const TempDir dir;
  for (const char* name : {"a.u64", "a.u64.zst"}) {
    const std::string path = dir.Path(name);
    EXPECT_EQ(Generate({"zip", "--count", "1", "-o", path}).exit_status,
              kExitUsageError);
    EXPECT_FALSE(std::filesystem::exists(path)) << path;
  }
}

TEST(Generate, DoesNotWriteOverTheFileItReads) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", "one\ntwo\nthree\n");
  std::filesystem::create_symlink(keys, dir.Path("symlink"));
  std::filesystem::create_hard_link(keys, dir.Path("hardlink"));
  for (const char* name : {"keys.txt", "./keys.txt", "symlink", "hardlink"}) {
    const ToolRun run =
        Generate({"replay", "--file", keys, "-o", dir.Path(name)});
    EXPECT_EQ(run.exit_status, kExitUsageError) << name;
    EXPECT_THAT(run.err, HasSubstr("is the file of the keys")) << name;
    EXPECT_EQ(Contents(keys), "one\ntwo\nthree\n") << name;
  }
}

TEST(Generate, AFailureLeavesTheOldFile) {
  const TempDir dir;
  const std::string torn = dir.Write("torn.u64", "a key and half");
  const std::string old = dir.Write("old.txt", "old\n");
  EXPECT_EQ(Generate({"replay", "--file", torn, "-o", old}).exit_status,
            kExitDataError);
  EXPECT_EQ(Contents(old), "old\n");
  EXPECT_EQ(Generate({"replay", "--file", torn, "-o", dir.Path("new.txt")})
                .exit_status,
            kExitDataError);
  EXPECT_EQ(dir.Files(), (std::vector<std::string>{"old.txt", "torn.u64"}));
}

TEST(Generate, WritesToDevices) {
  EXPECT_EQ(Generate({"flows", "--count", "9", "-o", "/dev/null"}).exit_status,
            kExitOk);
  EXPECT_EQ(Generate({"flows", "--count", "9", "-o", "/dev/full"}).exit_status,
            kExitDataError);
}

TEST(Generate, BadDataExitsWithOne) {
  const TempDir dir;
  const ToolRun missing = Generate({"replay", "--file", dir.Path("none")});
  EXPECT_EQ(missing.exit_status, kExitDataError);
  EXPECT_THAT(missing.err, HasSubstr("No such file"));
  const ToolRun unwritable =
      Generate({"flows", "--count", "1", "-o", dir.Path("no/such/folder")});
  EXPECT_EQ(unwritable.exit_status, kExitDataError);
  EXPECT_THAT(unwritable.err, HasSubstr("can't create"));
}

TEST(Generate, HelpListsWorkloadsAndExamples) {
  const ToolRun run = Generate({"--help"});
  EXPECT_EQ(run.exit_status, kExitOk);
  for (const workloads::StreamKind& kind : workloads::StreamKinds()) {
    EXPECT_THAT(run.out, HasSubstr(std::string(kind.name)));
  }
  EXPECT_THAT(run.out, HasSubstr("Examples:"));
}

}  // namespace
}  // namespace tamis::tools
