#include "lab/reproduce/growth_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "tamis/serialize.h"
#include "tools/common/cpu_time.h"
#include "workloads/random.h"

namespace tamis::tools {
namespace {

// Keys are hashed a piece at a time, outside of what is timed.
constexpr uint64_t kPiece = uint64_t{1} << 16;

void MeasureQueries(const AnyFilter& filter, const GrowthOptions& options,
                    GrowthPhase& phase) {
  uint64_t one_by_one = 0;
  uint64_t in_batch = 0;
  for (uint64_t done = 0; done < options.queries; done += kPiece) {
    const uint64_t count = std::min(kPiece, options.queries - done);
    const std::vector<KeyHash> hashes =
        GrowthHashes(filter, options.seed, kAbsent + done, count);
    const auto results = std::make_unique<bool[]>(count);
    uint64_t begin = CpuNanoseconds();
    phase.false_positives += filter.CountEach(hashes);
    one_by_one += CpuNanoseconds() - begin;
    begin = CpuNanoseconds();
    filter.MayContain(hashes, std::span(results.get(), count));
    in_batch += CpuNanoseconds() - begin;
  }
  phase.queries = options.queries;
  const auto queries = static_cast<double>(options.queries);
  phase.query_ns = static_cast<double>(one_by_one) / queries;
  phase.batch_ns = static_cast<double>(in_batch) / queries;
}

// Erases members of all ages from a copy, so that the filter grows on as if
// nothing had been.
Status MeasureDeletes(const AnyFilter& filter, const GrowthOptions& options,
                      GrowthPhase& phase) {
  constexpr uint64_t kMost = 4'000;
  if (!filter.capabilities().erase) return {};
  TAMIS_ASSIGN_OR_RETURN(const auto bytes, Serialize(filter));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter copy, DeserializeAny(bytes));
  const uint64_t count = std::min(kMost, phase.keys / 4);
  workloads::Random random(options.seed);
  std::vector<uint64_t> indices(phase.keys);
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  for (uint64_t i = 0; i < count; ++i) {
    std::swap(indices[i], indices[i + random.Below(phase.keys - i)]);
  }
  std::vector<KeyHash> hashes(count);
  for (uint64_t i = 0; i < count; ++i) {
    hashes[i] = copy.hasher().Hash(GrowthKey(options.seed, indices[i]));
  }
  Status status;
  phase.delete_ns = NanosecondsPer(count, [&] {
    for (uint64_t i = 0; i < count && status.ok(); ++i) {
      status = copy.Erase(hashes[i]);
    }
  });
  return status;
}

}  // namespace

double GrowthPhase::DeviationsFrom(double fpr, double set_variance) const {
  const double sampling = fpr * (1 - fpr) / static_cast<double>(queries);
  return (Fpr() - fpr) / std::sqrt(sampling + set_variance);
}

Result<AnyFilter> GrowthFilter(std::string_view spec, uint64_t slots,
                               uint64_t seed) {
  return AnyFilter::Create(spec, slots, Hasher(Seed{seed, seed}));
}

uint64_t GrowthKey(uint64_t seed, uint64_t index) {
  return workloads::DistinctKey(seed, index);
}

std::vector<KeyHash> GrowthHashes(const AnyFilter& filter, uint64_t seed,
                                  uint64_t first, uint64_t count) {
  std::vector<KeyHash> hashes(count);
  for (uint64_t i = 0; i < count; ++i) {
    hashes[i] = filter.hasher().Hash(GrowthKey(seed, first + i));
  }
  return hashes;
}

Result<GrowthRun> RunGrowth(AnyFilter filter, const GrowthOptions& options,
                            const InsertKeys& insert) {
  GrowthRun run;
  run.spec = filter.spec().ToString();
  uint64_t keys = 0;
  for (int number = 0;; ++number) {
    GrowthPhase phase = {};
    phase.number = number;
    const uint64_t first = keys;
    uint64_t insert_ns = 0;
    // The first insert of a phase doubles the filter; only then is it known
    // how many keys the phase has.
    for (uint64_t limit = first + 1; keys < limit; limit = filter.capacity()) {
      const uint64_t count = std::min(kPiece, limit - keys);
      const uint64_t begin = CpuNanoseconds();
      const Status status = insert(filter, keys, count);
      insert_ns += CpuNanoseconds() - begin;
      if (!status.ok()) {
        run.end = status.ToString();
        return run;
      }
      keys += count;
      if (filter.capacity() > options.max_keys) return run;
    }
    phase.keys = keys;
    phase.insert_ns =
        static_cast<double>(insert_ns) / static_cast<double>(keys - first);
    phase.bits_per_key = filter.stats().BitsPerKey();
    phase.expected_fpr = filter.ExpectedFpr();
    MeasureQueries(filter, options, phase);
    if (options.deletes) {
      TAMIS_RETURN_IF_ERROR(MeasureDeletes(filter, options, phase));
    }
    run.phases.push_back(phase);
  }
  return run;
}

