#include "tools/store/open_option.h"

#include "tools/common/number_option.h"
#include "tools/common/progress.h"

namespace tamis::tools {

void AddStorePath(CLI::App* app, OpenOption* option) {
  app->add_option("STORE", option->path, "The store's folder")->required();
}

void AddFilterForm(CLI::App* app, OpenOption* option) {
  option->app = app;
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

namespace {

bool IsSaid(const OpenOption& option, const char* name) {
  return option.app != nullptr && option.app->get_option(name)->count() > 0;
}

// What --bits and --expected-keys make of a form.
void Change(const OpenOption& option, StoreFilterOptions* form) {
  if (IsSaid(option, "--bits")) form->fingerprint_bits = option.bits;
  if (!IsSaid(option, "--expected-keys")) return;
  form->expected_keys = option.expected_keys;
  form->grow = option.expected_keys == 0;
}

}  // namespace

Result<std::unique_ptr<Store>> Open(const OpenOption& option, Missing missing,
                                    Console console, bool rebuild) {
  StoreOptions options;
  if (rebuild) {
    const Result<StoreFilterOptions> form = Store::FilterForm(option.path);
    if (form.ok()) options.filter = *form;
    // One that remembers none gets the usual one.
    if (form.status().code() != StatusCode::kNotFound) {
      TAMIS_RETURN_IF_ERROR(form.status());
    }
  }
  Change(option, &options.filter);
  options.rocksdb.create_if_missing = missing == Missing::kIsMade;
  options.layout =
      option.order == "key" ? StoreLayout::kKeyOrder : StoreLayout::kHashOrder;
  options.rebuild = rebuild;
  auto progress = std::make_shared<Progress>(console.err, "store");
  options.on_progress = [progress](std::string_view what, uint64_t keys) {
    progress->ReportCount(what, keys);
  };
  TAMIS_ASSIGN_OR_RETURN(auto store, Store::Open(options, option.path));
  const bool has_order =
      option.app != nullptr && option.app->get_option_no_throw("--order");
  if (has_order && IsSaid(option, "--order") &&
      store->layout() != options.layout) {
    return Status(StatusCode::kInvalidArgument,
                  option.path +
                      " is in the other order, which can't be "
                      "changed; load into a new store");
  }
  return store;
}

}  // namespace tamis::tools
