// `tamis verify`: checksums and invariants of filter files.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/files/commands.h"
#include "tools/files/load_file.h"

namespace tamis::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVerifyExamples =
    "Examples:\n"
    "  tamis verify users.tamis\n"
    "  tamis verify *.tamis && echo all good\n"
    "\n"
    "Checks all checksums, then the invariants of the filter.  Exit status 1\n"
    "if a file is damaged; the message says where and how.\n"
    "\n"
    "--json prints an array with {\"file\", \"ok\", \"filter\", \"keys\", "
    "\"error\"} for\n"
    "each file; of a damaged one, filter and keys are null, and so is the\n"
    "error of one that is not.";

struct VerifyOptions {
  std::vector<std::string> files;
  bool json = false;
};

Json AsJson(const std::string& file, const Result<AnyFilter>& filter) {
  Json json = {{"file", file},
               {"ok", filter.ok()},
               {"filter", nullptr},
               {"keys", nullptr},
               {"error", nullptr}};
  if (filter.ok()) {
    json["filter"] = filter->spec().ToString();
    json["keys"] = filter->size();
  } else {
    json["error"] = filter.status().message();
  }
  return json;
}

// Goes on after a damaged file, so that all of them are named.
Status RunVerify(const VerifyOptions& options, Console console) {
  Status first_failure;
  Json all = Json::array();
  for (const std::string& file : options.files) {
    const Result<AnyFilter> filter = LoadFile(file);
    if (options.json) all.push_back(AsJson(file, filter));
    if (filter.ok()) {
      if (options.json) continue;
      console.out << fmt::format("{}: ok, {}, {} keys\n", file,
                                 filter->spec().ToString(), filter->size());
    } else if (first_failure.ok()) {
      first_failure = filter.status();
    } else {
      console.err << "tamis: " << filter.status().message() << '\n';
    }
  }
  if (options.json) console.out << all.dump(2) << '\n';
  return first_failure;
}

}  // namespace

Runner AddVerify(CLI::App& parent, Console console) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* app = parent.add_subcommand(
      "verify", "Check the checksums and invariants of filter files");
  app->footer(kVerifyExamples);
  app->add_option("FILE", options->files, "Filter files")->required();
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] { return RunVerify(*options, console); }};
}

}  // namespace tamis::tools
