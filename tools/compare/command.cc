#include "tools/compare/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "tools/common/machine.h"
#include "tools/common/number_option.h"
#include "tools/common/parse.h"
#include "tools/common/same_spec.h"
#include "tools/compare/budget.h"
#include "tools/compare/compare_and_report.h"
#include "tools/files/keys_option.h"

namespace tamis::tools {
namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  tamis compare --keys blocked.txt --queries visited.txt "
    "--bits-per-key 12\n"
    "  tamis compare --queries trace.u64.zst --members 1/10 --out report\n"
    "  tamis compare --keys k.u64 --queries q.u64 --filters taf,cuckooing:f=12 "
    "--json\n"
    "  tamis compare --keys k.u64 --queries q.u64 --bits-per-key 8..20\n"
    "\n"
    "Every filter gets the same memory: --bits-per-key, of all that lies in\n"
    "the process, also beside the filter.  --keys-in says where the keys are:\n"
    "in RAM, or in a store sorted by hash that filters may ask for members.\n"
    "A range of bits, 8..20 or 8..20:2, also says how many to take.  What a\n"
    "spec leaves open (r, f, bits, k) is chosen for the lowest false positive\n"
    "rate that fits; what it gives is kept.  Without keys of a set, --members\n"
    "1/m makes one key in m of the stream a member, chosen by its hash.\n"
    "cached(SPEC) is a static filter that spends part of the memory on a "
    "cache\n"
    "of known false positives.  `tamis filters` lists the filters and their\n"
    "parameters.\n"
    "\n"
    "--json prints {\"budget\", \"keys_in\", \"queries\", \"negatives\", "
    "\"seeds\",\n"
    "\"interrupted\", \"notes\", \"filters\", \"does_not_fit\", "
    "\"grown\",\n"
    "\"recommendation\"}; the filters are sorted by \"fpr\", and\n"
    "\"recommendation\" has the \"filter\" to take, its \"reads\" and\n"
    "\"wasted_reads\", the \"conditions\" for others, and why, in \"words\".\n"
    "Of several sizes, \"sizes\" has each.";

constexpr const char* kDefaultBits = "12.6";
constexpr uint64_t kAllKeys = std::numeric_limits<uint64_t>::max();

// The command line as typed.
struct CompareCommandOptions {
  std::string keys;
  std::string queries;
  std::string format;
  std::string filters = "all";
  std::string members;
  std::string max_queries;
  bool json = false;
  bool csv = false;
  std::string out;
  std::string bits_per_key = kDefaultBits;
  std::string keys_in = "ram";
  bool all_rows = false;
  CompareOptions compare;
};

std::string NameOf(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

// Reads "1/m"; 0 if nothing was given.
Result<uint64_t> ParseMembers(const std::string& text) {
  if (text.empty()) return uint64_t{0};
  if (text.starts_with("1/")) {
    const Result<uint64_t> m = ParseSize(text.substr(2));
    if (m.ok() && *m >= 2) return *m;
  }
  return UsageError("--members is '" + text +
                    "'; expected 1/m with a whole number m of 2 or more");
}

Result<uint64_t> ParseMaxQueries(const std::string& text) {
  if (text.empty()) return kAllKeys;
  TAMIS_ASSIGN_OR_RETURN(const uint64_t most, ParseSize(text));
  if (most == 0) return UsageError("--max-queries is 0; expected 1 or more");
  return most;
}

template <typename Add>
Status ReadKeys(const std::string& path, const std::string& format,
                uint64_t most, Progress& progress, Add add) {
  constexpr uint64_t kReportEvery = uint64_t{1} << 14;
  const std::string step = "reads " + path;
  TAMIS_ASSIGN_OR_RETURN(const auto reader, Open({path, format}));
  for (uint64_t count = 0; count < most && reader->Next();) {
    add(IdentityOf(reader->key()));
    if (++count % kReportEvery != 0) continue;
    // Whichever ends first: the keys wanted, or those there are.
    const double wanted =
        static_cast<double>(count) / static_cast<double>(most);
    const auto share = reader->ShareRead();
    progress.ReportCount(
        step, count,
        share || most != kAllKeys
            ? std::optional(std::max(wanted, share.value_or(0)))
            : std::nullopt);
  }
  return reader->status();
}

// Says which file has nothing in it.
Status CheckStream(const QueryStream& stream,
                   const CompareCommandOptions& options) {
  const auto absent = [](const std::string& message) {
    return Status(StatusCode::kNotFound, message);
  };
  if (stream.queries.empty()) {
    return absent(NameOf(options.queries) +
                  ": there are no queries to compare filters by");
  }
  if (stream.num_members != 0) return {};
  if (!options.keys.empty()) {
    return absent(NameOf(options.keys) + ": there are no keys in the set");
  }
  return absent(fmt::format(
      "{}: there are no keys in the set: --members {} chose none of the {} "
      "different ones",
      NameOf(options.queries), options.members, stream.keys.size()));
}

Result<QueryStream> ReadStream(const CompareCommandOptions& options,
                               Progress& progress) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t m, ParseMembers(options.members));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t most,
                         ParseMaxQueries(options.max_queries));
  if (options.keys.empty() == options.members.empty()) {
    return UsageError("give the set: either --keys FILE or --members 1/m");
  }
  if (options.keys == "-" && options.queries == "-") {
    return UsageError(
        "--keys and --queries are both -; only one can be standard input");
  }
  StreamBuilder builder;
  if (!options.keys.empty()) {
    TAMIS_RETURN_IF_ERROR(
        ReadKeys(options.keys, options.format, kAllKeys, progress,
                 [&](KeyHash key) { builder.AddMember(key); }));
  }
  TAMIS_RETURN_IF_ERROR(ReadKeys(options.queries, options.format, most,
                                 progress,
                                 [&](KeyHash key) { builder.AddQuery(key); }));
  TAMIS_ASSIGN_OR_RETURN(QueryStream stream, std::move(builder).Finish());
  if (m != 0) DrawMembers(stream, m);
  TAMIS_RETURN_IF_ERROR(CheckStream(stream, options));
  return stream;
}

