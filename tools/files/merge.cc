#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/files/commands.h"
#include "tools/files/summary.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tamis build monday.txt -o monday.tamis --fpr 0.001 --slots 2^21\n"
    "  tamis build tuesday.txt -o tuesday.tamis --like monday.tamis\n"
    "  tamis merge monday.tamis tuesday.tamis -o both.tamis\n"
    "\n"
    "Filters can be merged if they have the same hash, seed and widths (see\n"
    "tamis build --like), and the result has room for all keys.";

struct Options {
  std::vector<std::string> inputs;
  std::string output;
};

Status Run(const Options& options, Console console) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter merged, LoadAny(options.inputs.front()));
  for (size_t i = 1; i < options.inputs.size(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(const AnyFilter other, LoadAny(options.inputs[i]));
    const Status status = merged.Merge(other);
    if (!status.ok()) return status.WithContext(options.inputs[i]);
  }
  TAMIS_RETURN_IF_ERROR(Save(merged, options.output));
  console.err << options.output << ": " << Summary(merged) << '\n';
  return {};
}

}  // namespace

Runner AddMerge(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      parent.add_subcommand("merge", "Make one filter file of several");
  app->footer(kExamples);
  app->add_option("FILE", options->inputs, "Filter files, two or more")
      ->required()
      ->expected(2, CLI::detail::expected_max_vector_size);
  app->add_option("-o,--output", options->output, "The filter file to write")
      ->required();
  return {app, [=] { return Run(*options, console); }};
}

}  // namespace tamis::tools
