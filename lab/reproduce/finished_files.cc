#include "lab/reproduce/finished_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "lab/reproduce/findings_json.h"
#include "tamis/hasher.h"

namespace tamis::tools {
namespace {

using nlohmann::json;

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The findings of another program may be others.
std::string ProgramMark() {
  const KeyHash hash = Hasher(Seed{}).Hash(ReadAll("/proc/self/exe"));
  return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

}  // namespace

FinishedFiles::FinishedFiles(const std::string& out,
                             const ExperimentOptions& options) {
  if (out.empty()) return;
  dir_ = out + "/finished";
  run_ = fmt::format("scale {}, seed {}, data '{}', members {}, program {}",
                     options.paper_scale ? "paper" : "quick", options.seed,
                     fmt::join(options.data, "', '"),
                     options.first_flows ? "first" : "hash", ProgramMark());
}

std::string FinishedFiles::PathOf(std::string_view name) const {
  return fmt::format("{}/{}.cbor", dir_, name);
}

std::optional<Findings> FinishedFiles::Load(std::string_view name) const {
  if (dir_.empty()) return std::nullopt;
  const json file = json::from_cbor(ReadAll(PathOf(name)), /*strict=*/true,
                                    /*allow_exceptions=*/false);
  if (!file.is_object() || file.value("run", "") != run_) return std::nullopt;
  try {
    return file.at("findings").get<Findings>();
  } catch (const json::exception&) {  // no findings as they are today
    return std::nullopt;
  }
}

// By a file of another name, so that one that is there is whole.
Status FinishedFiles::Save(std::string_view name,
                           const Findings& findings) const {
  if (dir_.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(dir_, error);
  const std::string path = PathOf(name);
  const std::vector<uint8_t> bytes =
      json::to_cbor(json{{"run", run_}, {"findings", findings}});
  std::ofstream out(path + ".new", std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) std::filesystem::rename(path + ".new", path, error);
  if (out && !error) return {};
  return {StatusCode::kIo, path + ": can't keep what is finished"};
}

}  // namespace tamis::tools
