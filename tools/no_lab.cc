// The command without lab/: compiled only where TAMIS_LAB is off.

#include "tools/lab_door.h"

namespace tamis::tools {

std::span<const AddSubcommand> LabSubcommands() { return {}; }

std::vector<std::string> ExperimentNames() { return {}; }

}  // namespace tamis::tools
