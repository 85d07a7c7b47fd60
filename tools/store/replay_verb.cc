// `tamis store replay`: a trace against plain RocksDB and a store.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "tools/common/number_option.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"
#include "tools/files/keys_option.h"
#include "tools/report/text_report.h"
#include "tools/report/write_report.h"
#include "tools/store/replay.h"
#include "tools/store/verbs.h"
#include "workloads/firehose.h"
#include "workloads/key_reader.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  tamis store replay queries.u64.zst --out report\n"
    "  tamis store replay names.txt --members users.txt\n"
    "  tamis store replay demo\n"
    "\n"
    "`demo` is a stream that the command makes itself: FireHose's active set.\n"
    "Without --members, one distinct key in ten is a member.  The databases\n"
    "are made in --folder and left there.";

struct Options {
  KeysOption trace;
  std::string members;
  uint64_t one_in = 10;
  uint64_t demo_queries = 2'000'000;
  std::string out;
  bool json = false;
  ReplayOptions replay;
};

// Gives each distinct key a number.
class TraceBuilder {
 public:
  uint32_t Number(std::string_view key) {
    const auto [at, is_new] = numbers_.try_emplace(
        std::string(key), static_cast<uint32_t>(trace_.keys.size()));
    if (is_new) {
      trace_.keys.push_back(at->first);
      trace_.is_member.push_back(false);
    }
    return at->second;
  }
  Trace& trace() { return trace_; }

 private:
  Trace trace_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

Status ReadTrace(const KeysOption& keys, TraceBuilder& builder) {
  TAMIS_ASSIGN_OR_RETURN(const auto reader, Open(keys));
  while (reader->Next()) {
    builder.trace().queries.push_back(builder.Number(reader->key()));
  }
  return reader->status();
}

void MakeDemo(uint64_t queries, TraceBuilder& builder) {
  workloads::ActiveSetStream stream({});
  for (uint64_t i = 0; i < queries; ++i) {
    const std::string key = fmt::format("user{:017}", stream.Next() % 10000000);
    builder.trace().queries.push_back(builder.Number(key));
  }
}

Status ChooseMembers(const Options& options, TraceBuilder& builder) {
  if (options.members.empty()) {
    for (size_t i = 0; i < builder.trace().keys.size(); ++i) {
      builder.trace().is_member[i] = workloads::Mix64(i) % options.one_in == 0;
    }
    return {};
  }
  TAMIS_ASSIGN_OR_RETURN(const auto reader,
                         workloads::OpenKeys(options.members));
  while (reader->Next()) {
    const uint32_t number = builder.Number(reader->key());
    builder.trace().is_member[number] = true;
  }
  return reader->status();
}

// "RocksDB, Ribbon" where RocksDB was named before.
std::string_view FilterName(std::string_view side) {
  const size_t comma = side.find(", ");
  return comma == std::string_view::npos ? side : side.substr(comma + 2);
}

std::string Summary(const ReplayResult& result) {
  const ReplaySide& ours = result.sides.back();
  const ReplaySide* best = &result.sides.front();
  for (const ReplaySide& side : result.sides) {
    if (&side != &ours && side.Wasted() < best->Wasted()) best = &side;
  }
  return fmt::format(
      "At {:.1f} filter bits a key, the store read {} blocks for keys that are "
      "not there; the better of plain RocksDB's filters ({}) read {}.",
      ours.bits_per_key, ours.Wasted(), FilterName(best->name), best->Wasted());
}

Status Run(const Options& options, Console console) {
  if (!options.out.empty()) {
    TAMIS_RETURN_IF_ERROR(PrepareReportFolder(options.out));
  }
  Progress progress(console.err, "store replay");
  TraceBuilder builder;
  if (options.trace.path == "demo") {
    MakeDemo(options.demo_queries, builder);
  } else {
    TAMIS_RETURN_IF_ERROR(ReadTrace(options.trace, builder));
  }
  TAMIS_RETURN_IF_ERROR(ChooseMembers(options, builder));
  ReplayOptions replay = options.replay;
  replay.progress = [&](std::string_view what, double share) {
    progress.Report(what, share);
  };
  TAMIS_ASSIGN_OR_RETURN(const ReplayResult result,
                         Replay(builder.trace(), replay));
  progress.Clear();
  const Section sections[] = {
      SectionOf(result, replay, "trace " + options.trace.path)};
  if (options.json) {
    console.out << SectionsAsJson(sections).dump(2) << '\n';
  } else {
    PrintSection(sections[0], console.out);
    console.out << '\n' << Summary(result) << '\n';
  }
  if (options.out.empty()) return {};
  const ReportHead head = {.title = "The store before plain RocksDB",
                           .summary = Summary(result),
                           .command = std::string(console.command)};
  TAMIS_RETURN_IF_ERROR(WriteReport(head, sections, options.out));
  if (!options.json) {
    console.out << "report: " << options.out << "/index.html\n";
  }
  return {};
}

}  // namespace

Runner AddStoreReplay(CLI::App& parent, Console console) {
  auto options = std::make_shared<Options>();
  options->replay.folder = "tamis-replay-databases";
  CLI::App* app = parent.add_subcommand(
      "replay", "A trace of queries against plain RocksDB and a store");
  app->footer(kExamples);
  AddKeysOption(app, "TRACE", "The queries, or 'demo'", &options->trace);
  app->add_option("--members", options->members,
                  "File of the keys that are in the databases");
  AddNumber(app, "--one-in", &options->one_in, {2, 1'000'000},
            "Without --members: one distinct key in so many is a member");
  AddNumber(app, "--demo-queries", &options->demo_queries,
            {1000, uint64_t{1} << 31}, "Queries of the trace 'demo'");
  app->add_option("--bits-per-key", options->replay.bits_per_key,
                  "Memory of the filters, on all sides")
      ->check(CLI::Range(6.0, 50.0))
      ->capture_default_str();
  AddNumber(app, "--value-bytes", &options->replay.value_bytes,
            {0, uint64_t{1} << 20}, "Length of the values");
  app->add_option("--folder", options->replay.folder,
                  "Folder for the databases, which are made anew")
      ->capture_default_str();
  app->add_option("--out", options->out, "Folder for the report");
  app->add_flag("--json", options->json, "Print JSON");
  return {app, [=] {
            std::error_code error;
            std::filesystem::create_directories(options->replay.folder, error);
            if (error) {
              return Status(StatusCode::kIo,
                            options->replay.folder + ": " + error.message());
            }
            return Run(*options, console);
          }};
}

}  // namespace tamis::tools
