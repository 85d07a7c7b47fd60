// `tamis merge`: one filter file of several.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/common/parse.h"
#include "tools/files/commands.h"
#include "tools/files/load_file.h"
#include "tools/files/summary.h"

namespace tamis::tools {
namespace {

constexpr const char* kMergeExamples =
    "Examples:\n"
    "  tamis build monday.txt -o monday.tamis --fpr 0.001 --keys 2^20\n"
    "  tamis build tuesday.txt -o tuesday.tamis --like monday.tamis\n"
    "  tamis merge monday.tamis tuesday.tamis -o both.tamis\n"
    "\n"
    "Filters can be merged if they have the same hash, seed and widths (see\n"
    "tamis build --like), and the result has room for all keys.  A key in two\n"
    "of the files counts twice, since a filter can't tell it from two keys.\n"
    "\n"
    "--json prints {\"file\", \"filter\", \"keys\", \"capacity\", "
    "\"bits_per_key\",\n"
    "\"side_bits_per_key\", \"expected_fpr\"}.";

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string output;
  bool json = false;
};

// A file merged with itself would count all of its keys twice.
Status ExpectDifferentFiles(const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      std::error_code absent;
      if (!std::filesystem::equivalent(inputs[j], inputs[i], absent)) continue;
      return UsageError(inputs[j] + " and " + inputs[i] +
                        " are the same file; all its keys would count twice");
    }
  }
  return {};
}

// What the keys of all inputs were; unknown if they differ.
Result<KeyForm> FormOfAll(const std::vector<std::string>& inputs) {
  TAMIS_ASSIGN_OR_RETURN(const KeyForm first, KeyFormOf(inputs.front()));
  for (const std::string& input : inputs) {
    TAMIS_ASSIGN_OR_RETURN(const KeyForm form, KeyFormOf(input));
    if (form != first) return KeyForm::kUnknown;
  }
  return first;
}

Status RunMerge(const MergeOptions& options, Console console) {
  TAMIS_RETURN_IF_ERROR(ExpectOneOutput(options.output, options.json));
  TAMIS_RETURN_IF_ERROR(ExpectDifferentFiles(options.inputs));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter merged, LoadFile(options.inputs.front()));
  for (size_t i = 1; i < options.inputs.size(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(const AnyFilter other, LoadFile(options.inputs[i]));
    const Status status = merged.Merge(other);
    if (!status.ok()) return status.WithContext(options.inputs[i]);
  }
  TAMIS_ASSIGN_OR_RETURN(const KeyForm keys, FormOfAll(options.inputs));
  TAMIS_RETURN_IF_ERROR(
      SaveOrLeaveNothing(merged, options.output, keys, console));
  if (options.json) {
    console.out << SummaryAsJson(options.output, merged).dump(2) << '\n';
  } else {
    console.err << NameOfOutput(options.output) << ": " << Summary(merged)
                << '\n';
  }
  return {};
}

}  // namespace

Runner AddMerge(CLI::App& parent, Console console) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* app =
      parent.add_subcommand("merge", "Make one filter file of several");
  app->footer(kMergeExamples);
  app->add_option("FILE", options->inputs, "Filter files, two or more")
      ->required()
      ->expected(2, CLI::detail::expected_max_vector_size);
  app->add_option("-o,--output", options->output,
                  "The filter file to write; - is standard output")
      ->required();
  app->add_flag("--json", options->json, "Print what was made as JSON");
  return {app, [=] { return RunMerge(*options, console); }};
}

}  // namespace tamis::tools
