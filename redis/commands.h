// All commands, by family; registry.cc tells the server of them.

#ifndef TAMIS_REDIS_COMMANDS_H_
#define TAMIS_REDIS_COMMANDS_H_

#include "redis/api.h"
#include "redis/command.h"

namespace tamis::redis {

// bloom_commands.cc
extern CommandFunction const kBfReserve, kBfAdd, kBfMAdd, kBfInsert, kBfCard,
    kBfInfo;
// cuckoo_commands.cc
extern CommandFunction const kCfReserve, kCfAdd, kCfAddNx, kCfInsert,
    kCfInsertNx, kCfCount, kCfInfo;
// adaptive_commands.cc
extern CommandFunction const kAfReserve, kAfAdd, kAfMAdd, kAfHash, kAfQuery,
    kAfReport, kAfMerge, kAfInfo, kAfStats;
// look_up_commands.cc
extern CommandFunction const kBfExists, kBfMExists, kCfExists, kCfMExists,
    kAfExists, kAfMExists;
// shrink_commands.cc
extern CommandFunction const kCfDel, kCfCompact, kAfDel, kAfResize;
// chunk_commands.cc
extern CommandFunction const kBfScanDump, kBfLoadChunk, kCfScanDump,
    kCfLoadChunk, kAfDump, kAfLoad;

// Creates all commands of the families that are not switched off; false if the
// server refuses.
bool CreateCommands(Context* context);

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_COMMANDS_H_