// Reads a list of specs, in which `all` stands for all of them.
Result<std::vector<Spec>> ParseFilters(const std::string& text) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<Spec> given, Spec::ParseList(text));
  std::vector<Spec> filters;
  for (const Spec& one : given) {
    const std::vector<Spec> meant =
        one == Spec("all") ? AllSpecs() : std::vector<Spec>{one};
    filters.insert(filters.end(), meant.begin(), meant.end());
  }
  for (const Spec& one : filters) {
    TAMIS_RETURN_IF_ERROR(CheckComparable(one));
  }
  return WithoutRepetitions(filters);
}

std::string Describe(const CompareCommandOptions& options) {
  return options.keys.empty()
             ? fmt::format("{}, members {}", options.queries, options.members)
             : fmt::format("keys {}, queries {}", options.keys,
                           options.queries);
}

std::string FileNameOf(const std::string& path) {
  return std::filesystem::path(NameOf(path)).filename().string();
}

std::string TitleOf(const CompareCommandOptions& options) {
  const std::string queries = FileNameOf(options.queries);
  const std::string& members = options.members;
  return CompareTitle(options.keys.empty()
                          ? fmt::format("{}, one key in {} a member", queries,
                                        members.substr(members.find('/') + 1))
                          : fmt::format("the keys of {} and the queries of {}",
                                        FileNameOf(options.keys), queries));
}

Status RunCompare(const CompareCommandOptions& options, Console console) {
  CompareOptions compare = options.compare;
  TAMIS_ASSIGN_OR_RETURN(compare.filters, ParseFilters(options.filters));
  TAMIS_ASSIGN_OR_RETURN(compare.keys_in, ParseKeysIn(options.keys_in));
  const CompareOutput output{
      .format = options.json  ? CompareOutput::Format::kJson
                : options.csv ? CompareOutput::Format::kCsv
                              : CompareOutput::Format::kTable,
      .title = TitleOf(options),
      .description = Describe(options),
      .out_dir = options.out,
      .bits_per_key = options.bits_per_key,
      .all_rows = options.all_rows};
  return CompareAndReport(
      [&](Progress& progress) { return ReadStream(options, progress); },
      compare, output, console);
}

void AddInput(CLI::App* app, CompareCommandOptions* options) {
  app->add_option("--queries", options->queries,
                  "File of keys to ask for, in order; - is standard input")
      ->required();
  app->add_option("--keys", options->keys, "File of the keys in the set");
  app->add_option("--members", options->members,
                  "1/m: one key in m of the queries is in the set");
  app->add_option("--format", options->format,
                  "text, u64 or pcap, also with .zst, of both files; default: "
                  "as the extensions say");
  app->add_option("--max-queries", options->max_queries,
                  "Read so many queries at most, such as 1000000 or 2^20");
}

void AddOutput(CLI::App* app, CompareCommandOptions* options) {
  auto* json = app->add_flag("--json", options->json, "Print as JSON");
  app->add_flag("--csv", options->csv, "Print the table of filters as CSV")
      ->excludes(json);
  app->add_option("--out", options->out,
                  "Folder for a report: web page, plots, CSV, JSON");
}

}  // namespace

void AddMeasuring(CLI::App* app, CompareOptions* options,
                  std::string* bits_per_key, std::string* keys_in) {
  options->jobs = DefaultJobs();
  app->add_option("--bits-per-key", *bits_per_key,
                  "Memory in all: 12.6, or a range such as 8..20")
      ->capture_default_str();
  app->add_option("--keys-in", *keys_in,
                  "ram: all memory counts; store: a database sorted by hash "
                  "has the keys")
      ->check(CLI::IsMember({"ram", "store"}))
      ->capture_default_str();
  AddNumber(app, "--seeds", &options->seeds, {1, 1000},
            "Runs of each filter, 1 to 1000");
  AddSeed(app, &options->first_seed, "The first seed");
  AddNumber(app, "--jobs", &options->jobs, {1, kMaxJobs},
            "Filters run at the same time; timings always run alone");
  app->add_flag_callback(
      "--no-timings", [options] { options->timings = false; },
      "Count only: equal output on every machine");
}

Runner AddCompare(CLI::App& parent, Console console) {
  auto options = std::make_shared<CompareCommandOptions>();
  CLI::App* app = parent.add_subcommand(
      "compare", "Which filter for these keys and queries, at equal memory");
  app->footer(kCompareExamples);
  AddInput(app, options.get());
  app->add_option("--filters", options->filters,
                  "A comma-separated list of specs, or all; see tamis filters")
      ->capture_default_str();
  AddMeasuring(app, &options->compare, &options->bits_per_key,
               &options->keys_in);
  app->add_flag("--all-rows", options->all_rows,
                "Print all filters, not only the best of each family");
  AddOutput(app, options.get());
  return {app, [=] { return RunCompare(*options, console); }};
}

}  // namespace tamis::tools
