// The list of subcommands: the one place to add a line for a new verb.

#include <array>

#include "tools/bench/command.h"
#include "tools/common/subcommand.h"
#include "tools/compare/command.h"
#include "tools/demo/command.h"
#include "tools/files/commands.h"
#include "tools/filters/command.h"
#include "tools/generate/command.h"
#include "tools/manual/command.h"
#include "tools/reproduce/command.h"

namespace tamis::tools {

std::span<const AddSubcommand> AllSubcommands() {
  static constexpr std::array kAll = {
      AddSubcommand{AddDemo},     AddSubcommand{AddCompare},
      AddSubcommand{AddFilters},  AddSubcommand{AddBuild},
      AddSubcommand{AddQuery},    AddSubcommand{AddInfo},
      AddSubcommand{AddVerify},   AddSubcommand{AddMerge},
      AddSubcommand{AddBench},    AddSubcommand{AddReproduce},
      AddSubcommand{AddGenerate}, AddSubcommand{AddCompletion},
      AddSubcommand{AddMan},
  };
  return kAll;
}

}  // namespace tamis::tools