Result<GrowthRun> RunGrowth(std::string_view spec,
                            const GrowthOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         GrowthFilter(spec, options.start_slots, options.seed));
  // Hashing a key takes 2 ns, which is left in.
  return RunGrowth(std::move(filter), options,
                   [&](AnyFilter& grown, uint64_t first, uint64_t count) {
                     return InsertPlainly(
                         grown,
                         GrowthHashes(grown, options.seed, first, count));
                   });
}

Status InsertPlainly(AnyFilter& filter, std::span<const KeyHash> hashes) {
  for (const KeyHash hash : hashes) {
    TAMIS_RETURN_IF_ERROR(filter.Insert(hash));
  }
  return {};
}

GrowthOptions GrowthOptionsFor(const ExperimentOptions& options) {
  GrowthOptions growth;
  growth.seed = options.seed;
  growth.max_keys = uint64_t{1} << (options.paper_scale ? 25 : 20);
  growth.queries = options.paper_scale ? 2'000'000 : 200'000;
  return growth;
}

void AddPhases(const GrowthRun& run, Findings& result) {
  ResultTable table;
  table.title = run.spec;
  table.columns = {"doublings",    "keys",     "FPR",      "expected FPR",
                   "bits per key", "query ns", "batch ns", "insert ns"};
  for (const GrowthPhase& phase : run.phases) {
    table.rows.push_back({fmt::format("{}", phase.number),
                          fmt::format("{}", phase.keys),
                          fmt::format("{:.6f}", phase.Fpr()),
                          fmt::format("{:.6f}", phase.expected_fpr),
                          fmt::format("{:.2f}", phase.bits_per_key),
                          fmt::format("{:.1f}", phase.query_ns),
                          fmt::format("{:.1f}", phase.batch_ns),
                          fmt::format("{:.1f}", phase.insert_ns)});
  }
  result.tables.push_back(std::move(table));
  if (!run.end.empty()) {
    result.notes.push_back(fmt::format("{} stopped: {}", run.spec, run.end));
  }
}

GrowthCharts::GrowthCharts(const std::string& what) {
  const std::array<const char*, 4> titles = {"look-ups of absent keys",
                                             "inserts, with expansions",
                                             "false positive rate", "memory"};
  const std::array<const char*, 4> units = {
      "ns per look-up", "ns per insert", "false positive rate", "bits per key"};
  for (size_t i = 0; i < charts_.size(); ++i) {
    charts_[i] = {what + ": " + titles[i], "keys", units[i], true, i != 3, {}};
  }
}

void GrowthCharts::Add(const std::string& name, std::span<const Point> points) {
  for (Chart& chart : charts_) chart.series.push_back({name, {}});
  for (const Point& point : points) {
    const std::array<double, 4> values = {point.query_ns, point.insert_ns,
                                          point.fpr, point.bits_per_key};
    for (size_t i = 0; i < charts_.size(); ++i) {
      charts_[i].series.back().points.push_back(
          {.x = point.keys, .y = values[i]});
    }
  }
}

void GrowthCharts::Add(const GrowthRun& run) {
  std::vector<Point> points;
  for (const GrowthPhase& phase : run.phases) {
    points.push_back({static_cast<double>(phase.keys), phase.query_ns,
                      phase.insert_ns, phase.Fpr(), phase.bits_per_key});
  }
  Add(run.spec, points);
}

void GrowthCharts::MoveTo(Findings& result) {
  // Filters allocated in advance take a thousand times as much at first.
  double most = 0;
  for (const ChartSeries& series : charts_[3].series) {
    for (const ChartPoint& point : series.points) {
      most = std::max(most, point.y);
    }
  }
  charts_[3].log_y = most > 100;
  for (Chart& chart : charts_) result.charts.push_back(std::move(chart));
}

}  // namespace tamis::tools
