#include "tools/reproduce/command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/common/progress.h"
#include "tools/common/text_table.h"
#include "tools/report/text_report.h"
#include "tools/reproduce/experiment.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tamis reproduce list\n"
    "  tamis reproduce all\n"
    "  tamis reproduce all --scale paper --seed 7 --json > results.json\n"
    "\n"
    "A claim that differs from the paper is a finding, not an error: the\n"
    "exit status is 0 as long as the experiments run.";

struct Options {
  std::vector<std::string> names;
  std::string scale = "quick";
  ExperimentOptions experiment;
  bool json = false;
};

void PrintList(std::ostream& out) {
  TextTable table{{"name", "source", "title"}, {}};
  for (const Experiment& one : AllExperiments()) {
    table.rows.push_back({std::string(one.name), std::string(one.source),
                          std::string(one.title)});
  }
  table.PrintAligned(out);
}

Result<std::vector<const Experiment*>> Choose(
    const std::vector<std::string>& names) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : names) {
    const size_t before = chosen.size();
    for (const Experiment& one : AllExperiments()) {
      if (name == "all" || name == one.name) chosen.push_back(&one);
    }
    if (chosen.size() == before && name != "all") {
      return Status(
          StatusCode::kInvalidArgument,
          "no experiment '" + name + "'; `tamis reproduce list` names them");
    }
  }
  return chosen;
}

Status Run(const Options& options, Console console) {
  if (options.names == std::vector<std::string>{"list"}) {
    PrintList(console.out);
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const auto chosen, Choose(options.names));
  std::vector<Section> sections;
  for (const Experiment* one : chosen) {
    const std::string name(one->name);
    Progress progress(console.err, "reproduce");
    ExperimentOptions given = options.experiment;
    given.paper_scale = options.scale == "paper";
    given.progress = [&](double share) { progress.Report(name, share); };
    Result<Findings> findings = one->run(given);
    if (!findings.ok()) return findings.status().WithContext(name);
    sections.push_back({name, std::string(one->source), std::string(one->title),
                        std::move(findings).value()});
    if (!options.json) PrintSection(sections.back(), console.out);
  }
  if (options.json) {
    console.out << SectionsAsJson(sections).dump(2) << '\n';
  } else {
    PrintSummary(sections, console.out);
  }
  return {};
}

}  // namespace

Runner AddReproduce(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  CLI::App* app = parent.add_subcommand(
      "reproduce", "Measure figures and tables of the papers again");
  app->footer(kExamples);
  app->add_option("NAME", options->names,
                  "'list', 'all', or the names of experiments")
      ->required();
  app->add_option("--scale", options->scale,
                  "quick (seconds) or paper (the paper's sizes)")
      ->check(CLI::IsMember({"quick", "paper"}))
      ->capture_default_str();
  app->add_option("--seed", options->experiment.seed, "First seed of the runs")
      ->capture_default_str();
  app->add_option("--data", options->experiment.data_dir,
                  "Folder of recorded traces, if you have any");
  app->add_flag("--json", options->json, "Print JSON instead of tables");
  return {app, [=] { return Run(*options, console); }};
}

}  // namespace tamis::tools
