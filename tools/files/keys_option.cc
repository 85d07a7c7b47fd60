#include "tools/files/keys_option.h"

#include "tamis/internal/bits/words.h"

namespace tamis::tools {

using workloads::KeyFormat;

void AddKeysOption(CLI::App* app, const std::string& name,
                   const std::string& help, KeysOption* keys) {
  app->add_option(name, keys->path, help)->required();
  app->add_option("--format", keys->format,
                  "text (lines), u64 (8 bytes) or pcap, also with .zst; "
                  "default: as the name ends");
}

Result<KeyFormat> FormatOf(const KeysOption& keys) {
  if (keys.format.empty()) return workloads::DetectKeyFormat(keys.path);
  return workloads::ParseKeyFormat(keys.format);
}

Result<std::unique_ptr<workloads::KeyReader>> Open(const KeysOption& keys) {
  TAMIS_ASSIGN_OR_RETURN(const KeyFormat format, FormatOf(keys));
  return workloads::OpenKeys(keys.path, format);
}

KeyForm FormOf(const KeyFormat& format) {
  switch (format.encoding) {
    case KeyFormat::Encoding::kText:
      return KeyForm::kText;
    case KeyFormat::Encoding::kU64:
      return KeyForm::kU64;
    case KeyFormat::Encoding::kPcap:
      return KeyForm::kBytes;
  }
  return KeyForm::kUnknown;
}

std::string Readable(std::string_view key, const KeyFormat& format) {
  if (format.encoding != KeyFormat::Encoding::kU64 || key.size() != 8) {
    return std::string(key);
  }
  return std::to_string(internal::LoadWord(key.data()));
}

}  // namespace tamis::tools
