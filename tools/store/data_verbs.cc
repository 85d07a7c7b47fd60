// `tamis store load|get|put|delete|scan`: what is in a store.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/common/interrupt.h"
#include "tools/common/number_option.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"
#include "tools/files/keys_option.h"
#include "tools/store/open_option.h"
#include "tools/store/verbs.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

// Keys may be any bytes; JSON can't say all of them.
std::string Utf8(const rocksdb::Slice& bytes) {
  return Json(bytes.ToString())
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- load -----------------------------------------------------------------

struct LoadOptions {
  OpenOption store;
  KeysOption keys;
  std::string separator;
  uint64_t value_bytes = 0;
  uint64_t batch = 1000;
};

// A batch is in memory twice.
constexpr size_t kBatchBytes = size_t{16} << 20;

struct Pair {
  std::string_view key;
  std::string_view value;
};

Pair SplitLine(std::string_view line, const LoadOptions& options,
               const std::string& filler) {
  if (!options.separator.empty()) {
    const size_t at = line.find(options.separator);
    if (at != std::string_view::npos) {
      return {line.substr(0, at), line.substr(at + options.separator.size())};
    }
  }
  return {line, filler};
}

Status LoadAll(workloads::KeyReader& keys, const LoadOptions& options,
               Store& store, Console console, uint64_t* loaded) {
  Progress progress(console.err, "store load");
  const InterruptScope interrupts;
  const std::string filler(options.value_bytes, 'v');
  rocksdb::WriteBatch batch;
  const auto write = [&] {
    const Status status = store.Write({}, &batch);
    batch.Clear();
    progress.ReportCount("keys", *loaded, keys.ShareRead());
    return status;
  };
  while (!InterruptRequested() && keys.Next()) {
    const Pair pair = SplitLine(keys.key(), options, filler);
    const rocksdb::Status added =
        batch.Put(rocksdb::Slice(pair.key.data(), pair.key.size()),
                  rocksdb::Slice(pair.value.data(), pair.value.size()));
    if (!added.ok()) return {StatusCode::kOutOfMemory, added.ToString()};
    ++*loaded;
    if (static_cast<uint64_t>(batch.Count()) >= options.batch ||
        batch.GetDataSize() >= kBatchBytes) {
      TAMIS_RETURN_IF_ERROR(write());
    }
  }
  TAMIS_RETURN_IF_ERROR(write());
  return keys.status();
}

Status RunLoad(const LoadOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto keys, Open(options.keys));
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsMade, console));
  uint64_t loaded = 0;
  TAMIS_RETURN_IF_ERROR(LoadAll(*keys, options, *store, console, &loaded));
  const StoreStats stats = store->Stats();
  TAMIS_RETURN_IF_ERROR(store->Close());
  console.out << fmt::format(
      "{} pairs, {} of them new keys; {} keys in the store\n", loaded,
      stats.counters.new_keys, stats.families[0].keys);
  return {};
}

// ---- get, put, delete, scan -----------------------------------------------

struct KeyOptions {
  OpenOption store;
  std::vector<std::string> keys;
  std::string value;
  bool json = false;
  uint64_t limit = 0;
};

Status RunGet(const KeyOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  const std::vector<rocksdb::Slice> keys(options.keys.begin(),
                                         options.keys.end());
  std::vector<std::string> values;
  std::vector<bool> found;
  TAMIS_RETURN_IF_ERROR(
      store->MultiGet({}, store->default_family(), keys, &values, &found));
  size_t missing = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!found[i]) ++missing;
    if (options.json) {
      console.out << fmt::format(
          "{{\"key\":{},\"found\":{}{}}}\n", Utf8(keys[i]), bool{found[i]},
          found[i] ? ",\"value\":" + Utf8(values[i]) : "");
    } else if (found[i]) {
      console.out << values[i] << '\n';
    }
  }
  TAMIS_RETURN_IF_ERROR(store->Close());
  if (missing == 0) return {};
  return {StatusCode::kNotFound,
          keys.size() == 1 ? "no such key: " + options.keys[0]
                           : fmt::format("{} of {} keys are not there", missing,
                                         keys.size())};
}

