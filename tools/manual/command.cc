#include "tools/manual/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/internal/base/nearest_name.h"
#include "tools/common/machine.h"
#include "tools/common/parse.h"
#include "tools/manual/completion.h"
#include "tools/manual/man_page.h"

namespace tamis::tools {
namespace {

constexpr const char* kCompletionExamples =
    "Examples:\n"
    "  source <(tamis completion bash)\n"
    "  tamis completion zsh > ~/.zfunc/_tamis\n"
    "  tamis completion fish > ~/.config/fish/completions/tamis.fish";

constexpr const char* kHelpExamples =
    "Examples:\n"
    "  tamis help\n"
    "  tamis help compare";

constexpr const char* kManExamples =
    "Examples:\n"
    "  tamis man > tamis.1 && man ./tamis.1";

std::string CompletionFor(const std::string& shell, const CommandTree& tree) {
  if (shell == "bash") return BashCompletion(tree);
  return shell == "zsh" ? ZshCompletion(tree) : FishCompletion(tree);
}

Status PrintHelp(const CLI::App& tool, const std::string& verb,
                 std::ostream& out) {
  if (verb.empty()) {
    // help() would be that of the verb `help` itself.
    out << tool.get_formatter()->make_help(&tool, tool.get_name(),
                                           CLI::AppFormatMode::Normal);
    return {};
  }
  const auto verbs = tool.get_subcommands([](const CLI::App*) { return true; });
  std::vector<std::string> names;
  for (const CLI::App* one : verbs) {
    if (one->get_name() == verb) {
      out << one->help(tool.get_name());
      return {};
    }
    names.push_back(one->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return UsageError(fmt::format("there is no subcommand '{}'{}; known are {}",
                                verb, internal::DidYouMean(verb, known),
                                fmt::join(names, ", ")));
}

}  // namespace

Runner AddHelp(CLI::App& parent, Console console) {
  auto verb = std::make_shared<std::string>();
  CLI::App* app =
      parent.add_subcommand("help", "Explain a subcommand, as its --help does");
  app->footer(kHelpExamples);
  app->add_option("SUBCOMMAND", *verb,
                  "What to explain; default: all in brief");
  const CLI::App* tool = &parent;
  return {app, [=] { return PrintHelp(*tool, *verb, console.out); }};
}

Runner AddCompletion(CLI::App& parent, Console console) {
  auto shell = std::make_shared<std::string>();
  CLI::App* app = parent.add_subcommand(
      "completion", "Print a script that makes a shell complete this command");
  app->footer(kCompletionExamples);
  app->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const CLI::App* tool = &parent;
  return {app, [=]() -> Status {
            console.out << CompletionFor(*shell, DescribeCommands(*tool));
            return {};
          }};
}

Runner AddMan(CLI::App& parent, Console console) {
  CLI::App* app = parent.add_subcommand("man", "Print the man page, as roff");
  app->footer(kManExamples);
  const CLI::App* tool = &parent;
  return {app, [=]() -> Status {
            console.out << ManPage(DescribeCommands(*tool), Version());
            return {};
          }};
}

}  // namespace tamis::tools
