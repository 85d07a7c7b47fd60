#include "tools/demo/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/common/number_option.h"
#include "tools/compare/command.h"
#include "tools/compare/compare.h"
#include "tools/compare/compare_and_report.h"
#include "tools/compare/query_stream.h"
#include "workloads/firehose.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kMembersOneIn = 10;

constexpr const char* kDemoExamples =
    "Examples:\n"
    "  tamis demo\n"
    "  tamis demo --queries 300000 --seeds 1 --out /tmp/report\n"
    "\n"
    "The same with files of your own: `tamis compare --help`.";

struct DemoOptions {
  uint64_t queries = 3'000'000;
  std::string out = "tamis-demo-report";
  bool json = false;
  std::string bits_per_key = "12.6";
  std::string keys_in = "ram";
  CompareOptions compare;
};

Result<QueryStream> MakeQueries(uint64_t count, Progress& progress) {
  constexpr uint64_t kReportEvery = uint64_t{1} << 14;
  workloads::ActiveSetStream keys({});
  StreamBuilder builder;
  for (uint64_t i = 0; i < count; ++i) {
    if (i % kReportEvery == 0) progress.ReportCount("makes queries", i, count);
    builder.AddQuery(IdentityOf(keys.Next()));
  }
  TAMIS_ASSIGN_OR_RETURN(QueryStream stream, std::move(builder).Finish());
  DrawMembers(stream, kMembersOneIn);
  return stream;
}

Status RunDemo(const DemoOptions& options, Console console) {
  CompareOptions compare = options.compare;
  compare.filters = AllSpecs();
  TAMIS_ASSIGN_OR_RETURN(compare.keys_in, ParseKeysIn(options.keys_in));
  const CompareOutput output{
      .format = options.json ? CompareOutput::Format::kJson
                             : CompareOutput::Format::kTable,
      .title = CompareTitle(fmt::format(
          "FireHose's active set, one key in {} a member", kMembersOneIn)),
      .description =
          fmt::format("FireHose active set, {} queries, members 1/{}",
                      options.queries, kMembersOneIn),
      .out_dir = options.out,
      .bits_per_key = options.bits_per_key};
  return CompareAndReport(
      [&](Progress& progress) {
        return MakeQueries(options.queries, progress);
      },
      compare, output, console);
}

}  // namespace

Runner AddDemo(CLI::App& parent, Console console) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* app = parent.add_subcommand(
      "demo", "Compare all filters on three million queries, and report");
  app->footer(kDemoExamples);
  AddNumber(app, "--queries", &options->queries, {10'000, uint64_t{1} << 32},
            "Queries to make, 10000 to 2^32");
  AddMeasuring(app, &options->compare, &options->bits_per_key,
               &options->keys_in);
  app->add_option("--out", options->out, "Folder for the report")
      ->capture_default_str();
  app->add_flag("--json", options->json,
                "Print JSON instead of tables, as tamis compare does");
  return {app, [=] { return RunDemo(*options, console); }};
}

}  // namespace tamis::tools
