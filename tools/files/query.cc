// `tamis query`: the keys that may be in the set of a filter file.

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/common/other_file.h"
#include "tools/files/commands.h"
#include "tools/files/keys_option.h"
#include "tools/files/load_file.h"

namespace tamis::tools {
namespace {

constexpr const char* kQueryExamples =
    "Examples:\n"
    "  tamis query users.tamis names.txt > maybe.txt\n"
    "  cat names.txt | tamis query users.tamis -\n"
    "  tamis query users.tamis ids.u64 --count\n"
    "  tamis query blocked.tamis visited.txt --invert > allowed.txt\n"
    "\n"
    "Prints the keys that may be in the set, one per line.  A key that is not\n"
    "printed is certainly not in it; --invert prints those.  Give keys in the\n"
    "format that the filter was built from: 42 as text and 42 as u64 are\n"
    "different keys.  The file knows which it was, and a warning is printed "
    "if\n"
    "they differ.";

constexpr size_t kBatch = 1024;

struct QueryOptions {
  std::string file;
  KeysOption keys;
  bool count = false;
  bool invert = false;
  bool json = false;
};

struct Tally {
  uint64_t queries = 0;
  uint64_t maybe = 0;
};

// Looks keys up in batches, and prints those that may be members, or those
// that are not.
class Querier {
 public:
  Querier(const AnyFilter& filter, workloads::KeyFormat format, bool members,
          std::ostream* out)
      : filter_(filter), format_(format), members_(members), out_(out) {}

  void Add(std::string_view key) {
    hashes_.push_back(filter_.hasher().Hash(key));
    if (out_ != nullptr) keys_.push_back(Readable(key, format_));
    if (hashes_.size() == kBatch) Flush();
  }

  void Flush() {
    std::array<bool, kBatch> results;
    filter_.MayContain(hashes_, results);
    for (size_t i = 0; i < hashes_.size(); ++i) {
      tally_.maybe += results[i];
      if (results[i] == members_ && out_ != nullptr) *out_ << keys_[i] << '\n';
    }
    tally_.queries += hashes_.size();
    hashes_.clear();
    keys_.clear();
  }

  const Tally& tally() const { return tally_; }

 private:
  const AnyFilter& filter_;
  workloads::KeyFormat format_;
  bool members_;       // print those; else the others
  std::ostream* out_;  // null: only count
  std::vector<KeyHash> hashes_;
  std::vector<std::string> keys_;
  Tally tally_;
};

void PrintTally(const QueryOptions& options, const Tally& tally,
                std::ostream& out) {
  if (options.json) {
    out << nlohmann::ordered_json{{"queries", tally.queries},
                                  {"maybe", tally.maybe},
                                  {"absent", tally.queries - tally.maybe}}
               .dump()
        << '\n';
  } else if (options.count) {
    out << (options.invert ? tally.queries - tally.maybe : tally.maybe) << '\n';
  }
}

// Warns if the filter was built from keys of another form than it is asked in.
Status CompareForms(const QueryOptions& options, KeyForm asked,
                    Console console) {
  TAMIS_ASSIGN_OR_RETURN(const KeyForm built, KeyFormOf(options.file));
  if (built != KeyForm::kUnknown && built != asked) {
    console.err << "tamis: warning: " << options.file << " was built from "
                << ToString(built) << " keys and is asked for "
                << ToString(asked)
                << " keys; 42 as text and 42 as u64 are different keys\n";
  }
  return {};
}

Status RunQuery(const QueryOptions& options, Console console) {
  const bool only_count = options.count || options.json;
  if (!only_count) {
    TAMIS_RETURN_IF_ERROR(ExpectOtherFile(options.keys.path, "-"));
  }
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter, LoadFile(options.file));
  TAMIS_ASSIGN_OR_RETURN(const auto format, FormatOf(options.keys));
  TAMIS_RETURN_IF_ERROR(CompareForms(options, FormOf(format), console));
  TAMIS_ASSIGN_OR_RETURN(const auto reader, Open(options.keys));
  Querier querier(filter, format, !options.invert,
                  only_count ? nullptr : &console.out);
  while (reader->Next()) querier.Add(reader->key());
  TAMIS_RETURN_IF_ERROR(reader->status());
  querier.Flush();
  PrintTally(options, querier.tally(), console.out);
  return {};
}

}  // namespace

Runner AddQuery(CLI::App& parent, Console console) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* app =
      parent.add_subcommand("query", "Print the keys that may be in the set");
  app->footer(kQueryExamples);
  app->add_option("FILE", options->file, "The filter file")->required();
  AddKeysOption(app, "QUERIES", "File of keys to look up; - is standard input",
                &options->keys);
  app->add_flag("--count", options->count,
                "Print only how many keys may be in the set");
  app->add_flag("--invert", options->invert,
                "Print, or count, the keys that are certainly not in it");
  app->add_flag("--json", options->json,
                "Print counts as {\"queries\", \"maybe\", \"absent\"}");
  return {app, [=] { return RunQuery(*options, console); }};
}

}  // namespace tamis::tools
