#include "tools/bench/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "tools/common/check_spec.h"
#include "tools/common/parse.h"

namespace tamis::tools {
namespace {

constexpr uint64_t kHugeSlots = uint64_t{1} << 24;
constexpr int kFewRepetitions = 3;

constexpr std::array<std::string_view, kWorkloadCount> kNames = {
    "insert",
    "insert-marginal",
    "bulk",
    "query0",
    "query0-batch",
    "query100",
    "query100-batch",
    "erase",
    "hash",
    "query0-key",
    "query0-key-batch",
    "query100-key",
    "query100-key-batch"};

Result<Workload> ParseWorkload(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found != kNames.end()) {
    return static_cast<Workload>(found - kNames.begin());
  }
  return UsageError(fmt::format("unknown workload '{}'; known are {}", name,
                                fmt::join(kNames, ", ")));
}

}  // namespace

std::string_view ToString(Workload workload) {
  return kNames[static_cast<size_t>(workload)];
}

Result<std::vector<Workload>> ParseWorkloads(std::string_view text) {
  std::vector<Workload> workloads;
  for (const std::string_view name : Split(text, ',')) {
    TAMIS_ASSIGN_OR_RETURN(const Workload workload, ParseWorkload(name));
    workloads.push_back(workload);
  }
  return workloads;
}

bool AsksForAbsentKeys(Workload workload) {
  return workload == Workload::kQuery0 || workload == Workload::kQuery0Batch ||
         workload == Workload::kQuery0Key ||
         workload == Workload::kQuery0KeyBatch;
}

bool ChangesFilter(Workload workload) {
  return workload == Workload::kInsert ||
         workload == Workload::kInsertMarginal || workload == Workload::kBulk ||
         workload == Workload::kErase;
}

bool BenchOptions::Wants(Workload workload) const {
  return std::find(workloads.begin(), workloads.end(), workload) !=
         workloads.end();
}

uint64_t BenchOptions::QueriesFor(uint64_t slot_count) const {
  if (queries != 0) return queries;
  return std::clamp(slot_count, uint64_t{1} << 20, uint64_t{1} << 24);
}

uint64_t BenchOptions::KeysFor(uint64_t slot_count) const {
  return static_cast<uint64_t>(static_cast<double>(slot_count) * load);
}

int BenchOptions::RepetitionsFor(Workload workload, uint64_t slot_count) const {
  const bool few = ChangesFilter(workload) && slot_count > kHugeSlots;
  return few ? std::min(repetitions, kFewRepetitions) : repetitions;
}

Status Validate(const BenchOptions& options) {
  constexpr uint64_t kMinSlots = 100;
  constexpr uint64_t kMaxSlots = uint64_t{1} << 40;
  if (options.filters.empty()) return UsageError("no filters are given");
  for (const Spec& spec : options.filters) {
    TAMIS_RETURN_IF_ERROR(CheckSpec(spec));
  }
  if (options.workloads.empty()) return UsageError("no workloads are given");
  if (options.slots.empty()) return UsageError("no number of slots is given");
  for (const uint64_t slots : options.slots) {
    if (slots < kMinSlots || slots > kMaxSlots) {
      return UsageError("--slots is " + std::to_string(slots) +
                        "; expected 100 to 2^40");
    }
  }
  if (!(options.load >= 0.02 && options.load <= 1)) {
    return UsageError("--load must be from 0.02 to 1");
  }
  if (options.repetitions < 1) {
    return UsageError("--repetitions must be 1 or more");
  }
  return {};
}

}  // namespace tamis::tools
