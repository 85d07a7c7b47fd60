#include "tools/bench/command.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tools/bench/report.h"
#include "tools/bench/run_bench.h"
#include "tools/common/cpu_time.h"
#include "tools/common/interrupt.h"
#include "tools/common/number_option.h"
#include "tools/common/parse.h"
#include "tools/common/same_spec.h"

namespace tamis::tools {
namespace {

constexpr const char* kBenchExamples =
    "Workloads:\n"
    "  insert           average from empty to the load, a new filter each "
    "time:\n"
    "                   keys of an array in their order, fetched ahead where "
    "the\n"
    "                   filter can\n"
    "  insert-marginal  the last 1 % of the slots before the load\n"
    "  bulk             all keys at once, unsorted, into a new filter\n"
    "  query0           look-ups of absent keys, one by one\n"
    "  query0-batch     the same, in batches\n"
    "  query100         look-ups of members, one by one\n"
    "  query100-batch   the same, in batches\n"
    "  erase            a random tenth of the members\n"
    "  hash             hashing integer keys, no look-up\n"
    "  query0-key       from the key: hashing an absent key and looking it "
    "up;\n"
    "                   also query0-key-batch, query100-key, "
    "query100-key-batch\n"
    "\n"
    "Examples:\n"
    "  tamis bench --filters=rsqf:r=8\n"
    "  tamis bench --filters=rsqf:r=8,bloom1:bits=8,k=4 --slots=2^20,2^26\n"
    "  tamis bench --filters=taf:r=8 --adapt-first=unique:10 "
    "--workloads=query0\n"
    "  tamis bench --filters=rsqf:r=8 --json > bench.json\n"
    "\n"
    "Look-ups are timed from arrays of hashes, or of 8-byte keys.  `x limit`\n"
    "compares with the time this machine needs to read one random cache line\n"
    "per key, from as much memory.  `-` means that the filter has no such\n"
    "operation.\n"
    "`tamis filters` lists the filters and their parameters.\n"
    "\n"
    "--json prints {\"machine\", \"rows\", \"notes\"}; a row has \"filter\",\n"
    "\"workload\", \"slots\", \"load\", \"ns_per_op\", \"spread\", \"fpr\",\n"
    "\"expected_fpr\", \"bits_per_key\", \"limit_ns\" and \"x_limit\", null "
    "where\n"
    "nothing was measured.";

constexpr uint64_t kMostQueries = uint64_t{1} << 40;

// The command line as typed; RunBench gets the parsed form.
struct BenchCommandOptions {
  std::string filters = "rsqf:r=8";
  std::string slots = "2^20";
  std::string workloads =
      "insert,insert-marginal,bulk,query0,query0-batch,query100,"
      "query100-batch,query0-key,query0-key-batch,erase";
  std::string format = "table";
  std::string adapt_first;
  BenchOptions bench;
};

Result<double> ParseAdaptFirst(const std::string& text) {
  constexpr double kMostUnique = 1e6;
  if (text.empty()) return 0.0;
  const auto parts = Split(text, ':');
  double count = 0;
  if (parts.size() == 2 && parts[0] == "unique" &&
      CLI::detail::lexical_cast(std::string(parts[1]), count) && count > 0 &&
      count <= kMostUnique) {
    return count;
  }
  return UsageError("--adapt-first is '" + text +
                    "'; expected unique:C with C, a million at most, the "
                    "absent keys per member");
}

Result<BenchOptions> Parse(const BenchCommandOptions& typed) {
  BenchOptions bench = typed.bench;
  TAMIS_ASSIGN_OR_RETURN(const std::vector<Spec> filters,
                         Spec::ParseList(typed.filters));
  bench.filters = WithoutRepetitions(filters);
  TAMIS_ASSIGN_OR_RETURN(bench.slots, ParseSizeList(typed.slots));
  TAMIS_ASSIGN_OR_RETURN(bench.workloads, ParseWorkloads(typed.workloads));
  TAMIS_ASSIGN_OR_RETURN(bench.adapt_unique_per_member,
                         ParseAdaptFirst(typed.adapt_first));
  return bench;
}

Status DoBench(const BenchCommandOptions& typed, Console console) {
  TAMIS_ASSIGN_OR_RETURN(const BenchOptions options, Parse(typed));
  if (!PinToCore()) console.err << "tamis: bench: can't pin to one core\n";
  Progress progress(console.err, "bench");
  BenchReport report;
  const InterruptScope interrupts;
  Status status = RunBench(options, progress, &report);
  progress.Clear();
  if (report.rows.empty() && !InterruptRequested()) return status;
  if (typed.format == "json") {
    console.out << AsJson(report).dump(2) << '\n';
  } else if (typed.format == "csv") {
    PrintCsv(report, console.out);
  } else {
    PrintTable(report, console.out);
  }
  return status;
}

}  // namespace

Runner AddBench(CLI::App& parent, Console console) {
  auto options = std::make_shared<BenchCommandOptions>();
  CLI::App* app =
      parent.add_subcommand("bench", "Measure filters: time, space, errors");
  app->footer(kBenchExamples);
  app->add_option("--filters", options->filters,
                  "Specs of filters, separated by commas")
      ->capture_default_str();
  app->add_option("--slots", options->slots,
                  "Sizes, separated by commas: 2^24 or 1000000")
      ->capture_default_str();
  app->add_option("--load", options->bench.load, "Keys per slot")
      ->capture_default_str();
  app->add_option("--workloads", options->workloads,
                  "Workloads, separated by commas")
      ->capture_default_str();
  auto* format =
      app->add_option("--format", options->format, "table, csv or json")
          ->check(CLI::IsMember({"table", "csv", "json"}))
          ->capture_default_str();
  app->add_flag_callback(
         "--json", [options] { options->format = "json"; },
         "The same as --format json")
      ->excludes(format);
  AddNumber(app, "--repetitions", &options->bench.repetitions,
            {1, std::numeric_limits<int>::max()}, "Passes behind each median");
  AddSeed(app, &options->bench.seed, "Seed of hashes and samples");
  app->add_option("--adapt-first", options->adapt_first,
                  "unique:C looks up C unique absent keys per member first, "
                  "and adapts to the false positives");
  AddNumber(app, "--queries", &options->bench.queries, {0, kMostQueries},
            "Hashes in a timed pass (0: as slots, 2^20 to 2^24)");
  AddNumber(app, "--fpr-queries", &options->bench.fpr_queries,
            {1, kMostQueries}, "Absent keys behind the measured FPR");
  return {app, [=] { return DoBench(*options, console); }};
}

}  // namespace tamis::tools
