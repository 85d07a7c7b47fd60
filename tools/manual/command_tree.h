// The command line as data: what the man page and the completions are made of.
//
// Read off the CLI::App that parses the command line, so neither can say
// anything but what the command does.

#ifndef TAMIS_TOOLS_MANUAL_COMMAND_TREE_H_
#define TAMIS_TOOLS_MANUAL_COMMAND_TREE_H_

#include <string>
#include <vector>

#include "tools/common/subcommand.h"

namespace tamis::tools {

struct OptionInfo {
  std::vector<std::string> names;  // {"-o", "--output"}; {"FILE"}: positional
  bool positional = false;
  bool takes_value = false;
  bool many = false;  // takes several values
  bool required = false;
  std::string help;
  std::string value;                 // what a value is: "TEXT", "UINT"
  std::string standard;              // what it is if not given; may be empty
  std::vector<std::string> choices;  // values to offer; empty: files
};

struct CommandInfo {
  std::string name;
  std::string help;
  std::string footer;  // workloads, examples
  std::vector<OptionInfo> options;
};

struct CommandTree {
  CommandInfo tool;
  std::vector<CommandInfo> verbs;
};

// Reads off the tool's app and its subcommands.
CommandTree DescribeCommands(const CLI::App& tool);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_MANUAL_COMMAND_TREE_H_
