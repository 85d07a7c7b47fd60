#include "lab/reproduce/recorded.h"

#include <algorithm>
#include <system_error>

#include "workloads/key_reader.h"

namespace tamis::tools {
namespace {

bool IsTrace(const std::filesystem::path& file) {
  using Encoding = workloads::KeyFormat::Encoding;
  return workloads::DetectKeyFormat(file.string()).encoding != Encoding::kText;
}

}  // namespace

std::vector<std::filesystem::path> RecordedFiles(
    const ExperimentOptions& options) {
  std::vector<std::filesystem::path> files;
  for (const std::string& given : options.data) {
    if (!std::filesystem::is_directory(given)) {
      files.emplace_back(given);
      continue;
    }
    const auto begin = static_cast<std::ptrdiff_t>(files.size());
    std::error_code ignored;  // a folder that can't be read has no traces
    for (const auto& entry :
         std::filesystem::directory_iterator(given, ignored)) {
      if (IsTrace(entry.path())) files.push_back(entry.path());
    }
    std::sort(files.begin() + begin, files.end());
  }
  return files;
}

Status ForEachKey(const std::filesystem::path& file,
                  const std::function<void(std::string_view key)>& visit) {
  TAMIS_ASSIGN_OR_RETURN(const auto reader, workloads::OpenKeys(file.string()));
  while (reader->Next()) visit(reader->key());
  return reader->status();
}

}  // namespace tamis::tools
