#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/files/commands.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tamis verify users.tamis\n"
    "  tamis verify *.tamis && echo all good\n"
    "\n"
    "Checks all checksums, then the invariants of the filter.  Exit status 1\n"
    "if a file is damaged; the message says where and how.";

// Goes on after a damaged file, so that all of them are named.
Status Run(const std::vector<std::string>& files, Console console) {
  Status first_failure;
  for (const std::string& file : files) {
    const Result<AnyFilter> filter = LoadAny(file);
    if (filter.ok()) {
      console.out << fmt::format("{}: ok, {}, {} keys\n", file,
                                 filter->spec().ToString(), filter->size());
    } else if (first_failure.ok()) {
      first_failure = filter.status();
    } else {
      console.err << "tamis: " << filter.status().message() << '\n';
    }
  }
  return first_failure;
}

}  // namespace

Runner AddVerify(CLI::App& parent, Console console) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* app = parent.add_subcommand(
      "verify", "Check the checksums and invariants of filter files");
  app->footer(kExamples);
  app->add_option("FILE", *files, "Filter files")->required();
  return {app, [=] { return Run(*files, console); }};
}

}  // namespace tamis::tools
