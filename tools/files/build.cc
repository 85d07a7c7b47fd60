// `tamis build`: a filter file from keys.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/serialize.h"
#include "tamis/sizing.h"
#include "tools/common/check_spec.h"
#include "tools/common/counted.h"
#include "tools/common/number_option.h"
#include "tools/common/other_file.h"
#include "tools/common/parse.h"
#include "tools/common/progress.h"
#include "tools/compare/budget.h"
#include "tools/files/commands.h"
#include "tools/files/keys_option.h"
#include "tools/files/load_file.h"
#include "tools/files/summary.h"

namespace tamis::tools {
namespace {

constexpr const char* kBuildExamples =
    "Examples:\n"
    "  tamis build users.txt -o users.tamis --filter rsqf:r=8\n"
    "  tamis build users.txt -o users.tamis --fpr 0.001\n"
    "  tamis build users.txt -o users.tamis --bits-per-key 12 --keys 2000000\n"
    "  tamis build more.txt -o more.tamis --like users.tamis\n"
    "  zcat keys.gz | tamis build - -o keys.tamis --fpr 1e-6 --hash siphash\n"
    "\n"
    "Keys that come more than once count once.  `tamis filters` lists the\n"
    "filters and their parameters.\n"
    "\n"
    "--json prints {\"file\", \"filter\", \"keys\", \"capacity\", "
    "\"bits_per_key\",\n"
    "\"side_bits_per_key\", \"expected_fpr\", \"keys_read\"}.\n"
    "\n"
    "Each filter has a random secret seed.  To merge two of them, build the\n"
    "second one with --like, or both with the same --seed.";

constexpr const char* kDefaultHash = "xxh3";

struct BuildOptions {
  KeysOption keys;
  std::string output;
  std::string filter;
  std::optional<double> fpr;
  std::string room;  // in keys
  std::optional<double> bits_per_key;
  std::string slots;
  std::optional<double> load;
  std::string seed;
  std::string like;
  std::string hash = kDefaultHash;
  bool json = false;
};

// What is known before the keys are: how to hash them, and maybe the size.
struct Plan {
  Hasher hasher;
  std::optional<Spec> spec = {};
  std::optional<uint64_t> slots = {};
  uint64_t room = 0;            // for so many keys, if there are fewer
  uint64_t least_capacity = 0;  // keys to hold before it is full or grows
  bool may_add_slots = false;   // nobody said how large it is to be
};

Result<Plan> PlanLike(const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter model, LoadFile(path));
  return Plan{.hasher = model.hasher(),
              .spec = model.spec(),
              .slots = model.capacity(),
              .least_capacity = model.capacity()};
}

Result<Plan> MakePlan(const BuildOptions& options) {
  if (!options.like.empty()) return PlanLike(options.like);
  TAMIS_ASSIGN_OR_RETURN(const HashAlgorithm algorithm,
                         ParseHashAlgorithm(options.hash));
  Seed seed = Seed::Random();
  if (!options.seed.empty()) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t number, ParseSeed(options.seed));
    seed = Seed{number, 0};
  }
  Plan plan{.hasher = Hasher(algorithm, seed)};
  if (!options.filter.empty()) {
    TAMIS_ASSIGN_OR_RETURN(plan.spec, Spec::Parse(options.filter));
    TAMIS_RETURN_IF_ERROR(CheckSpec(*plan.spec));
  }
  if (!options.room.empty()) {
    TAMIS_ASSIGN_OR_RETURN(plan.room, ParseSize(options.room));
  }
  if (!options.slots.empty()) {
    TAMIS_ASSIGN_OR_RETURN(plan.slots, ParseSize(options.slots));
  }
  return plan;
}

// Chooses what the memory buys, all of it counted, as `tamis compare` does.
Result<Sizing> FitTo(const Budget& budget, const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(const Fit fit,
                         FitComparable(spec, budget, KeysIn::kRam));
  if (fit.choice) return *fit.choice;
  return UsageError(fmt::format(
      "{} does not fit {} bits a key in all: {}", spec.ToString(),
      budget.bits_per_key,
      fit.other_reason.empty()
          ? fmt::format("it needs {:.2f} at least", fit.min_bits_per_key)
          : fit.other_reason));
}

