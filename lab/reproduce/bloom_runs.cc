#include "lab/reproduce/bloom_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "lab/reproduce/recorded.h"
#include "tamis/any_filter.h"
#include "tamis/internal/bits/words.h"
#include "tools/common/filter_detail.h"
#include "tools/compare/query_stream.h"
#include "workloads/flows.h"
#include "workloads/key_reader.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

// M in all trace runs of the authors' published script (processTraces.bat).
constexpr uint64_t kAuthorsWords = 1024;

using workloads::Random;

constexpr uint64_t kPaperPackets = 3'000'000;
constexpr uint64_t kQuickPackets = 750'000;

// Numbers the flows in the order of their first packets.
class TraceBuilder {
 public:
  explicit TraceBuilder(std::string name) { trace_.name = std::move(name); }

  void Add(uint64_t key) {
    const auto [found, is_new] =
        flow_of_.try_emplace(key, static_cast<uint32_t>(trace_.keys.size()));
    if (is_new) trace_.keys.push_back(key);
    trace_.packets.push_back(found->second);
  }
  FlowTrace Finish() {
    trace_.words = kAuthorsWords;
    while (16 * trace_.words * 3 > trace_.keys.size()) trace_.words /= 2;
    return std::move(trace_);
  }

 private:
  FlowTrace trace_;
  std::unordered_map<uint64_t, uint32_t> flow_of_;
};

FlowTrace GenerateFlows(uint64_t packets) {
  TraceBuilder builder("flows");
  workloads::FlowStream stream;
  for (uint64_t i = 0; i < packets; ++i) builder.Add(stream.Next());
  return builder.Finish();
}

Result<FlowTrace> ReadTrace(const std::filesystem::path& file) {
  TraceBuilder builder(file.filename().string());
  TAMIS_RETURN_IF_ERROR(ForEachKey(
      file, [&](std::string_view key) { builder.Add(IdentityOf(key).high); }));
  return builder.Finish();
}

// The filter of one run and the rate that it shows.
class Run {
 public:
  static Result<Run> Create(const std::string& spec, uint64_t words,
                            uint64_t keys_per_word, uint64_t seed) {
    TAMIS_ASSIGN_OR_RETURN(Spec parsed, Spec::Parse(spec));
    uint64_t slots = keys_per_word * words;
    if (parsed.Has("f")) {
      slots = slots * 20 / 19 + 1;  // a cuckoo table, at load 0.95
    } else {
      parsed.Set("bits",
                 fmt::format("{}", 64.0 / static_cast<double>(keys_per_word)));
    }
    TAMIS_ASSIGN_OR_RETURN(
        AnyFilter filter, AnyFilter::Create(parsed, slots, Hasher(Seed{seed})));
    return Run(std::move(filter));
  }

  const Hasher& hasher() const { return filter_.hasher(); }
  Status Insert(KeyHash hash) { return filter_.Insert(hash); }
  Status LookUpAbsent(KeyHash hash) {
    ++look_ups_;
    if (!filter_.MayContain(hash)) return {};
    ++false_positives_;
    return adapts_ ? filter_.Adapt(hash).status() : Status();
  }
  RunRates rates() const {
    const double look_ups = static_cast<double>(look_ups_);
    const double adapts = FilterDetail(filter_, "adapts");
    const auto wrong = static_cast<double>(false_positives_);
    const double fpr = wrong / look_ups;
    return {.fpr = fpr,
            .low = fpr,
            .high = fpr,
            .adapts = adapts / look_ups,
            .external_reads =
                FilterDetail(filter_, "copies_read") / std::max(wrong, 1.0)};
  }

 private:
  explicit Run(AnyFilter filter)
      : filter_(std::move(filter)), adapts_(filter_.capabilities().adapt) {}

  AnyFilter filter_;
  bool adapts_;
  uint64_t look_ups_ = 0;
  uint64_t false_positives_ = 0;
};

// Returns which of `count` flows are members: `chosen` random ones.
std::vector<bool> ChooseMembers(uint64_t count, uint64_t chosen,
                                Random& random) {
  std::vector<bool> members(count, false);
  while (chosen > 0) {
    const uint64_t flow = random.Below(count);
    if (members[flow]) continue;
    members[flow] = true;
    --chosen;
  }
  return members;
}

