// Ctrl-C, as a terminal would send it to the program itself.

#include "tools/common/interrupt.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tamis/internal/format/file.h"
#include "tools/program.h"
#include "tools/run_tool.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using workloads::TempDir;

TEST(Interrupt, BenchPrintsTheRowsThatAreDone) {
  const TempDir dir;
  const Program bench(
      {"bench", "--slots=4096", "--repetitions=10000000", "--queries=20000",
       "--fpr-queries=20000", "--workloads=query0,erase"},
      dir);
  ASSERT_TRUE(WaitFor([&] { return bench.ListensToInterrupts(); }));
  bench.Interrupt();
  EXPECT_EQ(bench.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(bench.Out()), HasSubstr("# interrupted: "));
}

TEST(Interrupt, GenerateLeavesNoFile) {
  const TempDir dir;
  const Program generate(
      {"generate", "flows", "--count=2^50", "-o", dir.Path("flows.u64")}, dir);
  ASSERT_TRUE(WaitFor([&] { return generate.ListensToInterrupts(); }));
  generate.Interrupt();
  EXPECT_EQ(generate.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(generate.Err()), HasSubstr("was not written"));
  EXPECT_EQ(dir.Files(), (std::vector<std::string>{"err", "out"}));
}

TEST(Interrupt, ATerminationIsOneToo) {
  const TempDir dir;
  const Program generate(
      {"generate", "flows", "--count=2^50", "-o", dir.Path("flows.u64")}, dir);
  ASSERT_TRUE(WaitFor([&] { return generate.ListensToInterrupts(); }));
  generate.Send(SIGTERM);
  EXPECT_EQ(generate.ExitStatus(), 143);
  EXPECT_EQ(dir.Files(), (std::vector<std::string>{"err", "out"}));
}

// These two ask for an end at once, and it leaves nothing behind.
TEST(Interrupt, AQuitOrABrokenPipeLeavesNoTemporary) {
  for (const int signal_number : {SIGQUIT, SIGPIPE}) {
    const TempDir dir;
    const Program generate(
        {"generate", "flows", "--count=2^50", "-o", dir.Path("flows.u64")},
        dir);
    ASSERT_TRUE(WaitFor([&] { return dir.Files().size() == 3; }));
    ASSERT_TRUE(WaitFor([&] { return generate.ListensToInterrupts(); }));
    generate.Send(signal_number);
    EXPECT_EQ(generate.ExitStatus(), -signal_number);
    EXPECT_EQ(dir.Files(), (std::vector<std::string>{"err", "out"}));
  }
}

TEST(Interrupt, AHangupIsOneToo) {
  const TempDir dir;
  const Program generate(
      {"generate", "flows", "--count=2^50", "-o", dir.Path("flows.u64")}, dir);
  ASSERT_TRUE(WaitFor([&] { return generate.ListensToInterrupts(); }));
  generate.Send(SIGHUP);
  EXPECT_EQ(generate.ExitStatus(), 129);
  EXPECT_EQ(dir.Files(), (std::vector<std::string>{"err", "out"}));
}

// The signal may come too late: then the file is there, and whole.
TEST(Interrupt, BuildLeavesNoTemporary) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    const TempDir dir;
    const std::string keys = dir.Write("keys.txt", "a\nb\n");
    const Program build({"build", keys, "-o", dir.Path("f.tamis"), "--filter",
                         "rsqf:r=8", "--slots", "2^25"},
                        dir);
    ASSERT_TRUE(WaitFor([&] { return dir.Files().size() > 3; }));
    build.Send(signal_number);
    const bool finished = build.ExitStatus() == kExitOk;
    EXPECT_EQ(std::filesystem::exists(dir.Path("f.tamis")), finished);
    EXPECT_EQ(dir.Files().size(), finished ? 4u : 3u);
  }
}

void WriteAndRaise(const std::string& path, int times) {
  const InterruptScope scope;
  Result<internal::NewFile> file = internal::NewFile::Create(path);
  if (!file.ok()) return;
  for (int i = 0; i < times; ++i) raise(SIGTERM);
  std::_Exit(std::filesystem::exists(path) ? 1 : 0);
}

TEST(InterruptDeathTest, TheSecondSignalRemovesTemporaries) {
  const TempDir dir;
  EXPECT_EXIT(WriteAndRaise(dir.Path("f"), 2),
              ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(dir.Files(), std::vector<std::string>());
  // One is not enough to end it; the temporary is there still.
  EXPECT_EXIT(WriteAndRaise(dir.Path("f"), 1), ::testing::ExitedWithCode(0),
              "");
  EXPECT_EQ(dir.Files().size(), 1u);
}

TEST(InterruptDeathTest, AFileThatIsWrittenInOneGoLeavesNothing) {
  const TempDir dir;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    EXPECT_EXIT(
        {
          const TemporariesGo scope;
          const auto file = internal::NewFile::Create(dir.Path("f"));
          raise(signal_number);
        },
        ::testing::KilledBySignal(signal_number), "");
  }
  EXPECT_EQ(dir.Files(), std::vector<std::string>());
}

TEST(Interrupt, CompareThatWaitsForItsInputEndsAtOnce) {
  const TempDir dir;
  const std::string queries = dir.Path("queries");
  ASSERT_EQ(mkfifo(queries.c_str(), 0600), 0);
  const int writer = open(queries.c_str(), O_RDWR);  // which never writes
  const Program compare({"compare", "--queries", queries, "--members", "1/10"},
                        dir);
  ASSERT_TRUE(WaitFor([&] { return compare.ListensToInterrupts(); }));
  compare.Interrupt();
  EXPECT_EQ(compare.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(compare.Err()), HasSubstr("tamis: interrupted"));
  close(writer);
}

TEST(Interrupt, DemoThatMakesItsQueriesEndsAtOnce) {
  const TempDir dir;
  const Program demo(
      {"demo", "--queries", "1000000000", "--out", dir.Path("report")}, dir);
  ASSERT_TRUE(WaitFor([&] { return demo.ListensToInterrupts(); }));
  demo.Interrupt();
  EXPECT_EQ(demo.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(demo.Err()), HasSubstr("tamis: interrupted"));
}

TEST(Interrupt, CompareTellsWhatHasBeenRun) {
  const TempDir dir;
  // Few enough that all filters have run under the first seed long before the
  // first progress is told, two seconds after the start; and so many seeds that
  // they take long.
  std::string queries;
  for (int i = 0; i < 250'000; ++i) queries += std::to_string(i % 7'001) + '\n';
  const Program compare(
      {"compare", "--queries", dir.Write("q.txt", queries), "--members", "1/9",
       "--filters", "rsqf,bloom,cuckoo,vacuum", "--jobs", "1", "--seeds",
       "1000", "--no-timings"},
      dir);
  ASSERT_TRUE(WaitFor([&] {
    return Contents(compare.Err()).find("runs the stream") != std::string::npos;
  }));
  compare.Interrupt();
  EXPECT_EQ(compare.ExitStatus(), kExitInterrupted);
  EXPECT_THAT(Contents(compare.Err()), HasSubstr("4 of 4 filters have been"));
  EXPECT_THAT(Contents(compare.Out()), HasSubstr("- interrupted: "));
  EXPECT_THAT(Contents(compare.Out()), HasSubstr("Recommendation\n- Take "));
}

}  // namespace
}  // namespace tamis::tools
