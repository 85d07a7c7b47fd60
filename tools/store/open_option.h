// The store that a verb works on: its path and how it is opened.

#ifndef TAMIS_TOOLS_STORE_OPEN_OPTION_H_
#define TAMIS_TOOLS_STORE_OPEN_OPTION_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tamis/result.h"
#include "tamis/store.h"
#include "tools/common/subcommand.h"

namespace tamis::tools {

struct OpenOption {
  std::string path;
  // Of a new store, or of one that is rebuilt.
  std::string order = "hash";
  int bits = 12;
  uint64_t expected_keys = 0;
  // Of a store that exists: what was not said stays as it is.
  const CLI::App* app = nullptr;
};

// Adds the positional STORE.
void AddStorePath(CLI::App* app, OpenOption* option);
// Adds --order, and what AddFilterForm adds.
void AddStoreForm(CLI::App* app, OpenOption* option);
// Adds --bits and --expected-keys.
void AddFilterForm(CLI::App* app, OpenOption* option);

enum class Missing { kIsMade, kIsAnError };
// Opens it; what takes long is told on console.err.
Result<std::unique_ptr<Store>> Open(const OpenOption& option, Missing missing,
                                    Console console, bool rebuild = false);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_OPEN_OPTION_H_