// Fills in what depends on the number of keys.
Status Complete(const BuildOptions& options, uint64_t keys_read, Plan* plan) {
  const uint64_t keys = std::max<uint64_t>({keys_read, plan->room, 1});
  plan->may_add_slots = !plan->slots && !options.bits_per_key;
  if (options.fpr || options.bits_per_key) {
    const Spec spec = plan->spec.value_or(Spec("rsqf"));
    const Budget budget{.keys = keys,
                        .bits_per_key = options.bits_per_key.value_or(0)};
    TAMIS_ASSIGN_OR_RETURN(const Sizing sizing,
                           options.bits_per_key
                               ? FitTo(budget, spec)
                               : SizeFor(spec.name(), keys, *options.fpr));
    plan->spec = sizing.spec;
    if (!plan->slots) plan->slots = sizing.slots;
  }
  if (!plan->slots && options.load) {
    plan->slots = static_cast<uint64_t>(
        std::ceil(static_cast<double>(keys) / *options.load));
    plan->least_capacity = keys;
  }
  if (!plan->slots) {
    TAMIS_ASSIGN_OR_RETURN(plan->slots, SlotsFor(*plan->spec, keys));
    plan->least_capacity = keys;
  }
  return {};
}

// Makes the filter.  Those that grow do so before every slot is used: they get
// as many more as it takes to hold the keys without.
Result<AnyFilter> Create(const Plan& plan) {
  uint64_t slots = *plan.slots;
  for (;;) {
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                           AnyFilter::Create(*plan.spec, slots, plan.hasher));
    const uint64_t capacity = filter.capacity();
    if (!filter.capabilities().expand || capacity >= plan.least_capacity) {
      return filter;
    }
    const double missing = static_cast<double>(plan.least_capacity) /
                           static_cast<double>(std::max<uint64_t>(capacity, 1));
    slots = std::max(
        slots + 1,
        static_cast<uint64_t>(std::ceil(static_cast<double>(slots) * missing)));
  }
}

struct Keys {
  std::vector<KeyHash> hashes;  // one of each
  uint64_t read = 0;
};

// A filter is a set: keys that come again are dropped.
Result<Keys> ReadKeys(const KeysOption& option, const Hasher& hasher,
                      Progress& progress) {
  constexpr uint64_t kReportEvery = 1 << 16;
  TAMIS_ASSIGN_OR_RETURN(const auto reader, Open(option));
  Keys keys;
  std::vector<KeyHash>& hashes = keys.hashes;
  while (reader->Next()) {
    hashes.push_back(hasher.Hash(reader->key()));
    if (++keys.read % kReportEvery == 0) {
      progress.ReportCount("reads keys", keys.read, reader->ShareRead());
    }
  }
  TAMIS_RETURN_IF_ERROR(reader->status());
  progress.ReportCount("sorts keys", keys.read);
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return keys;
}

// Says what would have done, of a filter that the user made too small.
Status WithWhatWouldDo(const Status& full, const BuildOptions& options,
                       const Plan& plan, uint64_t keys) {
  if (full.code() != StatusCode::kFull) return full;
  const std::string spec = plan.spec->ToString();
  const std::string count = Counted(keys, "key");
  if (!options.like.empty()) {
    return {StatusCode::kFull,
            fmt::format("{}: {} do not fit a filter like {}; `tamis build "
                        "--keys {}` makes one with room for more",
                        spec, count, options.like, keys)};
  }
  const Result<uint64_t> enough = SlotsFor(*plan.spec, keys);
  if (options.slots.empty() || !enough.ok() || *enough <= *plan.slots) {
    return full;
  }
  return {StatusCode::kFull,
          fmt::format("{}: {} in {} do not fit; --slots {} would do", spec,
                      count, Counted(*plan.slots, "slot"), *enough)};
}

// Makes the filter and fills it.  Cuckoo tables of a few keys now and then find
// no place for the last ones at the usual load, as their seed has it: unless
// the user said how many slots there are, they get more, until all keys fit.
Result<AnyFilter> Fill(const BuildOptions& options, Plan plan, const Keys& keys,
                       Progress& progress) {
  constexpr uint64_t kShareAdded = 16;  // one slot more for so many
  constexpr int kAttempts = 20;         // the last has 3.2 times the slots
  for (int attempt = 1;; ++attempt) {
    progress.ReportCount("fills the filter", keys.read);
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter, Create(plan));
    const Status loaded = filter.BulkLoad(keys.hashes);
    if (loaded.ok()) {
      progress.Clear();
      return filter;
    }
    const bool again = loaded.code() == StatusCode::kFull &&
                       plan.may_add_slots && attempt < kAttempts;
    if (!again) {
      return WithWhatWouldDo(loaded, options, plan, keys.hashes.size());
    }
    *plan.slots += *plan.slots / kShareAdded + 1;
  }
}

