// `tamis store`: a key-value store on RocksDB with a filter that learns.

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "tools/store/verbs.h"
#include "tools/store_door.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Verbs:\n"
    "  load     put the keys of a file into a store\n"
    "  get      ask for keys\n"
    "  put      put one pair\n"
    "  delete   delete keys\n"
    "  scan     print all pairs\n"
    "  stats    what the store and its filter say of themselves\n"
    "  replay   the queries of a trace against plain RocksDB and a store\n"
    "  measure  the table of docs/guide/store.md\n"
    "  attach   a filter beside a RocksDB database that exists\n"
    "  detach   take it away again\n"
    "  rebuild  make the filter anew from the data\n"
    "  check    compare everything with everything\n"
    "  backup   add a backup, or restore the newest one\n"
    "\n"
    "Examples:\n"
    "  tamis store load users.db users.txt\n"
    "  tamis store get users.db ada bob\n"
    "  tamis store replay queries.u64.zst --out report\n"
    "\n"
    "`tamis store VERB --help` explains each.";

Runner AddStore(CLI::App& parent, Console console) {
  CLI::App* app = parent.add_subcommand(
      "store", "A key-value store on RocksDB with a filter that learns");
  app->footer(kExamples);
  app->require_subcommand(1);
  auto runners = std::make_shared<std::vector<Runner>>();
  for (const AddSubcommand add :
       {AddStoreLoad, AddStoreGet, AddStorePut, AddStoreDelete, AddStoreScan,
        AddStoreStats, AddStoreReplay, AddStoreMeasure, AddStoreAttach,
        AddStoreDetach, AddStoreRebuild, AddStoreCheck, AddStoreBackup}) {
    runners->push_back(add(*app, console));
  }
  return {app, [runners] {
            for (const Runner& one : *runners) {
              if (one.app->parsed()) return one.run();
            }
            return Status();
          }};
}

}  // namespace

std::span<const AddSubcommand> StoreSubcommands() {
  static constexpr AddSubcommand kAll[] = {AddStore};
  return kAll;
}

}  // namespace tamis::tools
