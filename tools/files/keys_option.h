// The keys that a subcommand reads: a path and, if wanted, a format.

#ifndef TAMIS_TOOLS_FILES_KEYS_OPTION_H_
#define TAMIS_TOOLS_FILES_KEYS_OPTION_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "tamis/result.h"
#include "workloads/key_reader.h"

namespace tamis::tools {

struct KeysOption {
  std::string path;    // "-" is standard input
  std::string format;  // empty: as the extension says
};

// Adds the positional `name` and --format.
void AddKeysOption(CLI::App* app, const std::string& name,
                   const std::string& help, KeysOption* keys);

// Returns the format to read `keys` in, as given or by the extension.
Result<workloads::KeyFormat> FormatOf(const KeysOption& keys);
Result<std::unique_ptr<workloads::KeyReader>> Open(const KeysOption& keys);

// Returns a key as people write it: a u64 key in decimals, others as they are.
std::string Readable(std::string_view key, const workloads::KeyFormat& format);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_FILES_KEYS_OPTION_H_
