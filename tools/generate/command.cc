#include "tools/generate/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/generate/generate.h"
#include "workloads/key_stream.h"

namespace tamis::tools {
namespace {

constexpr const char* kGenerateExamples =
    "Examples:\n"
    "  tamis generate firehose-active --count 3000000 -o active.u64\n"
    "  tamis generate zipf --exponent 1.1 --universe 2000000 --seed 7 "
    "--count 10\n"
    "  tamis generate flows --count 1000000 --format u64 | zstd > flows.u64.zst"
    "\n"
    "  tamis generate growth:erase=0.3,order=oldest --count 1000\n"
    "  tamis generate replay --file capture.pcap -o flows.txt";

// Returns the list of workloads and what they take, then the examples.
std::string Footer() {
  std::string text = "Workloads:\n";
  for (const workloads::StreamKind& kind : workloads::StreamKinds()) {
    text += fmt::format("  {:<18}  {} ({})\n", kind.name, kind.summary,
                        kind.parameters);
  }
  text += fmt::format("  {:<18}  {} ({})\n\n", kGrowthName,
                      "inserts mixed with erases, a line each",
                      "seed, erase, order");
  return text + kGenerateExamples;
}

}  // namespace

Runner AddGenerate(CLI::App& parent, Console console) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* app = parent.add_subcommand(
      "generate", "Write the keys of a workload, reproducibly");
  app->footer(Footer());
  app->add_option("WORKLOAD", options->workload,
                  "Name, or name:parameter=value,...")
      ->required();
  app->add_option("--count", options->count,
                  "Keys to write, e.g. 1000000 or 2^20 (replay: at most)");
  for (GenerateOptions::Parameter& parameter : options->parameters) {
    app->add_option("--" + parameter.name, parameter.value, parameter.help);
  }
  app->add_option("--format", options->format,
                  "text, a decimal number a line; or u64, 8 little-endian "
                  "bytes (default: u64 if FILE ends so, else text)");
  app->add_option("-o,--output", options->output,
                  "FILE to write; - is standard output, and the default");
  return {app, [=] { return RunGenerate(*options, console); }};
}

}  // namespace tamis::tools