Status CheckOptions(const BuildOptions& options) {
  TAMIS_RETURN_IF_ERROR(ExpectOtherFile(options.keys.path, options.output));
  TAMIS_RETURN_IF_ERROR(ExpectOneOutput(options.output, options.json));
  if (!options.like.empty()) {
    const bool more = !options.filter.empty() || options.fpr ||
                      !options.seed.empty() || !options.slots.empty() ||
                      !options.room.empty() || options.bits_per_key ||
                      options.hash != kDefaultHash;
    return more ? UsageError("--like already says filter, size, hash and seed")
                : Status();
  }
  if (options.filter.empty() && !options.fpr && !options.bits_per_key) {
    return UsageError(
        "say which filter: --filter SPEC, --fpr P, --bits-per-key B or --like "
        "FILE");
  }
  if (options.bits_per_key && (options.fpr || !options.slots.empty())) {
    return UsageError(
        "--bits-per-key says how large the filter is: expected no --fpr, no "
        "--slots");
  }
  if (options.bits_per_key) {
    TAMIS_RETURN_IF_ERROR(CheckBits(*options.bits_per_key));
  }
  if (options.fpr && options.filter.find(':') != std::string::npos) {
    return UsageError(
        "--fpr chooses the parameters: --filter then names the kind alone, "
        "such as taf");
  }
  if (!options.room.empty() && !options.slots.empty()) {
    return UsageError("--keys and --slots both say how large the filter is");
  }
  if (options.load && !(*options.load >= 1e-6 && *options.load <= 1)) {
    return UsageError("--load must be at least 0.000001 and at most 1");
  }
  return {};
}

void Tell(const BuildOptions& options, const AnyFilter& filter,
          const Keys& keys, Console console) {
  if (options.json) {
    auto json = SummaryAsJson(options.output, filter);
    json["keys_read"] = keys.read;
    console.out << json.dump(2) << '\n';
    return;
  }
  console.err << NameOfOutput(options.output) << ": " << Summary(filter);
  if (keys.read != keys.hashes.size()) {
    console.err << " (" << keys.read << " were read: some came again)";
  }
  console.err << '\n';
}

Status RunBuild(const BuildOptions& options, Console console) {
  TAMIS_RETURN_IF_ERROR(CheckOptions(options));
  TAMIS_ASSIGN_OR_RETURN(Plan plan, MakePlan(options));
  Progress progress(console.err, "build");
  TAMIS_ASSIGN_OR_RETURN(const Keys keys,
                         ReadKeys(options.keys, plan.hasher, progress));
  TAMIS_RETURN_IF_ERROR(Complete(options, keys.hashes.size(), &plan));
  TAMIS_ASSIGN_OR_RETURN(const AnyFilter filter,
                         Fill(options, plan, keys, progress));
  TAMIS_ASSIGN_OR_RETURN(const auto format, FormatOf(options.keys));
  TAMIS_RETURN_IF_ERROR(
      SaveOrLeaveNothing(filter, options.output, FormOf(format), console));
  Tell(options, filter, keys, console);
  return {};
}

}  // namespace

Runner AddBuild(CLI::App& parent, Console console) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* app =
      parent.add_subcommand("build", "Make a filter file from keys");
  app->footer(kBuildExamples);
  AddKeysOption(app, "KEYS", "File of keys; - is standard input",
                &options->keys);
  app->add_option("-o,--output", options->output,
                  "The filter file to write; - is standard output")
      ->required();
  app->add_option("--filter", options->filter,
                  "Spec of the filter, such as rsqf:r=8; see tamis filters");
  AddReal(app, "--fpr", &options->fpr,
          "Wanted false positive rate; chooses the parameters");
  AddReal(app, "--bits-per-key", &options->bits_per_key,
          "Memory in all; chooses what the filter's spec leaves open");
  app->add_option("--keys", options->room,
                  "Room for so many keys, such as 2^20, if KEYS has fewer");
  app->add_option("--slots", options->slots,
                  "For those who look inside: slots (default: what KEYS take)");
  AddReal(app, "--load", &options->load,
          "For those who look inside: keys per slot");
  app->add_option("--seed", options->seed, "Seed (default: random, secret)");
  app->add_option("--like", options->like,
                  "Take filter, size, hash and seed from this filter file");
  app->add_option("--hash", options->hash,
                  "xxh3, or siphash for keys that an adversary chooses")
      ->capture_default_str();
  app->add_flag("--json", options->json, "Print what was built as JSON");
  return {app, [=] { return RunBuild(*options, console); }};
}

}  // namespace tamis::tools
