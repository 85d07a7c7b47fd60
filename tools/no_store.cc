// The command without the store: compiled only where TAMIS_STORE is off.

#include "tools/store_door.h"

namespace tamis::tools {

std::span<const AddSubcommand> StoreSubcommands() { return {}; }

}  // namespace tamis::tools
