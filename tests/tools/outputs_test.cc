// Where the command writes: never over what it reads, whole or not at all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tamis/internal/format/file.h"
#include "tamis/serialize.h"
#include "tools/program.h"
#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using workloads::TempDir;

constexpr const char* kKeys = "one\ntwo\nthree\n";

TEST(Outputs, BuildDoesNotReplaceItsStandardInput) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  const std::string link = dir.Path("link");
  std::filesystem::create_symlink(keys, link);
  for (const std::string& output : {keys, link}) {
    const Program build({"build", "-", "-o", output, "--filter", "rsqf:r=8"},
                        dir, keys);
    EXPECT_EQ(build.ExitStatus(), kExitUsageError);
    EXPECT_THAT(Contents(build.Err()), HasSubstr("standard input"));
    EXPECT_EQ(Contents(keys), kKeys);
  }
}

TEST(Outputs, GenerateDoesNotReplaceItsStandardInput) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", "1\n2\n");
  const Program replay({"generate", "replay", "--file", "-", "-o", keys}, dir,
                       keys);
  EXPECT_EQ(replay.ExitStatus(), kExitUsageError);
  EXPECT_EQ(Contents(keys), "1\n2\n");
  // By its name it is refused as well.
  const ToolRun by_name =
      RunForTest({"generate", "replay", "--file", keys, "-o", keys});
  EXPECT_EQ(by_name.exit_status, kExitUsageError);
  EXPECT_EQ(Contents(keys), "1\n2\n");
}

TEST(Outputs, QueryDoesNotReadWhatItWrites) {
  const TempDir dir;
  const std::string filter = dir.Path("f.tamis");
  ASSERT_EQ(RunForTest({"build", dir.Write("keys.txt", kKeys), "-o", filter,
                        "--filter", "rsqf:r=8"})
                .exit_status,
            0);
  const std::string out = dir.Path("out");  // its standard output
  const Program by_name({"query", filter, out}, dir);
  EXPECT_EQ(by_name.ExitStatus(), kExitUsageError);
  EXPECT_THAT(Contents(by_name.Err()),
              HasSubstr("standard output is the file"));
  const Program by_input({"query", filter, "-"}, dir, out);
  EXPECT_EQ(by_input.ExitStatus(), kExitUsageError);
  const Program counts({"query", filter, out, "--count"}, dir);
  EXPECT_EQ(counts.ExitStatus(), kExitOk);
}

TEST(Outputs, BuildReadsStandardInputIntoAnotherFile) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  const Program build(
      {"build", "-", "-o", dir.Path("f.tamis"), "--filter", "rsqf:r=8"}, dir,
      keys);
  EXPECT_EQ(build.ExitStatus(), kExitOk) << Contents(build.Err());
  EXPECT_EQ(LoadAny(dir.Path("f.tamis"))->size(), 3u);
}

TEST(Outputs, ADashIsStandardOutput) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  const ToolRun build =
      RunForTest({"build", keys, "-o", "-", "--filter", "rsqf:r=8"});
  ASSERT_EQ(build.exit_status, kExitOk) << build.err;
  dir.Write("f.tamis", build.out);
  const Result<AnyFilter> filter = LoadAny(dir.Path("f.tamis"));
  ASSERT_TRUE(filter.ok()) << filter.status().message();
  EXPECT_EQ(filter->size(), 3u);
  EXPECT_EQ(RunForTest({"generate", "flows", "--count", "3", "-o", "-"}).out,
            RunForTest({"generate", "flows", "--count", "3"}).out);
  EXPECT_FALSE(std::filesystem::exists("-"));
  EXPECT_EQ(
      RunForTest({"build", keys, "-o", "-", "--filter", "rsqf:r=8", "--json"})
          .exit_status,
      kExitUsageError);
}

TEST(Outputs, NamesMayBeAsLongAsTheSystemAllows) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  for (const size_t length : {size_t{240}, size_t{255}}) {
    const std::string path = dir.Path(std::string(length, 'f'));
    const ToolRun build =
        RunForTest({"build", keys, "-o", path, "--filter", "rsqf:r=8"});
    EXPECT_EQ(build.exit_status, kExitOk) << build.err;
    EXPECT_TRUE(LoadAny(path).ok());
  }
  EXPECT_EQ(dir.Files().size(), 3u) << "and no temporary is left";
}

TEST(Outputs, ADanglingLinkLeadsToTheFile) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  std::filesystem::create_directory(dir.Path("far"));
  const std::string link = dir.Path("link");
  std::filesystem::create_symlink("far/f.tamis", link);
  ASSERT_EQ(RunForTest({"build", keys, "-o", link, "--filter", "rsqf:r=8"})
                .exit_status,
            kExitOk);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(LoadAny(dir.Path("far/f.tamis")).ok());
}

TEST(Outputs, ALinkToItselfIsAnError) {
  const TempDir dir;
  const std::string link = dir.Path("link");
  std::filesystem::create_symlink("link", link);
  const Result<internal::NewFile> file = internal::NewFile::Create(link);
  EXPECT_EQ(file.status().code(), StatusCode::kIo);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(Outputs, AReplacedFileKeepsItsMode) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  const std::string path = dir.Path("f.tamis");
  const std::vector<std::string> build = {"build", keys,       "-o",
                                          path,    "--filter", "rsqf:r=8"};
  ASSERT_EQ(RunForTest(build).exit_status, kExitOk);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(RunForTest(build).exit_status, kExitOk);
  struct stat info = {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(
      RunForTest({"add", path, dir.Write("more.txt", "four\n")}).exit_status,
      kExitOk);
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

// As somebody who may write there and not read; root may do everything.
int WriteAsNobody(const std::string& path) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) {
    return 3;
  }
  Result<internal::NewFile> file = internal::NewFile::Create(path);
  if (!file.ok()) return 2;
  return file->Commit().ok() ? 0 : 1;
}

TEST(OutputsDeathTest, AFolderThatCanOnlyBeWrittenWillDo) {
  const TempDir dir;
  chmod(dir.Path("").c_str(), 0755);
  const std::string folder = dir.Path("drop");
  std::filesystem::create_directory(folder);
  ASSERT_EQ(chmod(folder.c_str(), 0333), 0);
  EXPECT_EXIT(std::_Exit(WriteAsNobody(folder + "/f")),
              ::testing::ExitedWithCode(0), "");
  EXPECT_TRUE(std::filesystem::exists(folder + "/f"));
  chmod(folder.c_str(), 0755);
}

TEST(Outputs, DamagedFilesExitWithOneInEveryVerb) {
  const TempDir dir;
  const std::string keys = dir.Write("keys.txt", kKeys);
  const std::string path = dir.Path("f.tamis");
  ASSERT_EQ(RunForTest({"build", keys, "-o", path, "--filter", "taf:r=8"})
                .exit_status,
            kExitOk);
  const std::string good = Contents(path);
  for (size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x11);
    dir.Write("f.tamis", bad);
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{
             {"verify", path},
             {"info", path},
             {"query", path, keys},
             {"add", path, keys},
             {"remove", path, keys},
             {"merge", path, keys, "-o", dir.Path("g")},
             {"build", keys, "-o", dir.Path("g"), "--like", path}}) {
      EXPECT_EQ(RunForTest(command).exit_status, kExitDataError)
          << command.front() << " of a file changed at " << at;
    }
    EXPECT_EQ(Contents(path), bad) << "a damaged file is left as it is";
  }
  EXPECT_FALSE(std::filesystem::exists(dir.Path("g")));
}

}  // namespace
}  // namespace tamis::tools