Status RunPut(const KeyOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsMade, console));
  TAMIS_RETURN_IF_ERROR(store->Put(options.keys[0], options.value));
  return store->Close();
}

Status RunDelete(const KeyOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  rocksdb::WriteBatch batch;
  for (const std::string& key : options.keys) {
    if (!batch.Delete(key).ok()) {
      return {StatusCode::kOutOfMemory, "too many keys"};
    }
  }
  TAMIS_RETURN_IF_ERROR(store->Write({}, &batch));
  return store->Close();
}

Status RunScan(const KeyOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const auto store,
                         Open(options.store, Missing::kIsAnError, console));
  const InterruptScope interrupts;
  const auto at = store->NewIterator({}, store->default_family());
  uint64_t count = 0;
  for (at->SeekToFirst(); at->Valid() && !InterruptRequested(); at->Next()) {
    if (options.limit != 0 && count++ == options.limit) break;
    if (options.json) {
      console.out << fmt::format("{{\"key\":{},\"value\":{}}}\n",
                                 Utf8(at->key()), Utf8(at->value()));
    } else {
      console.out << at->key().ToStringView() << '\t'
                  << at->value().ToStringView() << '\n';
    }
  }
  return at->status();
}

}  // namespace

Runner AddStoreLoad(CLI::App& parent, Console console) {
  auto options = std::make_shared<LoadOptions>();
  CLI::App* app = parent.add_subcommand(
      "load", "Put the keys of a file into a store, which is made if missing");
  app->footer(
      "Examples:\n"
      "  tamis store load users.db users.tsv --separator $'\\t'\n"
      "  tamis store load seen.db keys.u64.zst --value-bytes 100");
  AddStorePath(app, &options->store);
  AddKeysOption(app, "KEYS", "Keys, or pairs with --separator", &options->keys);
  app->add_option("--separator", options->separator,
                  "What is between key and value of a line");
  AddNumber(app, "--value-bytes", &options->value_bytes,
            {0, uint64_t{64} << 20},
            "Length of the values where none is given");
  AddNumber(app, "--batch", &options->batch, {1, 1'000'000},
            "Keys that are written at once");
  AddStoreForm(app, &options->store);
  return {app, [=] { return RunLoad(*options, console); }};
}

Runner AddStoreGet(CLI::App& parent, Console console) {
  auto options = std::make_shared<KeyOptions>();
  CLI::App* app = parent.add_subcommand(
      "get", "Print the values of keys; exit status 1 if one is not there");
  AddStorePath(app, &options->store);
  app->add_option("KEY", options->keys, "Keys to ask for")->required();
  app->add_flag("--json", options->json, "Print a line of JSON for each key");
  return {app, [=] { return RunGet(*options, console); }};
}

Runner AddStorePut(CLI::App& parent, Console console) {
  auto options = std::make_shared<KeyOptions>();
  options->keys.resize(1);
  CLI::App* app = parent.add_subcommand(
      "put", "Put one pair into a store, which is made if missing");
  AddStorePath(app, &options->store);
  app->add_option("KEY", options->keys[0], "The key")->required();
  app->add_option("VALUE", options->value, "The value")->required();
  AddStoreForm(app, &options->store);
  return {app, [=] { return RunPut(*options, console); }};
}

Runner AddStoreDelete(CLI::App& parent, Console console) {
  auto options = std::make_shared<KeyOptions>();
  CLI::App* app = parent.add_subcommand(
      "delete", "Delete keys, all or none; those not there are no error");
  AddStorePath(app, &options->store);
  app->add_option("KEY", options->keys, "Keys to delete")->required();
  return {app, [=] { return RunDelete(*options, console); }};
}

Runner AddStoreScan(CLI::App& parent, Console console) {
  auto options = std::make_shared<KeyOptions>();
  CLI::App* app = parent.add_subcommand(
      "scan", "Print all pairs, a tab between key and value");
  AddStorePath(app, &options->store);
  AddNumber(app, "--limit", &options->limit, {0, ~uint64_t{0}},
            "Print so many at most; 0: all");
  app->add_flag("--json", options->json, "Print a line of JSON for each pair");
  return {app, [=] { return RunScan(*options, console); }};
}

}  // namespace tamis::tools
