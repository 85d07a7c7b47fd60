// `tamis store stats|rebuild|check|backup`: looking after a store.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/common/parse.h"
#include "tools/store/open_option.h"
#include "tools/store/verbs.h"

namespace tamis::tools {
namespace {

struct Options {
  OpenOption store;
  bool json = false;
  std::string dir;
  std::string restore;
};

Status RunStats(const Options& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  const StoreStats stats = store->Stats();
  TAMIS_RETURN_IF_ERROR(store->Close());
  if (options.json) {
    console.out << nlohmann::ordered_json::parse(stats.ToJson()).dump(2)
                << '\n';
  } else {
    console.out << stats.ToText();
  }
  return {};
}

Status RunRebuild(const Options& options, Console console) {
  const auto begin = std::chrono::steady_clock::now();
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console,
                              /*rebuild=*/true));
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  const StoreStats stats = store->Stats();
  TAMIS_RETURN_IF_ERROR(store->Close());
  for (const auto& family : stats.families) {
    console.out << fmt::format("{}: {} keys, {:.2f} bits a key\n", family.name,
                               family.keys, family.bits_per_key);
  }
  console.out << fmt::format("rebuilt in {:.2f} s\n", took.count());
  return {};
}

Status RunCheck(const Options& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  const bool rebuilt = store->Stats().counters.rebuilds > 0;
  TAMIS_ASSIGN_OR_RETURN(const Store::CheckReport report, store->Check());
  TAMIS_RETURN_IF_ERROR(store->Close());
  if (options.json) {
    console.out << nlohmann::ordered_json{{"keys", report.keys},
                                          {"ghosts", report.ghosts},
                                          {"rebuilt", rebuilt}}
                       .dump()
                << '\n';
    return {};
  }
  console.out << fmt::format(
      "{} keys, each once in the filter; {} entries without a key{}\n",
      report.keys, report.ghosts,
      rebuilt ? "; the filter had to be rebuilt" : "");
  return {};
}

Status RunBackup(const Options& options, Console console) {
  if (!options.restore.empty()) {
    return Store::Restore(options.dir, options.restore);
  }
  if (options.store.path.empty()) {
    return UsageError("backup needs --store or --restore");
  }
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  TAMIS_RETURN_IF_ERROR(store->Backup(options.dir));
  return store->Close();
}

}  // namespace

Runner AddStoreStats(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app = parent.add_subcommand(
      "stats", "What the store and its filter say of themselves");
  AddStorePath(app, &options->store);
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] { return RunStats(*options, console); }};
}

Runner AddStoreRebuild(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app = parent.add_subcommand(
      "rebuild",
      "Make the filter anew from the data, of another form if asked");
  AddStorePath(app, &options->store);
  AddFilterForm(app, &options->store);
  return {app, [=] { return RunRebuild(*options, console); }};
}

Runner AddStoreCheck(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app = parent.add_subcommand(
      "check", "Read everything: every key once in the filter, and no damage");
  AddStorePath(app, &options->store);
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] { return RunCheck(*options, console); }};
}

Runner AddStoreBackup(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app = parent.add_subcommand(
      "backup", "Add a backup to a folder, or restore the newest one");
  app->footer(
      "Examples:\n"
      "  tamis store backup /backups/users --store users.db\n"
      "  tamis store backup /backups/users --restore users-again.db");
  app->add_option("DIR", options->dir, "The folder of the backups")->required();
  app->add_option("--store", options->store.path, "The store to back up");
  app->add_option("--restore", options->restore,
                  "Where to restore the newest backup to");
  return {app, [=] { return RunBackup(*options, console); }};
}

}  // namespace tamis::tools
