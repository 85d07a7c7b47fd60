// `tamis store measure`: the table of docs/guide/store.md.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/common/machine.h"
#include "tools/common/number_option.h"
#include "tools/common/progress.h"
#include "tools/common/text_table.h"
#include "tools/store/measure.h"
#include "tools/store/verbs.h"

namespace tamis::tools {
namespace {

struct Options {
  MeasureOptions measure;
  bool prepare = false;
};

Status Run(const Options& options, Console console) {
  Progress progress(console.err, "store measure");
  MeasureOptions measure = options.measure;
  measure.progress = [&](std::string_view what, double share) {
    progress.Report(what, share);
  };
  if (options.prepare) return PrepareMeasure(measure);
  TAMIS_ASSIGN_OR_RETURN(const ResultTable table, Measure(measure));
  progress.Clear();
  console.out << "# command: " << console.command << '\n';
  for (const auto& [name, value] : DescribeMachine()) {
    console.out << fmt::format("# {}: {}\n", name, value);
  }
  console.out << "# " << table.title << '\n';
  TextTable{table.columns, table.rows}.PrintAligned(console.out);
  return {};
}

}  // namespace

Runner AddStoreMeasure(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  MeasureOptions& measure = options->measure;
  CLI::App* app = parent.add_subcommand(
      "measure",
      "Plain RocksDB and a store on many workloads: the guide's table");
  app->footer(
      "Examples:\n"
      "  tamis store measure --prepare\n"
      "  tamis store measure\n"
      "  tamis store measure --workloads put --workloads absent\n"
      "\n"
      "x faster is against the faster of the plain databases of the workload.");
  app->add_flag("--prepare", options->prepare,
                "Make the databases of the workloads, but for those that "
                "are there");
  app->add_option("--folder", measure.folder, "Folder of the databases")
      ->capture_default_str();
  AddNumber(app, "--keys", &measure.keys, {10'000, uint64_t{1} << 32},
            "Keys of the databases; the same for --prepare and after");
  AddNumber(app, "--queries", &measure.queries, {1000, uint64_t{1} << 32},
            "Operations of a workload, about");
  app->add_option("--bits-per-key", measure.bits_per_key,
                  "Memory of a filter that is made to size")
      ->check(CLI::Range(6.0, 50.0))
      ->capture_default_str();
  app->add_flag("--direct-io", measure.direct_io, "Go past the page cache");
  app->add_option("--workloads", measure.workloads,
                  "Only those whose names begin so");
  return {app, [=] { return Run(*options, console); }};
}

}  // namespace tamis::tools
