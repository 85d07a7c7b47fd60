// `tamis add` and `tamis remove`: a filter file with more keys, or fewer.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tools/common/counted.h"
#include "tools/common/other_file.h"
#include "tools/common/parse.h"
#include "tools/files/commands.h"
#include "tools/files/keys_option.h"
#include "tools/files/load_file.h"
#include "tools/files/summary.h"

namespace tamis::tools {
namespace {

constexpr const char* kAddExamples =
    "Examples:\n"
    "  tamis add users.tamis new.txt\n"
    "  zcat more.gz | tamis add users.tamis -\n"
    "\n"
    "The file is replaced when all keys are in, or stays as it was: if the\n"
    "filter is full, nothing is written.  Filters that grow do.  Keys that\n"
    "come more than once in KEYS count once; one that is in the filter "
    "already\n"
    "counts twice, since a filter can't tell it from another key.\n"
    "\n"
    "--json prints {\"file\", \"filter\", \"keys\", \"capacity\", "
    "\"bits_per_key\",\n"
    "\"side_bits_per_key\", \"expected_fpr\", \"changed\"}.";

constexpr const char* kRemoveExamples =
    "Examples:\n"
    "  tamis remove users.tamis gone.txt\n"
    "  tamis query users.tamis gone.txt --invert   the keys it has not\n"
    "\n"
    "The file is replaced when all keys are out, or stays as it was: if one "
    "of\n"
    "them is certainly not in it, nothing is written (--skip-absent leaves\n"
    "such keys out).  Give keys of the set only: of others a filter may take\n"
    "some for members, and lose those.  Keys that come more than once in KEYS\n"
    "are removed once.\n"
    "\n"
    "--json prints {\"file\", \"filter\", \"keys\", \"capacity\", "
    "\"bits_per_key\",\n"
    "\"side_bits_per_key\", \"expected_fpr\", \"changed\"}.";

enum class Change { kAdd, kRemove };

struct UpdateOptions {
  std::string file;
  KeysOption keys;
  bool skip_absent = false;
  bool json = false;
};

// Refuses keys of another form than the filter was built from: 42 as text and
// 42 as u64 are different keys.  Returns the form to note in the file.
Result<KeyForm> ExpectSameForm(const UpdateOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const KeyForm built, KeyFormOf(options.file));
  TAMIS_ASSIGN_OR_RETURN(const auto format, FormatOf(options.keys));
  const KeyForm given = FormOf(format);
  if (built == KeyForm::kUnknown || built == given) return built;
  return UsageError(fmt::format(
      "{} was built from {} keys, and these are {} keys; 42 as text and 42 as "
      "u64 are different keys (see --format)",
      options.file, ToString(built), ToString(given)));
}

Result<std::vector<KeyHash>> ReadDistinct(const KeysOption& option,
                                          const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const auto reader, Open(option));
  std::vector<KeyHash> hashes;
  while (reader->Next()) hashes.push_back(hasher.Hash(reader->key()));
  TAMIS_RETURN_IF_ERROR(reader->status());
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

Status Add(AnyFilter& filter, const std::vector<KeyHash>& hashes,
           const UpdateOptions& options) {
  const uint64_t before = filter.size();
  const Status status = filter.InsertEach(hashes);
  if (status.code() != StatusCode::kFull) return status;
  return {StatusCode::kFull,
          fmt::format("{}: full after {} of {}; nothing was written; `tamis "
                      "build` makes a larger filter",
                      options.file, filter.size() - before,
                      Counted(hashes.size(), "key"))};
}

// Leaves out the keys that are certainly not in the filter, or fails on them.
Status DropAbsent(const AnyFilter& filter, const UpdateOptions& options,
                  std::vector<KeyHash>* hashes) {
  const uint64_t given = hashes->size();
  std::erase_if(*hashes,
                [&](KeyHash hash) { return !filter.MayContain(hash); });
  const uint64_t absent = given - hashes->size();
  if (absent == 0 || options.skip_absent) return {};
  return {StatusCode::kNotFound,
          fmt::format("{}: {} of {} certainly not in it; nothing was written "
                      "(--skip-absent leaves such keys out)",
                      options.file, absent == 1 ? "1" : std::to_string(absent),
                      Counted(given, "key is", "keys are"))};
}

Status Remove(AnyFilter& filter, std::vector<KeyHash>* hashes,
              const UpdateOptions& options) {
  if (!filter.capabilities().erase) {
    return {StatusCode::kUnsupported,
            fmt::format("{}: {} can't remove keys", options.file,
                        filter.spec().ToString())};
  }
  TAMIS_RETURN_IF_ERROR(DropAbsent(filter, options, hashes));
  return filter.EraseEach(*hashes).WithContext(options.file +
                                               ": nothing was written");
}

Status RunUpdate(Change change, const UpdateOptions& options, Console console) {
  TAMIS_RETURN_IF_ERROR(ExpectOtherFile(options.keys.path, options.file));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter, LoadFile(options.file));
  TAMIS_ASSIGN_OR_RETURN(const KeyForm form, ExpectSameForm(options));
  TAMIS_ASSIGN_OR_RETURN(std::vector<KeyHash> hashes,
                         ReadDistinct(options.keys, filter.hasher()));
  TAMIS_RETURN_IF_ERROR(change == Change::kAdd
                            ? Add(filter, hashes, options)
                            : Remove(filter, &hashes, options));
  TAMIS_RETURN_IF_ERROR(
      SaveOrLeaveNothing(filter, options.file, form, console));
  if (options.json) {
    auto json = SummaryAsJson(options.file, filter);
    json["changed"] = hashes.size();
    console.out << json.dump(2) << '\n';
    return {};
  }
  console.err << fmt::format(
      "{}: {} {}; {}\n", options.file, Counted(hashes.size(), "key"),
      change == Change::kAdd ? "added" : "removed", Summary(filter));
  return {};
}

Runner AddUpdate(CLI::App& parent, Console console, Change change) {
  auto options = std::make_shared<UpdateOptions>();
  const bool adds = change == Change::kAdd;
  CLI::App* app =
      adds ? parent.add_subcommand("add", "Put more keys into a filter file")
           : parent.add_subcommand("remove", "Take keys out of a filter file");
  app->footer(adds ? kAddExamples : kRemoveExamples);
  app->add_option("FILE", options->file, "The filter file, which is replaced")
      ->required();
  AddKeysOption(app, "KEYS", "File of keys; - is standard input",
                &options->keys);
  if (!adds) {
    app->add_flag("--skip-absent", options->skip_absent,
                  "Leave out keys that are certainly not in it");
  }
  app->add_flag("--json", options->json, "Print what the file has become");
  return {app, [=] { return RunUpdate(change, *options, console); }};
}

}  // namespace

Runner AddAdd(CLI::App& parent, Console console) {
  return AddUpdate(parent, console, Change::kAdd);
}

Runner AddRemove(CLI::App& parent, Console console) {
  return AddUpdate(parent, console, Change::kRemove);
}

}  // namespace tamis::tools
