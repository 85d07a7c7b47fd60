#include "tools/demo/command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "tools/demo/demo.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tamis demo\n"
    "  tamis demo --filter rsqf:r=12 --keys 1000000";

}  // namespace

Runner AddDemo(CLI::App& parent, Console console) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* app = parent.add_subcommand(
      "demo", "Show what a filter does, on a few million keys");
  app->footer(kExamples);
  app->add_option("--filter", options->filter, "Spec of the filter")
      ->capture_default_str();
  app->add_option("--keys", options->keys, "Keys to insert")
      ->check(CLI::Range(uint64_t{1000}, uint64_t{1} << 32))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "Seed of the hashes")
      ->capture_default_str();
  return {app, [=] { return RunDemo(*options, console.out); }};
}

}  // namespace tamis::tools
