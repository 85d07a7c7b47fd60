// Running experiments in processes: what comes back, what happens to one that
// fails, which run side by side, and what an interrupt leaves.

#include "lab/reproduce/run_experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <vector>

#include "tools/common/interrupt.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using workloads::TempDir;

// The folder in which experiments meet is given as the folder of traces.
std::filesystem::path FolderOf(const ExperimentOptions& options,
                               const char* name) {
  return std::filesystem::path(options.data.at(0)) / name;
}

Result<Findings> Quick(const ExperimentOptions& options) {
  options.progress(0.5);
  return Findings{
      {{"t", {"a"}, {{std::to_string(options.seed)}}}},
      {{"c",
        "x",
        "y",
        true,
        false,
        {{"s", {{1, std::numeric_limits<double>::quiet_NaN(), 0.1, 3}}}}}},
      {{"text",
        {"p", "6.1"},
        "o",
        {"1x to 2x", Limit::From::kStatistics},
        true}},
      {"note"},
      "x = 1"};
}

Result<Findings> Failing(const ExperimentOptions&) {
  return Status(StatusCode::kFull, "no room");
}

Result<Findings> Crashing(const ExperimentOptions&) {
  raise(SIGKILL);
  return Findings{};
}

Result<Findings> Throwing(const ExperimentOptions&) { throw std::bad_alloc(); }

Result<Findings> Endless(const ExperimentOptions&) {
  for (;;) pause();
}

// Each of two waits for the other.
Result<Findings> MeetAs(const ExperimentOptions& options, const char* me,
                        const char* other) {
  std::filesystem::create_directory(FolderOf(options, me));
  if (!WaitFor([&] { return exists(FolderOf(options, other)); })) {
    return Status(StatusCode::kNotFound, "met nobody");
  }
  return Findings{};
}
Result<Findings> First(const ExperimentOptions& options) {
  return MeetAs(options, "first", "second");
}
Result<Findings> Second(const ExperimentOptions& options) {
  return MeetAs(options, "second", "first");
}

// Fails if another one runs at the same time.
Result<Findings> Alone(const ExperimentOptions& options) {
  if (!std::filesystem::create_directory(FolderOf(options, "busy"))) {
    return Status(StatusCode::kCorrupt, "not alone");
  }
  usleep(20'000);
  std::filesystem::remove(FolderOf(options, "busy"));
  return Findings{};
}

struct Outcome {
  Status status;
  std::vector<size_t> finished;
  std::vector<Findings> findings;
};

Outcome RunAll(const std::vector<Experiment>& experiments, int jobs,
               const std::string& dir = "", bool interrupt = false) {
  std::vector<const Experiment*> pointers;
  for (const Experiment& one : experiments) pointers.push_back(&one);
  ExperimentOptions options;
  options.seed = 7;
  options.data = {dir};
  std::ostringstream err;
  Progress progress(err, "test");
  Outcome outcome;
  const InterruptScope interrupts;
  outcome.status = RunExperiments(pointers, options, jobs, progress,
                                  [&](size_t number, Findings findings) {
                                    outcome.finished.push_back(number);
                                    outcome.findings.push_back(findings);
                                    if (interrupt) raise(SIGINT);
                                    return OkStatus();
                                  });
  return outcome;
}

TEST(RunExperiments, FindingsComeBackWhole) {
  const Outcome outcome = RunAll({{"quick", "", "", Quick}}, 1);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  ASSERT_EQ(outcome.findings.size(), 1u);
  const Findings& findings = outcome.findings[0];
  EXPECT_THAT(findings.tables[0].rows, ElementsAre(ElementsAre("7")));
  EXPECT_EQ(findings.charts[0].series[0].name, "s");
  const ChartPoint& point = findings.charts[0].series[0].points[0];
  EXPECT_TRUE(std::isnan(point.y));
  EXPECT_EQ(point.low, 0.1);
  EXPECT_TRUE(findings.charts[0].log_x);
  EXPECT_TRUE(findings.claims[0].holds);
  EXPECT_EQ(findings.claims[0].paper.place, "6.1");
  EXPECT_EQ(findings.claims[0].limit.text, "1x to 2x");
  EXPECT_EQ(findings.claims[0].limit.from, Limit::From::kStatistics);
  EXPECT_THAT(findings.notes, ElementsAre("note"));
  EXPECT_EQ(findings.scope, "x = 1");
}

TEST(RunExperiments, OneAtATimeInOrder) {
  const TempDir dir;
  const Experiment alone{"alone", "", "", Alone};
  const Outcome outcome = RunAll({alone, alone, alone}, 1, dir.Path(""));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_THAT(outcome.finished, ElementsAre(0, 1, 2));
}

TEST(RunExperiments, SeveralAtATime) {
  const TempDir dir;
  const Outcome outcome = RunAll(
      {{"first", "", "", First}, {"second", "", "", Second}}, 2, dir.Path(""));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
}

TEST(RunExperiments, WhatIsTimedRunsAlone) {
  const TempDir dir;
  const Experiment timed{"timed", "", "", Alone, true};
  const Experiment counted{"counted", "", "", Alone};
  const Outcome outcome =
      RunAll({counted, timed, counted, timed, timed}, 4, dir.Path(""));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_THAT(outcome.finished, ElementsAre(0, 1, 2, 3, 4));
}

TEST(RunExperiments, FailuresSayWhichAndWhy) {
  const Outcome failed =
      RunAll({{"quick", "", "", Quick}, {"sad", "", "", Failing}}, 1);
  EXPECT_EQ(failed.status.ToString(), "full: sad: no room");
  EXPECT_THAT(failed.finished, ElementsAre(0));

  const Outcome crashed = RunAll({{"crash", "", "", Crashing}}, 1);
  EXPECT_THAT(crashed.status.ToString(), HasSubstr("crash: its process was "
                                                   "ended by a signal"));
  const Outcome threw = RunAll({{"throw", "", "", Throwing}}, 1);
  EXPECT_EQ(threw.status.code(), StatusCode::kOutOfMemory);
}

TEST(RunExperiments, InterruptKeepsWhatIsFinished) {
  const Outcome outcome = RunAll(
      {{"quick", "", "", Quick}, {"endless", "", "", Endless}}, 2, "", true);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_THAT(outcome.finished, ElementsAre(0));
  EXPECT_TRUE(InterruptRequested());
  ForgetInterrupts();
}

}  // namespace
}  // namespace tamis::tools
