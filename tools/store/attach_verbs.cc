// `tamis store attach|detach`: a filter beside a database that exists.

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tamis/attached_store.h"
#include "tools/common/number_option.h"
#include "tools/common/progress.h"
#include "tools/store/verbs.h"

namespace tamis::tools {
namespace {

struct Options {
  std::string path;
  std::string sidecar;
  int bits = 12;
  bool rebuild = false;
};

// The database is opened for reading only: it stays as it is.
Result<std::unique_ptr<rocksdb::DB>> OpenForReading(const std::string& path) {
  rocksdb::Options options;
  if (!options.env->FileExists(path + "/CURRENT").ok()) {
    return Status(StatusCode::kNotFound, path + ": there is no database");
  }
  if (Store::FilterForm(path).ok()) {
    return Status(StatusCode::kInvalidArgument,
                  path + " is a store: it has its filter");
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(options, path, &db);
  if (!status.ok()) {
    return Status(StatusCode::kIo, path + ": " + status.ToString());
  }
  return std::unique_ptr<rocksdb::DB>(db);
}

Status RunAttach(const Options& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto db, OpenForReading(options.path));
  Progress progress(console.err, "store attach");
  AttachedStore::Options attach;
  attach.sidecar = options.sidecar;
  attach.filter.fingerprint_bits = options.bits;
  attach.rebuild = options.rebuild;
  attach.on_progress = [&](std::string_view what, uint64_t keys) {
    progress.ReportCount(what, keys);
  };
  TAMIS_ASSIGN_OR_RETURN(
      const auto attached,
      AttachedStore::Attach(db.get(), db->DefaultColumnFamily(), attach));
  progress.Clear();
  const StoreStats stats = attached->sidecar().Stats();
  console.out << fmt::format(
      "{}: {} keys, {:.2f} bits a key, up to sequence number {}\n",
      attached->num_rebuilds() > 0 ? "built" : "up to date",
      stats.families[0].keys, stats.families[0].bits_per_key,
      attached->applied());
  return attached->Close();
}

Status RunDetach(const Options& options) {
  return AttachedStore::Detach(options.sidecar.empty()
                                   ? AttachedStore::DefaultSidecar(options.path)
                                   : options.sidecar);
}

CLI::App* AddVerb(CLI::App& parent, const char* name, const char* help,
                  Options* options) {
  CLI::App* app = parent.add_subcommand(name, help);
  app->add_option("DATABASE", options->path, "A RocksDB database")->required();
  app->add_option("--sidecar", options->sidecar,
                  "Folder of the filter; the database's path and .tamis unless "
                  "given");
  return app;
}

}  // namespace

Runner AddStoreAttach(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      AddVerb(parent, "attach",
              "Make a filter beside a RocksDB database, or bring it up to date",
              options.get());
  AddNumber(app, "--bits", &options->bits, {3, 40},
            "Bits of a new fingerprint: one more halves the false positives");
  app->add_flag("--rebuild", options->rebuild, "Make it anew in any case");
  return {app, [=] { return RunAttach(*options, console); }};
}

Runner AddStoreDetach(CLI::App& parent, Console console) {
  (void)console;
  auto options = std::make_shared<Options>();
  CLI::App* app =
      AddVerb(parent, "detach",
              "Remove that filter; the database stays as it is", options.get());
  return {app, [=] { return RunDetach(*options); }};
}

}  // namespace tamis::tools
