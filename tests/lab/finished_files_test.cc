// What is finished is kept, and taken over by an equal run only.

#include "lab/reproduce/finished_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "lab/reproduce/judge.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using workloads::TempDir;

Findings Some() {
  return {.tables = {{"t", {"a"}, {{"1"}}}},
          .charts = {},
          .claims = {Judged("text", {"words", "6.1"}, "1.5x", 1.5,
                            {.low = 1, .high = 2})},
          .notes = {"note"},
          .scope = "x"};
}

TEST(FinishedFiles, ComeBackInAnEqualRun) {
  const TempDir dir;
  ExperimentOptions options;
  const FinishedFiles first(dir.Path("out"), options);
  EXPECT_FALSE(first.Load("one").has_value());
  ASSERT_TRUE(first.Save("one", Some()).ok());
  const auto loaded = FinishedFiles(dir.Path("out"), options).Load("one");
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->tables[0].rows[0][0], "1");
  EXPECT_EQ(loaded->claims[0].limit.text, "1x to 2x");
  EXPECT_TRUE(loaded->claims[0].holds);
  EXPECT_FALSE(first.Load("two").has_value());
}

TEST(FinishedFiles, AreNotTakenFromAnotherRun) {
  const TempDir dir;
  ExperimentOptions options;
  ASSERT_TRUE(FinishedFiles(dir.Path("out"), options).Save("one", Some()).ok());
  ExperimentOptions other = options;
  other.seed = 2;
  EXPECT_FALSE(FinishedFiles(dir.Path("out"), other).Load("one").has_value());
  other = options;
  other.paper_scale = true;
  EXPECT_FALSE(FinishedFiles(dir.Path("out"), other).Load("one").has_value());
}

TEST(FinishedFiles, ADamagedOneIsNone) {
  const TempDir dir;
  const FinishedFiles files(dir.Path("out"), {});
  ASSERT_TRUE(files.Save("one", Some()).ok());
  const std::string path = dir.Path("out") + "/finished/one.cbor";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_FALSE(files.Load("one").has_value());
  std::ofstream(path) << "no CBOR";
  EXPECT_FALSE(files.Load("one").has_value());
}

TEST(FinishedFiles, WithoutAReportNothingIsKept) {
  const FinishedFiles none("", {});
  EXPECT_TRUE(none.Save("one", Some()).ok());
  EXPECT_FALSE(none.Load("one").has_value());
}

TEST(Judge, RangesAreTwoSided) {
  const Within range{.low = 1, .high = 2, .from = Limit::From::kPaper};
  EXPECT_FALSE(Judged("", {}, "", 0.99, range).holds);
  EXPECT_TRUE(Judged("", {}, "", 1.5, range).holds);
  EXPECT_FALSE(Judged("", {}, "", 2.01, range).holds);
  EXPECT_EQ(range.ToLimit("x").text, "1x to 2x");
  EXPECT_EQ(Within{.low = 3}.ToLimit("").text, "at least 3");
  EXPECT_EQ(Within{.high = 0.5}.ToLimit(" s").text, "at most 0.5 s");
}

}  // namespace
}  // namespace tamis::tools
