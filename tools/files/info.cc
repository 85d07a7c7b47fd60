// `tamis info`: what is in a filter file.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/files/commands.h"
#include "tools/files/load_file.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kInfoExamples =
    "Examples:\n"
    "  tamis info users.tamis\n"
    "  tamis info users.tamis --json | jq .keys\n"
    "\n"
    "bits_per_key counts what a look-up needs, side_bits_per_key the memory\n"
    "beside it, such as the mirror of a filter that adapts.  The seed is not\n"
    "shown: who knows it can compute false positives.";

struct InfoOptions {
  std::string file;
  bool json = false;
};

Json SectionsAsJson(const FileInfo& info) {
  Json sections = Json::array();
  for (const FileInfo::Section& section : info.sections) {
    sections.push_back({{"name", section.name},
                        {"offset", section.offset},
                        {"size_bytes", section.size_bytes},
                        {"checksum_ok", section.checksum_ok}});
  }
  return sections;
}

// What the header and the checksums say.
Json DescribeFile(const FileInfo& info) {
  return {{"filter", info.spec.ToString()},
          {"hash", ToString(info.hash_algorithm)},
          {"key_form", ToString(info.keys)},
          {"format_version", info.version},
          {"file_bytes", info.file_bytes},
          {"checksums_ok", info.checksums_ok()},
          {"sections", SectionsAsJson(info)}};
}

// The details of a filter are doubles, and most of them are counts.
Json AsNumber(double value) {
  constexpr double kLargestExact = 0x1p53;
  if (value < 0 || value > kLargestExact || value != std::floor(value)) {
    return value;
  }
  return static_cast<uint64_t>(value);
}

// What only the filter itself can say.
void DescribeFilter(const AnyFilter& filter, Json* json) {
  const FilterStats stats = filter.stats();
  (*json)["keys"] = stats.size;
  (*json)["capacity"] = stats.capacity;
  (*json)["bits_per_key"] = stats.BitsPerKey();
  (*json)["side_bits_per_key"] = stats.SideBitsPerKey();
  (*json)["expected_fpr"] = stats.expected_fpr;
  for (const auto& [name, value] : stats.details) {
    (*json)[name] = AsNumber(value);
  }
}

// A number for people: a count in full, a share or rate to four digits.
std::string ShortNumber(double value) {
  return std::abs(value) < 1000 ? fmt::format("{:.4g}", value)
                                : fmt::format("{:.0f}", value);
}

void PrintLines(const Json& json, std::ostream& out) {
  size_t width = 0;
  for (const auto& [name, value] : json.items()) {
    width = std::max(width, name.size());
  }
  for (const auto& [name, value] : json.items()) {
    if (name == "sections") continue;
    const std::string text = value.is_string() ? value.get<std::string>()
                             : value.is_number_float()
                                 ? ShortNumber(value.get<double>())
                                 : value.dump();
    out << fmt::format("{:<{}} {}\n", name, width, text);
  }
  for (const Json& section : json["sections"]) {
    out << fmt::format("{:<{}} {}: {} bytes at {}, checksum {}\n", "section",
                       width, section["name"].get<std::string>(),
                       section["size_bytes"].get<uint64_t>(),
                       section["offset"].get<uint64_t>(),
                       section["checksum_ok"].get<bool>() ? "ok" : "wrong");
  }
}

Status RunInfo(const InfoOptions& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const FileInfo info, Inspect(options.file));
  Json json = DescribeFile(info);
  // A damaged file still shows its header; the error then says the rest.
  const Result<AnyFilter> filter =
      LoadFile(options.file, {.check_invariants = false});
  if (filter.ok()) DescribeFilter(*filter, &json);
  if (options.json) {
    console.out << json.dump(2) << '\n';
  } else {
    PrintLines(json, console.out);
  }
  return filter.status();
}

}  // namespace

Runner AddInfo(CLI::App& parent, Console console) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* app = parent.add_subcommand("info", "Say what is in a filter file");
  app->footer(kInfoExamples);
  app->add_option("FILE", options->file, "The filter file")->required();
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] { return RunInfo(*options, console); }};
}

}  // namespace tamis::tools
