// The door to lab/: what the papers' experiments add to the command.
//
// lab/ includes tools/ and not the other way round.  Where it is built in (the
// option TAMIS_LAB), lab/door.cc defines these functions; elsewhere no_lab.cc
// does, and the command has the verbs of its users only.

#ifndef TAMIS_TOOLS_LAB_DOOR_H_
#define TAMIS_TOOLS_LAB_DOOR_H_

#include <span>
#include <string>
#include <vector>

#include "tools/common/subcommand.h"

namespace tamis::tools {

// The verbs of the lab; none without one.
std::span<const AddSubcommand> LabSubcommands();

// What `tamis reproduce` takes as a name, for completions.
std::vector<std::string> ExperimentNames();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_LAB_DOOR_H_
