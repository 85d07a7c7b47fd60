// The door to tools/store/: the verb of the store on RocksDB.
//
// Where it is built in (the option TAMIS_STORE), tools/store/command.cc defines
// this; elsewhere no_store.cc does, and the command has no such verb.

#ifndef TAMIS_TOOLS_STORE_DOOR_H_
#define TAMIS_TOOLS_STORE_DOOR_H_

#include <span>

#include "tools/common/subcommand.h"

namespace tamis::tools {

std::span<const AddSubcommand> StoreSubcommands();

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_DOOR_H_
