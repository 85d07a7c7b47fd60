#include "tools/manual/command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/common/machine.h"
#include "tools/manual/completion.h"
#include "tools/manual/man_page.h"

namespace tamis::tools {
namespace {

constexpr const char* kCompletionExamples =
    "Examples:\n"
    "  source <(tamis completion bash)\n"
    "  tamis completion zsh > ~/.zfunc/_tamis\n"
    "  tamis completion fish > ~/.config/fish/completions/tamis.fish";

constexpr const char* kManExamples =
    "Examples:\n"
    "  tamis man > tamis.1 && man ./tamis.1";

std::string CompletionFor(const std::string& shell, const CommandTree& tree) {
  if (shell == "bash") return BashCompletion(tree);
  return shell == "zsh" ? ZshCompletion(tree) : FishCompletion(tree);
}

}  // namespace

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
