// The list of subcommands: the one place to add a line for a new verb.

#include <vector>

#include "tools/bench/command.h"
#include "tools/common/subcommand.h"
#include "tools/compare/command.h"
#include "tools/demo/command.h"
#include "tools/files/commands.h"
#include "tools/filters/command.h"
#include "tools/generate/command.h"
#include "tools/lab_door.h"
#include "tools/manual/command.h"
#include "tools/store_door.h"

namespace tamis::tools {

std::span<const AddSubcommand> AllSubcommands() {
  static const std::vector<AddSubcommand> kAll = [] {
    std::vector<AddSubcommand> all = {
        AddDemo,  AddCompare, AddFilters, AddBuild, AddAdd,   AddRemove,
        AddQuery, AddInfo,    AddVerify,  AddMerge, AddBench, AddGenerate,
    };
    const auto store = StoreSubcommands();
    all.insert(all.end(), store.begin(), store.end());
    const auto lab = LabSubcommands();
    all.insert(all.end(), lab.begin(), lab.end());
    all.insert(all.end(), {AddHelp, AddCompletion, AddMan});
    return all;
  }();
  return kAll;
}

}  // namespace tamis::tools
