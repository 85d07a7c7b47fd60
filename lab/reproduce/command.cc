#include "lab/reproduce/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/reproduce/experiment.h"
#include "lab/reproduce/finished_files.h"
#include "lab/reproduce/run_experiments.h"
#include "tamis/kind.h"
#include "tools/common/interrupt.h"
#include "tools/common/machine.h"
#include "tools/common/number_option.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"
#include "tools/common/text_table.h"
#include "tools/report/text_report.h"
#include "tools/report/write_report.h"

namespace tamis::tools {
namespace {

constexpr const char* kReproduceExamples =
    "Examples:\n"
    "  tamis reproduce list\n"
    "  tamis reproduce all --out report\n"
    "  tamis reproduce infini-figure-13 infini-figure-15 --out report\n"
    "  tamis reproduce all --scale paper --seed 7 --json > results.json\n"
    "\n"
    "--out writes a web page (index.html), plots (SVG), tables (CSV) and\n"
    "report.json, anew whenever an experiment is finished.  Ctrl-C ends the\n"
    "work and keeps what is finished; the exit status is then 130.  The same\n"
    "command goes on from there: each finished experiment is a file in\n"
    "OUT/finished, and is not run again unless --fresh asks for it.\n"
    "\n"
    "--json prints an array of experiments: {\"name\", \"source\", "
    "\"title\",\n"
    "\"tables\", \"charts\", \"claims\", \"notes\"}; of a list, "
    "{\"name\", \"source\",\n"
    "\"title\", \"timed\"}.\n"
    "\n"
    "A claim that differs from the paper is a finding, not an error: the\n"
    "exit status is 0 as long as the experiments run.";

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string scale = "quick";
  std::string members = "hash";
  ExperimentOptions experiment;
  std::string out;
  int jobs = DefaultJobs();
  bool json = false;
  bool fresh = false;
};

// Two lines each: beside one another, they would not fit a terminal.
void PrintList(std::ostream& out) {
  TextTable table{{"name", "title, and where it is from"}, {}};
  for (const Experiment& one : AllExperiments()) {
    table.rows.push_back({std::string(one.name), std::string(one.title)});
    table.rows.push_back({"", "  " + std::string(one.source)});
  }
  table.PrintAligned(out);
}

void PrintListAsJson(std::ostream& out) {
  auto list = nlohmann::ordered_json::array();
  for (const Experiment& one : AllExperiments()) {
    list.push_back({{"name", one.name},
                    {"source", one.source},
                    {"title", one.title},
                    {"timed", one.timed}});
  }
  out << list.dump(2) << '\n';
}

Result<std::vector<const Experiment*>> Choose(
    const std::vector<std::string>& names) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : names) {
    bool known = name == "all";
    for (const Experiment& one : AllExperiments()) {
      if (name != "all" && name != one.name) continue;
      known = true;
      if (std::find(chosen.begin(), chosen.end(), &one) == chosen.end()) {
        chosen.push_back(&one);
      }
    }
    if (!known) {
      return UsageError("no experiment '" + name +
                        "'; `tamis reproduce list` names them");
    }
  }
  return chosen;
}

// The papers that the experiments are of, as the rows of the filters cite them.
std::vector<Citation> PapersOfKinds() {
  std::vector<Citation> papers;
  for (const char* name : {"taf", "cuckooing", "abf", "infini"}) {
    const Result<const Kind*> kind = FindKind(Spec(name));
    if (!kind.ok()) continue;
    papers.push_back({std::string((*kind)->paper), std::string((*kind)->doi)});
  }
  papers.push_back(
      {"Lee, A Practical Adaptive Quotient Filter, thesis, Williams College, "
       "2021"});
  return papers;
}

// Takes the findings as they come and tells them in the order asked for.
class Chronicle {
 public:
  Chronicle(const ReproduceOptions& options,
            std::vector<const Experiment*> chosen, Console console)
      : options_(options),
        console_(console),
        chosen_(std::move(chosen)),
        sections_(chosen_.size()) {}

  Status Add(size_t number, Findings findings) {
    const Experiment& one = *chosen_[number];
    std::string title(one.title);
    if (!findings.scope.empty()) title += ", " + findings.scope;
    sections_[number] = Section{std::string(one.name), std::string(one.source),
                                std::move(title), std::move(findings)};
    while (printed_ < sections_.size() && sections_[printed_].has_value()) {
      Print(*sections_[printed_++]);
    }
    return WriteOut();
  }

  // Prints what is finished but had to wait, and the summary.
  void End() {
    for (; printed_ < sections_.size(); ++printed_) {
      if (sections_[printed_].has_value()) Print(*sections_[printed_]);
    }
    const std::vector<Section> finished = Finished();
    if (options_.json) {
      console_.out << SectionsAsJson(finished).dump(2) << '\n';
    } else {
      PrintSummary(finished, console_.out);
    }
    if (InterruptRequested()) {
      console_.err << fmt::format(
          "tamis: interrupted: {} of {} experiments are finished\n",
          finished.size(), chosen_.size());
    }
    if (options_.out.empty() || finished.empty()) return;
    console_.err << fmt::format("tamis: report: {}/index.html\n", options_.out);
  }

 private:
  void Print(const Section& section) {
    if (!options_.json) PrintSection(section, console_.out);
    console_.out << std::flush;
  }

