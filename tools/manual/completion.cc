#include "tools/manual/completion.h"

#include <fmt/format.h>

#include <string_view>

#include "tools/common/shell_word.h"

namespace tamis::tools {
namespace {

std::string Join(const std::vector<std::string>& words, std::string_view with) {
  return fmt::format("{}", fmt::join(words, with));
}

std::vector<std::string> NamesOf(const std::vector<CommandInfo>& verbs) {
  std::vector<std::string> names;
  names.reserve(verbs.size());
  for (const CommandInfo& verb : verbs) names.push_back(verb.name);
  return names;
}

std::vector<std::string> FlagsOf(const CommandInfo& command) {
  std::vector<std::string> flags;
  for (const OptionInfo& option : command.options) {
    if (option.positional) continue;
    flags.insert(flags.end(), option.names.begin(), option.names.end());
  }
  return flags;
}

// Puts a backslash before each of `special`.
std::string Backslashed(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// The lines of a case: what to offer after an option of a verb, and where no
// option is begun.
std::string BashCases(const CommandInfo& verb) {
  std::string after;
  std::string plain;
  for (const OptionInfo& option : verb.options) {
    if (option.positional) {
      plain = Join(option.choices, " ");
    } else if (option.takes_value) {
      for (const std::string& name : option.names) {
        after += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", verb.name,
                             name, Join(option.choices, " "));
      }
    }
  }
  return after + fmt::format(
                     "    \"{0} \"*) case $cur in\n"
                     "      -*) words=\"{1}\" ;;\n"
                     "      *) words=\"{2}\" ;;\n"
                     "    esac ;;\n",
                     verb.name, Join(FlagsOf(verb), " "), plain);
}

// "'--scale[quick or paper]:TEXT:(quick paper)'", one for each name.
std::string ZshArguments(const OptionInfo& option) {
  const std::string value =
      option.choices.empty()
          ? "_files"
          : "(" + Backslashed(Join(option.choices, " "), ":") + ")";
  if (option.positional) {
    return fmt::format(
        " \\\n        {}",
        ShellQuoted(fmt::format("{}:{}:{}", option.many ? "*" : "",
                                Backslashed(option.names[0], ":"), value)));
  }
  std::string arguments;
  for (const std::string& name : option.names) {
    std::string argument =
        fmt::format("{}[{}]", name, Backslashed(option.help, "[]:\\"));
    if (option.takes_value) {
      argument += fmt::format(":{}:{}", option.value, value);
    }
    arguments += " \\\n        " + ShellQuoted(argument);
  }
  return arguments;
}

std::string FishOption(const std::string& tool, const CommandInfo& verb,
                       const OptionInfo& option) {
  std::string line = fmt::format(
      "complete -c {} -n '__fish_seen_subcommand_from {}'", tool, verb.name);
  if (option.positional) {
    if (option.choices.empty()) return "";  // files, as always
    return line +
           fmt::format(" -f -a {}\n", ShellQuoted(Join(option.choices, " ")));
  }
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2)
                                   : " -s " + name.substr(1);
  }
  if (option.takes_value) line += option.choices.empty() ? " -r" : " -x";
  if (!option.choices.empty()) {
    line += " -a " + ShellQuoted(Join(option.choices, " "));
  }
  return line + " -d " + ShellQuoted(option.help) + "\n";
}

}  // namespace

std::string BashCompletion(const CommandTree& tree) {
  const std::vector<std::string> verbs = NamesOf(tree.verbs);
  std::string script = fmt::format(
      "# Completion of {0} for bash; made by `{0} completion bash`.\n"
      "_{0}() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} verb= words= i\n"
      "  local prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  # bash splits --option=value at the sign.\n"
      "  if [[ $cur == = ]]; then cur=; "
      "elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case ${{COMP_WORDS[i]}} in\n"
      "      {1}) verb=${{COMP_WORDS[i]}}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$verb $prev\" in\n"
      "    \" \"*) words=\"{2} {3}\" ;;\n",
      tree.tool.name, Join(verbs, "|"), Join(verbs, " "),
      Join(FlagsOf(tree.tool), " "));
  for (const CommandInfo& verb : tree.verbs) script += BashCases(verb);
  return script + fmt::format(
                      "  esac\n"
                      "  # Nothing to offer: `-o default` offers files.\n"
                      "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                      "}}\n"
                      "complete -o default -F _{0} {0}\n",
                      tree.tool.name);
}

std::string ZshCompletion(const CommandTree& tree) {
  std::string script = fmt::format(
      "#compdef {0}\n"
      "# Completion of {0} for zsh; made by `{0} completion zsh`.\n"
      "_{0}() {{\n"
      "  local -a verbs=(\n",
      tree.tool.name);
  for (const CommandInfo& verb : tree.verbs) {
    script += fmt::format("    {}\n", ShellQuoted(verb.name + ":" + verb.help));
  }
  script +=
      "  )\n"
      "  if ((CURRENT == 2)); then _describe verb verbs; return; fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $verb in\n";
  for (const CommandInfo& verb : tree.verbs) {
    script += fmt::format("    {})\n      _arguments", verb.name);
    for (const OptionInfo& option : verb.options) {
      script += ZshArguments(option);
    }
    script += " ;;\n";
  }
  return script + fmt::format("  esac\n}}\ncompdef _{0} {0}\n", tree.tool.name);
}

std::string FishCompletion(const CommandTree& tree) {
  const std::string& tool = tree.tool.name;
  std::string script = fmt::format(
      "# Completion of {0} for fish; made by `{0} completion fish`.\n", tool);
  for (const CommandInfo& verb : tree.verbs) {
    script +=
        fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n",
                    tool, verb.name, ShellQuoted(verb.help));
  }
  for (const CommandInfo& verb : tree.verbs) {
    for (const OptionInfo& option : verb.options) {
      script += FishOption(tool, verb, option);
    }
  }
  return script;
}

}  // namespace tamis::tools