Result<RunRates> ReplayOnce(const FlowTrace& trace, const std::string& spec,
                            uint64_t keys_per_word, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(Run run,
                         Run::Create(spec, trace.words, keys_per_word, seed));
  Random random(seed);
  const std::vector<bool> members =
      ChooseMembers(trace.keys.size(), keys_per_word * trace.words, random);
  std::vector<KeyHash> hashes(trace.keys.size());
  run.hasher().Hash(trace.keys, hashes);
  for (size_t flow = 0; flow < hashes.size(); ++flow) {
    if (members[flow]) TAMIS_RETURN_IF_ERROR(run.Insert(hashes[flow]));
  }
  for (const uint32_t flow : trace.packets) {
    if (members[flow]) continue;
    TAMIS_RETURN_IF_ERROR(run.LookUpAbsent(hashes[flow]));
  }
  return run.rates();
}

Result<RunRates> RunSyntheticOnce(const std::string& spec, uint64_t words,
                                  uint64_t keys_per_word, uint64_t negatives,
                                  uint64_t repeats, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(Run run,
                         Run::Create(spec, words, keys_per_word, seed));
  for (uint64_t i = 0; i < words * keys_per_word; ++i) {
    TAMIS_RETURN_IF_ERROR(run.Insert(run.hasher().Hash(2 * i)));
  }
  std::vector<KeyHash> absent(negatives);
  for (uint64_t i = 0; i < negatives; ++i) {
    absent[i] = run.hasher().Hash(2 * i + 1);
  }
  Random random(seed);
  for (uint64_t i = 0; i < negatives * repeats; ++i) {
    TAMIS_RETURN_IF_ERROR(run.LookUpAbsent(absent[random.Below(negatives)]));
  }
  return run.rates();
}

// Returns the mean of run(seed), run(seed + 1), ...
template <typename RunOnce>
Result<RunRates> MeanOf(int runs, uint64_t seed, RunOnce run) {
  RunRates sum{.low = 1};
  for (int i = 0; i < runs; ++i) {
    TAMIS_ASSIGN_OR_RETURN(const RunRates rates,
                           run(seed + static_cast<uint64_t>(i)));
    sum.fpr += rates.fpr / runs;
    sum.low = std::min(sum.low, rates.fpr);
    sum.high = std::max(sum.high, rates.fpr);
    sum.adapts += rates.adapts / runs;
    sum.external_reads += rates.external_reads / runs;
  }
  return sum;
}

}  // namespace

Result<std::vector<FlowTrace>> LoadFlowTraces(
    const ExperimentOptions& options) {
  std::vector<FlowTrace> traces;
  traces.push_back(
      GenerateFlows(options.paper_scale ? kPaperPackets : kQuickPackets));
  for (const auto& file : RecordedFiles(options)) {
    TAMIS_ASSIGN_OR_RETURN(FlowTrace trace, ReadTrace(file));
    traces.push_back(std::move(trace));
  }
  return traces;
}

std::vector<std::string> DescribeTraces(const std::vector<FlowTrace>& traces) {
  std::vector<std::string> notes;
  notes.reserve(traces.size() + 2);
  for (const FlowTrace& trace : traces) {
    notes.push_back(fmt::format(
        "{}: {} packets of {} flows, M = {} words of 64 bits, N random flows "
        "are members",
        trace.name, trace.packets.size(), trace.keys.size(), trace.words));
  }
  notes.push_back(
      "the flows stream has fixed parameters: P(length >= x) = 1/x up to "
      "10,000 packets, seed 1; M = 1024 as in the authors' published script, "
      "less where a trace has fewer than 48 M flows");
  if (traces.size() == 1) {
    notes.push_back("no recorded traces: give files or folders with --data");
  }
  return notes;
}

Result<RunRates> ReplayTrace(const FlowTrace& trace, const std::string& spec,
                             uint64_t keys_per_word, uint64_t seed, int runs) {
  return MeanOf(runs, seed, [&](uint64_t run_seed) {
    return ReplayOnce(trace, spec, keys_per_word, run_seed);
  });
}

Result<RunRates> RunSynthetic(const std::string& spec, uint64_t words,
                              uint64_t keys_per_word, uint64_t negatives,
                              uint64_t repeats, uint64_t seed, int runs) {
  return MeanOf(runs, seed, [&](uint64_t run_seed) {
    return RunSyntheticOnce(spec, words, keys_per_word, negatives, repeats,
                            run_seed);
  });
}

ChartPoint PointAt(double x, const RunRates& rates) {
  return {.x = x, .y = rates.fpr, .low = rates.low, .high = rates.high};
}

std::string Rate(double rate) { return fmt::format("{:.4f}", rate); }
std::string Times(double factor) { return fmt::format("{:.2f}x", factor); }

}  // namespace tamis::tools