  std::vector<Section> Finished() const {
    std::vector<Section> finished;
    for (const auto& section : sections_) {
      if (section.has_value()) finished.push_back(*section);
    }
    return finished;
  }

  Status WriteOut() const {
    if (options_.out.empty()) return {};
    const std::vector<Section> finished = Finished();
    std::string summary = fmt::format(
        "Figures and tables of the papers on these filters, measured again at "
        "{} scale with seeds from {} on, each beside what the paper claims. "
        "A claim that differs is a finding, not a failure.",
        options_.scale, options_.experiment.seed);
    if (options_.scale == "quick") {
      summary +=
          " Sets are smaller than the papers' at this scale; --scale paper "
          "takes theirs.";
    }
    if (finished.size() < chosen_.size()) {
      summary += fmt::format(" So far {} of {} experiments are finished.",
                             finished.size(), chosen_.size());
    }
    ReportHead head{"The experiments of the papers, measured again", summary,
                    std::string(console_.command)};
    head.sources = PapersOfKinds();
    return WriteReport(head, finished, options_.out);
  }

  const ReproduceOptions& options_;
  Console console_;
  std::vector<const Experiment*> chosen_;
  std::vector<std::optional<Section>> sections_;  // by number, when finished
  size_t printed_ = 0;                            // of the sections
};

// Adds what an earlier run has finished; returns the numbers of the others.
Result<std::vector<size_t>> TakeFinished(
    const ReproduceOptions& options,
    const std::vector<const Experiment*>& chosen, const FinishedFiles& finished,
    Chronicle& chronicle) {
  std::vector<size_t> left;
  for (size_t i = 0; i < chosen.size(); ++i) {
    std::optional<Findings> findings;
    if (!options.fresh) findings = finished.Load(chosen[i]->name);
    if (findings.has_value()) {
      TAMIS_RETURN_IF_ERROR(chronicle.Add(i, *std::move(findings)));
    } else {
      left.push_back(i);
    }
  }
  return left;
}

Status RunLeft(const std::vector<const Experiment*>& chosen,
               const std::vector<size_t>& left, const ExperimentOptions& given,
               int jobs, Console console, const OnFinished& on_finished) {
  std::vector<const Experiment*> running;
  running.reserve(left.size());
  for (const size_t number : left) running.push_back(chosen[number]);
  if (running.size() < chosen.size()) {
    console.err << fmt::format("tamis: {} of {} experiments were finished\n",
                               chosen.size() - running.size(), chosen.size());
  }
  Progress progress(console.err, "reproduce");
  const InterruptScope interrupts;
  Status status = RunExperiments(
      running, given, jobs, progress, [&](size_t number, Findings findings) {
        progress.Clear();
        return on_finished(left[number], std::move(findings));
      });
  progress.Clear();
  return status;
}

Status RunReproduce(const ReproduceOptions& options, Console console) {
  if (options.names == std::vector<std::string>{"list"}) {
    options.json ? PrintListAsJson(console.out) : PrintList(console.out);
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const auto chosen, Choose(options.names));
  if (!options.out.empty()) {
    TAMIS_RETURN_IF_ERROR(PrepareReportFolder(options.out));
  }
  ExperimentOptions given = options.experiment;
  given.paper_scale = options.scale == "paper";
  given.first_flows = options.members == "first";
  const FinishedFiles finished(options.out, given);
  Chronicle chronicle(options, chosen, console);
  TAMIS_ASSIGN_OR_RETURN(const std::vector<size_t> left,
                         TakeFinished(options, chosen, finished, chronicle));
  const OnFinished keep = [&](size_t number, Findings findings) -> Status {
    TAMIS_RETURN_IF_ERROR(finished.Save(chosen[number]->name, findings));
    return chronicle.Add(number, std::move(findings));
  };
  TAMIS_RETURN_IF_ERROR(
      RunLeft(chosen, left, given, options.jobs, console, keep));
  chronicle.End();
  return {};
}

}  // namespace

Runner AddReproduce(CLI::App& parent, Console console) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* app = parent.add_subcommand(
      "reproduce", "Measure figures and tables of the papers again");
  app->footer(kReproduceExamples);
  app->add_option("NAME", options->names,
                  "'list', 'all', or the names of experiments")
      ->required();
  app->add_option("--scale", options->scale,
                  "quick (seconds) or paper (the paper's sizes)")
      ->check(CLI::IsMember({"quick", "paper"}))
      ->capture_default_str();
  AddSeed(app, &options->experiment.seed, "First seed of the runs");
  app->add_option("--data", options->experiment.data,
                  "Recorded traces: files (pcap, pcapng, u64, text; .zst) or "
                  "folders of them")
      ->check(CLI::ExistingPath);
  app->add_option("--members", options->members,
                  "Which flows of a trace are members: by hash, or the first")
      ->check(CLI::IsMember({"hash", "first"}))
      ->capture_default_str();
  app->add_option("--out", options->out,
                  "Folder for the report: web page, plots, tables");
  AddNumber(app, "--jobs", &options->jobs, {1, kMaxJobs},
            "Experiments at a time; those that measure time run alone");
  app->add_flag("--fresh", options->fresh,
                "Run again what an earlier run into --out has finished");
  app->add_flag("--json", options->json, "Print JSON instead of tables");
  return {app, [=] { return RunReproduce(*options, console); }};
}

}  // namespace tamis::tools
