// The man page and the completions: all of the command is in them, and the
// shells and groff understand them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>

#include "tamis/any_filter.h"
#include "tools/lab_door.h"
#include "tools/manual/command_tree.h"
#include "tools/tool_runner.h"
#include "workloads/temp_dir.h"

namespace tamis::tools {
namespace {

using ::testing::HasSubstr;
using workloads::TempDir;

bool Have(const std::string& program) {
  return system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

// Runs a command and returns all that it prints.
std::string OutputOf(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  pclose(pipe);
  return output;
}

std::string Printed(const std::vector<std::string>& arguments) {
  const ToolRun run = RunForTest(arguments);
  EXPECT_EQ(run.exit_status, kExitOk) << run.err;
  return run.out;
}

// The whole command, as RunTool makes it.
CommandTree Tree() {
  std::istringstream in;
  std::ostringstream out;
  CLI::App app("Membership filters", "tamis");
  for (const AddSubcommand add : AllSubcommands()) add(app, {in, out, out});
  return DescribeCommands(app);
}

// Returns what bash offers for a line: its last word is being typed.
std::string BashOffers(const TempDir& dir, const std::string& words) {
  const std::string script =
      dir.Write("tamis.bash", Printed({"completion", "bash"}));
  return OutputOf("bash -c 'source " + script + "; COMP_WORDS=(" + words +
                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tamis; "
                  "printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
}

TEST(Manual, TreeHasEveryVerb) {
  const CommandTree tree = Tree();
  EXPECT_EQ(tree.verbs.size(), AllSubcommands().size());
  for (const CommandInfo& verb : tree.verbs) {
    EXPECT_NE(verb.help, "") << verb.name;
    for (const OptionInfo& option : verb.options) {
      EXPECT_NE(option.help, "") << verb.name << ' ' << option.names[0];
    }
  }
}

TEST(Manual, OffersEveryWorkloadOnce) {
  const CommandTree tree = Tree();
  const auto generate = std::find_if(
      tree.verbs.begin(), tree.verbs.end(),
      [](const CommandInfo& verb) { return verb.name == "generate"; });
  ASSERT_NE(generate, tree.verbs.end());
  for (const OptionInfo& option : generate->options) {
    if (option.names.front() != "WORKLOAD") continue;
    const std::set<std::string> choices(option.choices.begin(),
                                        option.choices.end());
    EXPECT_EQ(choices.size(), option.choices.size());
    EXPECT_TRUE(choices.contains("growth"));
    EXPECT_TRUE(choices.contains("replay"));
  }
}

TEST(Manual, ManPageHasEveryVerbAndOption) {
  const std::string page = Printed({"man"});
  const auto escaped = [](std::string name) {
    for (size_t at = name.find('-'); at != std::string::npos;
         at = name.find('-', at + 2)) {
      name.insert(at, "\\");
    }
    return name;
  };
  for (const CommandInfo& verb : Tree().verbs) {
    EXPECT_THAT(page, HasSubstr("\n.SS " + escaped(verb.name) + "\n"));
    for (const OptionInfo& option : verb.options) {
      for (const std::string& name : option.names) {
        EXPECT_THAT(page, HasSubstr(escaped(name) + "\\fR")) << verb.name;
      }
    }
  }
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS"));
}

TEST(Manual, GroffHasNoComplaints) {
  if (!Have("groff")) GTEST_SKIP() << "there is no groff";
  const TempDir dir;
  const std::string page = dir.Write("tamis.1", Printed({"man"}));
  EXPECT_EQ(OutputOf("groff -man -Tutf8 -wall -z " + page), "");
}

TEST(Completion, BashCompletesVerbsOptionsAndValues) {
  const TempDir dir;
  EXPECT_EQ(BashOffers(dir, "tamis gen"), "generate\n");
  EXPECT_EQ(BashOffers(dir, "tamis bench --filt"), "--filters\n");
  EXPECT_EQ(BashOffers(dir, "tamis bench --filters rs"), "rsqf\n");
  EXPECT_EQ(BashOffers(dir, "tamis bench --filters = rs"), "rsqf\n");
  EXPECT_EQ(BashOffers(dir, "tamis info some"), "\n");  // then files
}

TEST(Completion, BashKnowsTheExperiments) {
  if (ExperimentNames().empty()) GTEST_SKIP() << "built without the lab";
  const TempDir dir;
  EXPECT_EQ(BashOffers(dir, "tamis rep"), "reproduce\n");
  EXPECT_EQ(BashOffers(dir, "tamis reproduce --scale \"\""), "quick\npaper\n");
  EXPECT_THAT(BashOffers(dir, "tamis reproduce all infini-figure-1"),
              HasSubstr("infini-figure-13\n"));
}

TEST(Completion, ShellsUnderstandTheirScripts) {
  const TempDir dir;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script =
        dir.Write(shell + ".script", Printed({"completion", shell}));
    if (!Have(shell)) continue;
    EXPECT_EQ(OutputOf(shell + " -n " + script), "") << shell;
  }
}

TEST(Completion, EveryShellKnowsExperimentsAndFilters) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = Printed({"completion", shell});
    for (const std::string& name : ExperimentNames()) {
      EXPECT_THAT(script, HasSubstr(name));
    }
    for (const std::string_view kind : AnyFilter::KnownKinds()) {
      EXPECT_THAT(script, HasSubstr(std::string(kind)));
    }
  }
}

TEST(Completion, OtherShellsAreUsageErrors) {
  EXPECT_EQ(RunForTest({"completion", "csh"}).exit_status, kExitUsageError);
  EXPECT_EQ(RunForTest({"completion"}).exit_status, kExitUsageError);
}

}  // namespace
}  // namespace tamis::tools
