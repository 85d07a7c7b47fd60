#include "tools/store/open_option.h"

#include "tools/common/number_option.h"
#include "tools/common/progress.h"

namespace tamis::tools {

void AddStorePath(CLI::App* app, OpenOption* option) {
  app->add_option("STORE", option->path, "The store's folder")->required();
}

void AddFilterForm(CLI::App* app, OpenOption* option) {
  AddNumber(app, "--bits", &option->bits, {3, 40},
            "Bits of a new fingerprint: one more halves the false positives");
  AddNumber(app, "--expected-keys", &option->expected_keys,
            {0, uint64_t{1} << 40},
            "Make the filter to this size: it is smaller, and can't grow; "
            "0: it grows");
}

void AddStoreForm(CLI::App* app, OpenOption* option) {
  app->add_option("--order", option->order,
                  "Order on disk of a new store: by hash, or by key with an "
                  "index beside it")
      ->check(CLI::IsMember({"hash", "key"}))
      ->capture_default_str();
  AddFilterForm(app, option);
}

Result<std::unique_ptr<Store>> Open(const OpenOption& option, Missing missing,
                                    Console console, bool rebuild) {
  StoreOptions options;
  options.rocksdb.create_if_missing = missing == Missing::kIsMade;
  options.layout =
      option.order == "key" ? StoreLayout::kKeyOrder : StoreLayout::kHashOrder;
  options.filter.fingerprint_bits = option.bits;
  options.filter.expected_keys = option.expected_keys;
  options.filter.grow = option.expected_keys == 0;
  options.rebuild = rebuild;
  auto progress = std::make_shared<Progress>(console.err, "store");
  options.on_progress = [progress](std::string_view what, uint64_t keys) {
    progress->ReportCount(what, keys);
  };
  return Store::Open(options, option.path);
}

}  // namespace tamis::tools
