// The table of commands: names, flags, keys, and what COMMAND DOCS says.

#include <array>
#include <string>

#include "redis/commands.h"

namespace tamis::redis {
namespace {

using Arg = CommandArgument;

constexpr Arg kKey = {.name = "key", .type = Arg::kKey, .key_spec_index = 0};
constexpr Arg kItem = {.name = "item"};
constexpr Arg kItems = {.name = "item", .flags = Arg::kMultiple};
constexpr Arg kEnd = {};

constexpr Arg Number(const char* name, const char* token = nullptr,
                     int flags = Arg::kNone) {
  return {.name = name, .type = Arg::kInteger, .token = token, .flags = flags};
}
constexpr Arg Real(const char* name, const char* token = nullptr,
                   int flags = Arg::kNone) {
  return {.name = name, .type = Arg::kDouble, .token = token, .flags = flags};
}
constexpr Arg Word(const char* name, const char* token) {
  return {.name = name,
          .type = Arg::kPureToken,
          .token = token,
          .flags = Arg::kOptional};
}
constexpr Arg Text(const char* name, const char* token = nullptr,
                   int flags = Arg::kNone) {
  return {.name = name, .token = token, .flags = flags};
}

Arg only_key[] = {kKey, kEnd};
Arg key_item[] = {kKey, kItem, kEnd};
Arg key_items[] = {kKey, kItems, kEnd};
Arg dump[] = {kKey, Number("iterator"), kEnd};
Arg load[] = {kKey, Number("iterator"), Text("data"), kEnd};
Arg bf_reserve[] = {kKey,
                    Real("error_rate"),
                    Number("capacity"),
                    Number("expansion", "EXPANSION", Arg::kOptional),
                    Word("nonscaling", "NONSCALING"),
                    kEnd};
Arg bf_insert[] = {kKey,
                   Number("capacity", "CAPACITY", Arg::kOptional),
                   Real("error", "ERROR", Arg::kOptional),
                   Number("expansion", "EXPANSION", Arg::kOptional),
                   Word("nocreate", "NOCREATE"),
                   Word("nonscaling", "NONSCALING"),
                   Text("item", "ITEMS", Arg::kMultiple),
                   kEnd};
Arg bf_info_fields[] = {Word("capacity", "CAPACITY"),   Word("size", "SIZE"),
                        Word("filters", "FILTERS"),     Word("items", "ITEMS"),
                        Word("expansion", "EXPANSION"), kEnd};
Arg bf_info[] = {kKey,
                 {.name = "single_value",
                  .type = Arg::kOneOf,
                  .flags = Arg::kOptional,
                  .parts = bf_info_fields},
                 kEnd};
Arg cf_reserve[] = {kKey,
                    Number("capacity"),
                    Number("bucketsize", "BUCKETSIZE", Arg::kOptional),
                    Number("maxiterations", "MAXITERATIONS", Arg::kOptional),
                    Number("expansion", "EXPANSION", Arg::kOptional),
                    kEnd};
Arg cf_insert[] = {kKey, Number("capacity", "CAPACITY", Arg::kOptional),
                   Word("nocreate", "NOCREATE"),
                   Text("item", "ITEMS", Arg::kMultiple), kEnd};
Arg af_shard[] = {Number("shard", "SHARD"), Number("shards", "OF"), kEnd};
Arg af_reserve[] = {kKey,
                    Real("error", "ERROR", Arg::kOptional),
                    Number("bits", "BITS", Arg::kOptional),
                    Number("capacity", "CAPACITY", Arg::kOptional),
                    Number("memory", "MEMORY", Arg::kOptional),
                    Text("hash", "HASH", Arg::kOptional),
                    Number("seed", "SEED", Arg::kOptional | Arg::kMultiple),
                    {.name = "part",
                     .type = Arg::kBlock,
                     .flags = Arg::kOptional,
                     .parts = af_shard},
                    kEnd};
Arg af_report[] = {kKey, kItem, Number("token", "TOKEN"),
                   Text("member", "MEMBERS", Arg::kMultiple | Arg::kOptional),
                   kEnd};
Arg af_merge[] = {kKey,
                  {.name = "source",
                   .type = Arg::kKey,
                   .key_spec_index = 1,
                   .flags = Arg::kMultiple},
                  kEnd};

// What a command does with its key.  One that shrinks it is for the end of
// memory, too.
enum class Access { kRead, kInsert, kDelete, kUpdate, kShrink, kMerge };

struct Row {
  const char* name;
  CommandFunction function;
  int arity;  // as the server counts: negative is "at least"
  Access access;
  bool fast;
  const char* summary;
  const char* complexity;
  Arg* args;
};

const Row kBloomRows[] = {
    {"BF.RESERVE", kBfReserve, -4, Access::kInsert, false,
     "Makes an empty filter for an error rate and a number of items",
     "O(capacity)", bf_reserve},
    {"BF.ADD", kBfAdd, 3, Access::kInsert, true,
     "Adds an item, and makes the filter if there is none", "O(1)", key_item},
    {"BF.MADD", kBfMAdd, -3, Access::kInsert, false,
     "Adds items, and makes the filter if there is none", "O(items)",
     key_items},
    {"BF.INSERT", kBfInsert, -4, Access::kInsert, false,
     "Adds items, and makes the filter as asked if there is none", "O(items)",
     bf_insert},
    {"BF.EXISTS", kBfExists, 3, Access::kRead, true,
     "Says whether an item may have been added", "O(1)", key_item},
    {"BF.MEXISTS", kBfMExists, -3, Access::kRead, false,
     "Says of each item whether it may have been added", "O(items)", key_items},
    {"BF.CARD", kBfCard, 2, Access::kRead, true,
     "Returns how many items were added", "O(1)", only_key},
    {"BF.INFO", kBfInfo, -2, Access::kRead, true,
     "Returns what is known of a filter", "O(1)", bf_info},
    {"BF.SCANDUMP", kBfScanDump, 3, Access::kRead, false,
     "Returns a filter in chunks, one a call", "O(n)", dump},
    {"BF.LOADCHUNK", kBfLoadChunk, 4, Access::kUpdate, false,
     "Takes a chunk of BF.SCANDUMP", "O(n)", load},
};

const Row kCuckooRows[] = {
    {"CF.RESERVE", kCfReserve, -3, Access::kInsert, false,
     "Makes an empty filter for a number of items", "O(capacity)", cf_reserve},
    {"CF.ADD", kCfAdd, 3, Access::kInsert, true,
     "Adds an item, also if it is there", "O(1)", key_item},
    {"CF.ADDNX", kCfAddNx, 3, Access::kInsert, true,
     "Adds an item unless it may be there", "O(1)", key_item},
    {"CF.INSERT", kCfInsert, -4, Access::kInsert, false,
     "Adds items, and makes the filter as asked if there is none", "O(items)",
     cf_insert},
    {"CF.INSERTNX", kCfInsertNx, -4, Access::kInsert, false,
     "Adds those items that are not there", "O(items)", cf_insert},
    {"CF.EXISTS", kCfExists, 3, Access::kRead, true,
     "Says whether an item may have been added", "O(1)", key_item},
    {"CF.MEXISTS", kCfMExists, -3, Access::kRead, false,
     "Says of each item whether it may have been added", "O(items)", key_items},
    {"CF.COUNT", kCfCount, 3, Access::kRead, true,
     "Returns how often an item may have been added", "O(1)", key_item},
    {"CF.DEL", kCfDel, 3, Access::kDelete, true,
     "Deletes an item that was added, once", "O(1)", key_item},
    {"CF.COMPACT", kCfCompact, 2, Access::kShrink, false,
     "Makes a filter as small as its items allow", "O(n)", only_key},
    {"CF.INFO", kCfInfo, 2, Access::kRead, true,
     "Returns what is known of a filter", "O(1)", only_key},
    {"CF.SCANDUMP", kCfScanDump, 3, Access::kRead, false,
     "Returns a filter in chunks, one a call", "O(n)", dump},
    {"CF.LOADCHUNK", kCfLoadChunk, 4, Access::kUpdate, false,
     "Takes a chunk of CF.SCANDUMP", "O(n)", load},
};

const Row kAdaptiveRows[] = {
    {"AF.RESERVE", kAfReserve, -2, Access::kInsert, false,
     "Makes an empty filter that learns from its mistakes", "O(capacity)",
     af_reserve},
    {"AF.ADD", kAfAdd, 3, Access::kInsert, true,
     "Adds an item, before it is written to the database", "O(1)", key_item},
    {"AF.MADD", kAfMAdd, -3, Access::kInsert, false,
     "Adds items, before they are written to the database", "O(items)",
     key_items},
    {"AF.DEL", kAfDel, 3, Access::kDelete, true,
     "Deletes an item, after it was removed from the database", "O(1)",
     key_item},
    {"AF.EXISTS", kAfExists, 3, Access::kRead, true,
     "Says whether an item may have been added", "O(1)", key_item},
    {"AF.MEXISTS", kAfMExists, -3, Access::kRead, false,
     "Says of each item whether it may have been added", "O(items)", key_items},
    {"AF.HASH", kAfHash, 3, Access::kRead, true,
     "Returns the hash of an item, for an indexed column of the database",
     "O(1)", key_item},
    {"AF.QUERY", kAfQuery, 3, Access::kRead, true,
     "Returns nil, or the interval of hashes to look in and a token", "O(1)",
     key_item},
    {"AF.REPORT", kAfReport, -6, Access::kUpdate, false,
     "Fixes a false positive by the members that collide with it", "O(members)",
     af_report},
    {"AF.MERGE", kAfMerge, -3, Access::kMerge, false,
     "Adds all items of other filters to a filter", "O(n)", af_merge},
    {"AF.RESIZE", kAfResize, 2, Access::kShrink, false,
     "Makes a filter as small as its items allow", "O(n)", only_key},
    {"AF.INFO", kAfInfo, 2, Access::kRead, true,
     "Returns what is known of a filter", "O(1)", only_key},
    {"AF.STATS", kAfStats, 2, Access::kRead, false,
     "Returns what a filter counts of itself", "O(shards)", only_key},
    {"AF.DUMP", kAfDump, 3, Access::kRead, false,
     "Returns a filter in chunks, one a call", "O(n)", dump},
    {"AF.LOAD", kAfLoad, 4, Access::kUpdate, false, "Takes a chunk of AF.DUMP",
     "O(n)", load},
};

// "write deny-oom fast" and the like.
std::string FlagsOf(const Row& row) {
  std::string flags = row.access == Access::kRead ? "readonly" : "write";
  const bool grows = row.access == Access::kInsert ||
                     row.access == Access::kUpdate ||
                     row.access == Access::kMerge;
  if (grows) flags += " deny-oom";
  if (row.fast) flags += " fast";
  return flags;
}

uint64_t KeyFlagsOf(Access access) {
  switch (access) {
    case Access::kRead:
      return KeySpec::kReadOnly | KeySpec::kAccess;
    case Access::kInsert:
      return KeySpec::kReadWrite | KeySpec::kInsert;
    case Access::kDelete:
      return KeySpec::kReadWrite | KeySpec::kDelete;
    case Access::kUpdate:
    case Access::kShrink:
    case Access::kMerge:
      break;
  }
  return KeySpec::kReadWrite | KeySpec::kUpdate;
}

bool Describe(Context* context, const Row& row) {
  if (api.GetCommand == nullptr || api.SetCommandInfo == nullptr) return true;
  CommandHandle* command = api.GetCommand(context, row.name);
  if (command == nullptr) return false;
  static constexpr CommandInfoVersion kVersion = {
      1, sizeof(CommandHistory), sizeof(KeySpec), sizeof(CommandArgument)};
  std::array<KeySpec, 3> keys = {};
  keys[0].flags = KeyFlagsOf(row.access);
  keys[0].begin.index = 1;
  keys[1].begin_search = 0;  // the end of the list
  if (row.access == Access::kMerge) {
    keys[1] = keys[0];
    keys[1].flags = KeySpec::kReadOnly | KeySpec::kAccess;
    keys[1].begin.index = 2;
    keys[1].keys.last = -1;
    keys[2].begin_search = 0;
  }
  CommandInfo info;
  info.version = &kVersion;
  info.summary = row.summary;
  info.complexity = row.complexity;
  info.since = "0.1.0";
  info.arity = row.arity;
  info.key_specs = keys.data();
  info.args = row.args;
  return api.SetCommandInfo(command, &info) == kOk;
}

// "tamis", and for look-ups and changes what the server's own commands have.
void Categorize(Context* context, const Row& row) {
  if (api.SetCommandACLCategories == nullptr || api.GetCommand == nullptr) {
    return;
  }
  CommandHandle* command = api.GetCommand(context, row.name);
  if (command == nullptr) return;
  std::string categories = row.access == Access::kRead ? "read" : "write";
  categories += row.fast ? " fast" : " slow";
  categories += " tamis";
  api.SetCommandACLCategories(command, categories.c_str());
}

template <size_t size>
bool CreateAll(Context* context, const Row (&rows)[size]) {
  for (const Row& row : rows) {
    const int last = row.access == Access::kMerge ? -1 : 1;
    if (api.CreateCommand(context, row.name, row.function, FlagsOf(row).c_str(),
                          1, last, 1) != kOk ||
        !Describe(context, row)) {
      return false;
    }
    Categorize(context, row);
  }
  return true;
}

}  // namespace

bool CreateCommands(Context* context) {
  if (api.AddACLCategory != nullptr) api.AddACLCategory(context, "tamis");
  return (!settings.bloom || CreateAll(context, kBloomRows)) &&
         (!settings.cuckoo || CreateAll(context, kCuckooRows)) &&
         CreateAll(context, kAdaptiveRows);
}

}  // namespace tamis::redis
