// A subcommand: one verb of the `tamis` command.
//
// A subcommand declares its options on a CLI::App and hands back the function
// that does the work; the tool calls that function if the verb was given.
//
//   Runner AddInfo(CLI::App& parent, Console console) {
//     auto options = std::make_shared<InfoOptions>();
//     CLI::App* app = parent.add_subcommand("info", "...");
//     app->add_option("FILE", options->file)->required();
//     return {app, [=] { return RunInfo(*options, console); }};
//   }
//
// To add one: write such a function and add its line in subcommands.cc.

#ifndef TAMIS_TOOLS_COMMON_SUBCOMMAND_H_
#define TAMIS_TOOLS_COMMON_SUBCOMMAND_H_

#include <cstddef>
#include <functional>
#include <istream>
#include <ostream>
#include <span>
#include <string_view>

#include "tamis/status.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name is not ours
namespace CLI {
class App;
}

namespace tamis::tools {

// Where a subcommand reads and writes, and how it was called.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  std::string_view command = {};  // the line for a shell, from RunTool
  size_t columns = 100;           // of the terminal that `out` is
  bool colour = false;            // whether `out` shows colours
};

struct Runner {
  CLI::App* app;                // the verb, to ask whether it was given
  std::function<Status()> run;  // does the work, with the options as parsed
};

using AddSubcommand = Runner (*)(CLI::App& parent, Console console);

// All subcommands, in the order of the help.
std::span<const AddSubcommand> AllSubcommands();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_SUBCOMMAND_H_
