// Progress, on a terminal and elsewhere, with a clock of the test's own.

#include "tools/common/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

namespace tamis::tools {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class Told {
 public:
  explicit Told(ProgressStyle style)
      : progress_(out_, "bench", style, [this] { return now_; }) {}

  // Returns what is said about this, after so many milliseconds.
  std::string After(int ms, std::string_view step, double share) {
    return Said(ms, [&] { progress_.Report(step, share); });
  }
  std::string AfterCount(int ms, uint64_t done, uint64_t total) {
    return Said(ms, [&] { progress_.ReportCount("keys", done, total); });
  }
  std::string AfterCount(int ms, uint64_t done) {
    return Said(ms, [&] { progress_.ReportCount("keys", done); });
  }
  std::string AfterRead(int ms, uint64_t done, std::optional<double> share) {
    return Said(ms, [&] { progress_.ReportCount("keys", done, share); });
  }
  std::string Clear() {
    return Said(0, [&] { progress_.Clear(); });
  }

 private:
  template <typename Work>
  std::string Said(int ms, Work&& work) {
    now_ += milliseconds(ms);
    out_.str("");
    work();
    return out_.str();
  }

  Progress::Clock::time_point now_{};
  std::ostringstream out_;
  Progress progress_;
};

TEST(Progress, PlainLinesNowAndThen) {
  Told told(ProgressStyle::kLines);
  EXPECT_EQ(told.After(0, "insert", 0), "");
  EXPECT_EQ(told.After(1999, "insert", 0.1), "");
  EXPECT_EQ(told.After(1, "insert", 0.37), "tamis: bench: insert (37 %)\n");
  EXPECT_EQ(told.After(1000, "insert", 0.4), "");
  EXPECT_EQ(told.After(1000, "erase", 1.5), "tamis: bench: erase (100 %)\n");
  EXPECT_EQ(told.Clear(), "");
}

TEST(Progress, CountedWorkTellsItsRate) {
  Told told(ProgressStyle::kLines);
  EXPECT_EQ(told.AfterCount(2000, 6'400'000, 12'800'000),
            "tamis: bench: keys (50 %, 3.2 M/s)\n");
  EXPECT_EQ(told.AfterCount(2000, 0, 0), "tamis: bench: keys (100 %)\n");
}

TEST(Progress, PlainLinesSayNothingTwice) {
  Told told(ProgressStyle::kLines);
  EXPECT_EQ(told.After(2000, "insert", 0), "tamis: bench: insert (0 %)\n");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(told.After(2000, "insert", 0), "");
  EXPECT_EQ(told.After(0, "insert", 0.01), "tamis: bench: insert (1 %)\n");
  EXPECT_EQ(told.After(2000, "erase", 0.01), "tamis: bench: erase (1 %)\n");
}

TEST(Progress, CountsAndSharesMayBeOfDifferentThings) {
  Told told(ProgressStyle::kTerminal);
  EXPECT_THAT(told.AfterRead(4000, 8000, 0.25),
              AllOf(HasSubstr("[#####------"), HasSubstr(" 25 %"),
                    HasSubstr("0:12 left"), HasSubstr("2.0 k/s")));
  // Of a pipe.
  EXPECT_EQ(told.AfterRead(2000, 9000, std::nullopt),
            "\r\x1b[Kbench 9.0 k  keys");
}

TEST(Progress, ThePieceThatBeginsInTheMiddleHasItsOwnRate) {
  Told told(ProgressStyle::kTerminal);
  EXPECT_THAT(told.AfterCount(1000, 900, 1000), HasSubstr("900/s"));
  EXPECT_THAT(told.AfterCount(1000, 500, 1000), Not(HasSubstr("/s")));
  EXPECT_THAT(told.AfterCount(1000, 600, 1000),
              AllOf(HasSubstr("100/s"), HasSubstr("0:04 left")));
}

TEST(Progress, WithoutAnEndTheCountIsTold) {
  Told lines(ProgressStyle::kLines);
  EXPECT_EQ(lines.AfterCount(0, 0), "");
  EXPECT_EQ(lines.AfterCount(2000, 6'400'000),
            "tamis: bench: keys (6.4 M, 3.2 M/s)\n");
  EXPECT_EQ(lines.AfterCount(0, 0), "");  // of the next file
  EXPECT_EQ(lines.AfterCount(2000, 200'000),
            "tamis: bench: keys (200 k, 100 k/s)\n");
  Told terminal(ProgressStyle::kTerminal);
  EXPECT_EQ(terminal.AfterCount(0, 0), "");
  EXPECT_EQ(terminal.AfterCount(2000, 640), "\r\x1b[Kbench   640  320/s  keys");
}

TEST(Progress, TerminalHasOneLineThatIsRewritten) {
  Told told(ProgressStyle::kTerminal);
  EXPECT_EQ(told.After(100, "insert", 0), "");
  const std::string first = told.After(3900, "insert", 0.25);
  EXPECT_THAT(first, AllOf(HasSubstr("\r\x1b[K"), HasSubstr("[#####------"),
                           HasSubstr(" 25 %"), HasSubstr("0:12 left"),
                           EndsWith("  insert"), Not(HasSubstr("\n"))));
  EXPECT_EQ(told.After(50, "insert", 0.3), "");
  EXPECT_THAT(told.After(50, "insert", 0.5), HasSubstr(" 50 %"));
  EXPECT_EQ(told.Clear(), "\r\x1b[K");
  EXPECT_EQ(told.Clear(), "");
}

TEST(Progress, TerminalLineNeverWraps) {
  Told told(ProgressStyle::kTerminal);
  const std::string line = told.After(4000, std::string(500, 'x'), 0.5);
  EXPECT_LT(line.size(), 500u);
}

TEST(Progress, TimeLeftCountsFromTheBeginningOfAPiece) {
  Told told(ProgressStyle::kTerminal);
  EXPECT_THAT(told.After(4000, "insert", 1), HasSubstr("0:00 left"));
  EXPECT_THAT(told.After(1000, "erase", 0), Not(HasSubstr("left")));
  EXPECT_THAT(told.After(3'600'000, "erase", 0.5), HasSubstr("1:00:00 left"));
}

TEST(Progress, StreamsOfTestsAreNoTerminals) {
  const std::ostringstream out;
  EXPECT_EQ(ProgressStyleOf(out), ProgressStyle::kLines);
}

}  // namespace
}  // namespace tamis::tools
