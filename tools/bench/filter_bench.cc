#include "tools/bench/filter_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/bench/batches.h"
#include "tools/common/cpu_time.h"
#include "tools/common/interrupt.h"
#include "tools/common/statistics.h"

namespace tamis::tools {
namespace {

constexpr int kMinLimitRounds = 9;

bool IsQuery(Workload workload) {
  return !ChangesFilter(workload) && workload != Workload::kHash;
}

std::optional<double> MedianOf(const std::vector<double>& samples) {
  if (samples.empty()) return std::nullopt;
  return Median(samples);
}

}  // namespace

FilterBench::FilterBench(const BenchOptions& options, const Spec& spec,
                         uint64_t slots, const BenchKeys& keys,
                         const Hasher& hasher, Progress& progress)
    : options_(options),
      spec_(spec),
      slots_(slots),
      keys_(keys),
      hasher_(hasher),
      progress_(progress) {}

Status FilterBench::Run() {
  TAMIS_RETURN_IF_ERROR(Fill());
  TAMIS_RETURN_IF_ERROR(CheckMembers());
  TAMIS_RETURN_IF_ERROR(TimeBulkLoads());
  TAMIS_RETURN_IF_ERROR(AdaptFirst());
  expected_fpr_ = filter_->ExpectedFpr();
  bits_per_key_ = filter_->stats().BitsPerKey();
  if (std::any_of(options_.workloads.begin(), options_.workloads.end(),
                  AsksForAbsentKeys)) {
    MeasureFpr();
  }
  TAMIS_RETURN_IF_ERROR(TimeLookups());
  return TimeErases();
}

Result<AnyFilter> FilterBench::NewFilter() const {
  return AnyFilter::Create(spec_, slots_, hasher_);
}

Status FilterBench::Fill() {
  if (options_.Wants(Workload::kInsert) ||
      options_.Wants(Workload::kInsertMarginal)) {
    return FillTimed();
  }
  TAMIS_ASSIGN_OR_RETURN(filter_, NewFilter());
  return filter_->BulkLoad(keys_.members.items());
}

Status FilterBench::FillTimed() {
  const auto members = keys_.members.items();
  const size_t last = std::clamp<size_t>(slots_ / 100, 1, members.size() - 1);
  const auto early = members.first(members.size() - last);
  const int rounds = options_.RepetitionsFor(Workload::kInsert, slots_);
  for (int round = 0; round < rounds; ++round) {
    if (round > 0 && InterruptRequested()) break;
    Report(Workload::kInsert, round / static_cast<double>(rounds));
    filter_.reset();  // the old one's memory first
    TAMIS_ASSIGN_OR_RETURN(filter_, NewFilter());
    Status status;
    const double early_ns = NanosecondsPer(
        early.size(), [&] { status = filter_->InsertEach(early); });
    TAMIS_RETURN_IF_ERROR(status);
    const double last_ns = NanosecondsPer(
        last, [&] { status = filter_->InsertEach(members.last(last)); });
    TAMIS_RETURN_IF_ERROR(status);
    const double share =
        static_cast<double>(last) / static_cast<double>(members.size());
    Samples(Workload::kInsert)
        .push_back(early_ns * (1 - share) + last_ns * share);
    Samples(Workload::kInsertMarginal).push_back(last_ns);
  }
  return {};
}

// A benchmark of a filter that forgets its members is worth nothing.
Status FilterBench::CheckMembers() const {
  const auto members = keys_.members.items();
  const uint64_t found = CountInBatches(*filter_, members);
  if (found == members.size()) return {};
  return {StatusCode::kCorrupt,
          fmt::format("{} of {} members are not found", members.size() - found,
                      members.size())};
}

Status FilterBench::TimeBulkLoads() {
  if (!options_.Wants(Workload::kBulk)) return {};
  if (!filter_->capabilities().bulk_load) return {};
  const auto members = keys_.members.items();
  const int rounds = options_.RepetitionsFor(Workload::kBulk, slots_);
  for (int round = 0; round < rounds && !InterruptRequested(); ++round) {
    Report(Workload::kBulk, round / static_cast<double>(rounds));
    TAMIS_ASSIGN_OR_RETURN(AnyFilter filter, NewFilter());
    Status status;
    Samples(Workload::kBulk).push_back(NanosecondsPer(members.size(), [&] {
      status = filter.BulkLoad(members);
    }));
    TAMIS_RETURN_IF_ERROR(status);
  }
  return {};
}

Status FilterBench::AdaptFirst() {
  const double per_member = options_.adapt_unique_per_member;
  if (per_member == 0 || !filter_->capabilities().adapt) return {};
  const auto count = static_cast<uint64_t>(
      per_member * static_cast<double>(keys_.members.items().size()));
  Status status;
  const auto adapt = [&](std::span<const KeyHash> chunk, uint64_t done) {
    progress_.Report(spec_.ToString() + " adapts",
                     static_cast<double>(done) / static_cast<double>(count));
    // One by one: a fix may undo an earlier answer of a batch.
    for (const KeyHash hash : chunk) {
      if (!status.ok() || InterruptRequested()) return;
      if (filter_->MayContain(hash)) status = filter_->Adapt(hash).status();
    }
  };
  ForEachAbsentChunk(hasher_, kFirstToAdapt, count, adapt);
  return status;
}

void FilterBench::MeasureFpr() {
  uint64_t found = 0;
  ForEachAbsentChunk(hasher_, kFirstForFpr, options_.fpr_queries,
                     [&](std::span<const KeyHash> chunk, uint64_t) {
                       found += CountInBatches(*filter_, chunk);
                     });
  fpr_ = static_cast<double>(found) / static_cast<double>(options_.fpr_queries);
}

Status FilterBench::TimeLookups() {
  TAMIS_ASSIGN_OR_RETURN(limit_,
                         MemoryLimit::Create(filter_->SizeBits() / 8, slots_));
  limit_->ChooseLoop(keys_.absent.items());
  const int rounds = std::max(options_.repetitions, kMinLimitRounds);
  for (int round = 0; round < rounds && !InterruptRequested(); ++round) {
    TimeOneRound(round);
  }
  return {};
}

template <typename Question>
void FilterBench::TimeOneByOne(Workload workload, int round,
                               std::span<const Question> questions) {
  if (!IsDue(workload, round)) return;
  Samples(workload).push_back(NanosecondsPer(
      questions.size(), [&] { KeepValue(filter_->CountEach(questions)); }));
}

template <typename Question>
void FilterBench::TimeBatches(Workload workload, int round,
                              std::span<const Question> questions) {
  if (!IsDue(workload, round)) return;
  Samples(workload).push_back(NanosecondsPer(
      questions.size(), [&] { AskInBatches(*filter_, questions); }));
}

void FilterBench::TimeOneRound(int round) {
  const auto absent = keys_.absent.items();
  const auto absent_keys = keys_.absent_keys.items();
  absent_limits_.push_back(limit_->Measure(absent));
  TimeBatches(Workload::kQuery0Batch, round, absent);
  TimeBatches(Workload::kQuery0KeyBatch, round, absent_keys);
  TimeOneByOne(Workload::kQuery0, round, absent);
  TimeOneByOne(Workload::kQuery0Key, round, absent_keys);
  const auto present = keys_.present.items();
  const auto present_keys = keys_.present_keys.items();
  present_limits_.push_back(limit_->Measure(present));
  TimeBatches(Workload::kQuery100Batch, round, present);
  TimeBatches(Workload::kQuery100KeyBatch, round, present_keys);
  TimeOneByOne(Workload::kQuery100, round, present);
  TimeOneByOne(Workload::kQuery100Key, round, present_keys);
  if (IsDue(Workload::kHash, round)) TimeHashing();
}

void FilterBench::TimeHashing() {
  const auto keys = keys_.absent_keys.items();
  std::array<KeyHash, 1024> hashes;
  Samples(Workload::kHash).push_back(NanosecondsPer(keys.size(), [&] {
    for (size_t begin = 0; begin < keys.size(); begin += hashes.size()) {
      const size_t count = std::min(hashes.size(), keys.size() - begin);
      hasher_.Hash(keys.subspan(begin, count), hashes);
      KeepValue(hashes.data());
    }
  }));
}

Status FilterBench::TimeErases() {
  if (!options_.Wants(Workload::kErase)) return {};
  if (!filter_->capabilities().erase) return {};
  const int rounds = options_.RepetitionsFor(Workload::kErase, slots_);
  for (int round = 0; round < rounds && !InterruptRequested(); ++round) {
    Report(Workload::kErase, round / static_cast<double>(rounds));
    TAMIS_ASSIGN_OR_RETURN(
        const HashArray victims,
        RandomTenth(keys_.members.items(),
                    options_.seed + static_cast<uint64_t>(round)));
    Status status;
    Samples(Workload::kErase)
        .push_back(NanosecondsPer(victims.items().size(), [&] {
          status = filter_->EraseEach(victims.items());
        }));
    TAMIS_RETURN_IF_ERROR(status);
    TAMIS_RETURN_IF_ERROR(filter_->InsertEach(victims.items()));
  }
  return {};
}

bool FilterBench::IsDue(Workload workload, int round) const {
  if (!options_.Wants(workload)) return false;
  if (round >= options_.RepetitionsFor(workload, slots_)) return false;
  Report(workload, round / static_cast<double>(options_.repetitions));
  return true;
}

void FilterBench::Report(Workload workload, double share) const {
  progress_.Report(fmt::format("{}, {} slots, {}", spec_.ToString(), slots_,
                               ToString(workload)),
                   share);
}

std::vector<BenchRow> FilterBench::Rows() const {
  std::vector<BenchRow> rows;
  for (const Workload workload : options_.workloads) {
    BenchRow row{
        spec_.ToString(), workload,      slots_, options_.load, {}, {}, {},
        expected_fpr_,    bits_per_key_, {}};
    const auto& samples = samples_[static_cast<size_t>(workload)];
    if (!samples.empty()) {
      row.ns_per_op = Median(samples);
      row.spread = Spread(samples);
    }
    if (AsksForAbsentKeys(workload)) row.fpr = fpr_;
    if (IsQuery(workload) || ChangesFilter(workload)) {
      row.limit_ns = MedianOf(AsksForAbsentKeys(workload) ? absent_limits_
                                                          : present_limits_);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tamis::tools
