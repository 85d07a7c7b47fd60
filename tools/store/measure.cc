#include "tools/store/measure.h"

#include <fmt/format.h>
#include <rocksdb/perf_context.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "tools/store/measure_databases.h"
#include "tools/store/side.h"
#include "tools/store/stopwatch.h"
#include "workloads/random.h"
#include "workloads/zipf.h"

namespace tamis::tools {
namespace {

using Clock = std::chrono::steady_clock;

// What is done to a database, one operation a key, made before the clock runs.
struct Operations {
  enum class Kind : uint8_t { kGet, kPut, kReadThenPut };
  std::string bytes;  // keys, one after the other
  std::vector<Kind> kinds;

  void Add(Kind kind, Keys family, uint64_t index) {
    bytes.resize(bytes.size() + kKeyBytes);
    WriteKey(family, index, bytes.data() + bytes.size() - kKeyBytes);
    kinds.push_back(kind);
  }
  size_t size() const { return kinds.size(); }
  rocksdb::Slice key(size_t i) const {
    return {bytes.data() + i * kKeyBytes, kKeyBytes};
  }
};
using Kind = Operations::Kind;

struct Timing {
  double ns = 0;             // an operation
  double blocks = 0;         // read, a thousand operations
  uint64_t wasted = 0;       // blocks read for keys that are not there
  uint64_t late_wasted = 0;  // the same, of the last tenth
  uint64_t found = 0;
  Percentiles latency;  // of every 8th operation
};

Result<Timing> Run(const Operations& all, Side& side, uint64_t value_bytes) {
  Timing timing;
  const std::string value = MakeValue(7, value_bytes);
  std::vector<uint32_t> sampled;
  sampled.reserve(all.size() / 8 + 1);
  const size_t late = all.size() - all.size() / 10;
  rocksdb::PinnableSlice read;
  CountBlocks();
  // Of this thread; asked for once, for it takes as long as a look-up.
  const rocksdb::PerfContext& counts = *rocksdb::get_perf_context();
  const auto begin = Clock::now();
  for (size_t i = 0; i < all.size(); ++i) {
    const bool sample = i % 8 == 0;
    const auto start = sample ? Clock::now() : begin;
    if (all.kinds[i] != Kind::kPut) {
      read.Reset();
      const uint64_t before = counts.block_read_count;
      TAMIS_ASSIGN_OR_RETURN(const bool found, side.Get(all.key(i), &read));
      const uint64_t blocks = found ? 0 : counts.block_read_count - before;
      timing.found += found ? 1 : 0;
      timing.wasted += blocks;
      timing.late_wasted += i < late ? 0 : blocks;
    }
    if (all.kinds[i] != Kind::kGet) {
      TAMIS_RETURN_IF_ERROR(side.Put(all.key(i), value));
    }
    if (sample) {
      sampled.push_back(static_cast<uint32_t>((Clock::now() - start).count()));
    }
  }
  const auto n = static_cast<double>(all.size());
  timing.ns = SecondsSince(begin) * 1e9 / n;
  timing.blocks = static_cast<double>(counts.block_read_count) / n * 1000;
  timing.latency = PercentilesOf(sampled);
  return timing;
}

// ---- The workloads --------------------------------------------------------

Operations AbsentZipf(uint64_t queries, uint64_t universe) {
  workloads::ZipfStream zipf(
      {.seed = 5, .exponent = 1, .universe = universe, .scramble = false});
  Operations all;
  for (uint64_t i = 0; i < queries; ++i) {
    all.Add(Kind::kGet, Keys::kAbsent, zipf.NextRank());
  }
  return all;
}

// The same among as many Gets for members, which keep blocks from staying in
// the cache.
Operations AbsentZipfAmong(uint64_t queries, uint64_t universe, uint64_t keys) {
  workloads::ZipfStream zipf(
      {.seed = 5, .exponent = 1, .universe = universe, .scramble = false});
  workloads::Random random(11);
  Operations all;
  for (uint64_t i = 0; i < queries; ++i) {
    all.Add(Kind::kGet, Keys::kAbsent, zipf.NextRank());
    all.Add(Kind::kGet, Keys::kMembers, random.Below(keys));
  }
  return all;
}

Operations Uniform(uint64_t count, Kind kind, Keys family, uint64_t universe) {
  workloads::Random random(6);
  Operations all;
  for (uint64_t i = 0; i < count; ++i) {
    all.Add(kind, family, universe == 0 ? i : random.Below(universe));
  }
  return all;
}

// Absent keys, each so often, in rounds; every other Get is for a member, so
// that blocks do not stay in the cache.
Operations Repeated(uint64_t queries, uint64_t times, uint64_t keys) {
  workloads::Random random(10);
  const uint64_t distinct = std::max<uint64_t>(1, queries / 2 / times);
  Operations all;
  for (uint64_t i = 0; i < queries / 2; ++i) {
    all.Add(Kind::kGet, Keys::kAbsent, i % distinct);
    all.Add(Kind::kGet, Keys::kMembers, random.Below(keys));
  }
  return all;
}

// A mix in the manner of YCSB: members by Zipf's law, every other read for a
// key that is not there, and not asked for again.
struct Mix {
  double reads;
  Kind other;
  Keys other_family;
};
Operations Ycsb(const Mix& mix, uint64_t count, uint64_t keys) {
  workloads::ZipfStream zipf(
      {.seed = 8, .exponent = 0.99, .universe = keys, .scramble = false});
  workloads::Random random(9);
  Operations all;
  for (uint64_t i = 0; i < count; ++i) {
    if (random.Unit() > mix.reads) {
      const bool fresh = mix.other_family == Keys::kFresh;
      all.Add(mix.other, mix.other_family, fresh ? i : zipf.NextRank() - 1);
    } else if (random.Below(2) == 0) {
      all.Add(Kind::kGet, Keys::kAbsent, i);
    } else {
      all.Add(Kind::kGet, Keys::kMembers, zipf.NextRank() - 1);
    }
  }
  return all;
}

struct Workload {
  const char* name;
  std::vector<const char*> databases;  // plain ones first
  std::function<Operations(const MeasureOptions&)> make;
};

std::vector<Workload> AllWorkloads() {
  const auto plain_then = [](const char* store) {
    return std::vector<const char*>{"bloom", "ribbon", store};
  };
  const auto ycsb = [](const char* name, Mix mix) {
    return Workload{name, {"bloom-big", "grown"}, [mix](const auto& o) {
                      return Ycsb(mix, o.queries / 2, o.keys);
                    }};
  };
  return {
      {"absent, zipf 1.0 over 1e6", plain_then("sized"),
       [](const auto& o) { return AbsentZipf(o.queries, 1'000'000); }},
      {"absent, zipf 1.0 over 1e4", plain_then("sized"),
       [](const auto& o) { return AbsentZipf(2 * o.queries, 10'000); }},
      {"absent, zipf 1.0 over 1e5, among present", plain_then("sized"),
       [](const auto& o) {
         return AbsentZipfAmong(2 * o.queries, 100'000, o.keys);
       }},
      {"absent, 20 times each, among present", plain_then("sized"),
       [](const auto& o) { return Repeated(2 * o.queries, 20, o.keys); }},
      {"absent, 40 times each, among present", plain_then("sized"),
       [](const auto& o) { return Repeated(2 * o.queries, 40, o.keys); }},
      {"absent, never repeated", plain_then("sized"),
       [](const auto& o) {
         return Uniform(o.queries, Kind::kGet, Keys::kAbsent, 0);
       }},
      {"absent, never repeated, grown",
       {"bloom-big", "grown"},
       [](const auto& o) {
         return Uniform(o.queries, Kind::kGet, Keys::kAbsent, 0);
       }},
      {"absent, never repeated, uncompacted",
       {"bloom-raw", "grown-raw"},
       [](const auto& o) {
         return Uniform(o.queries / 2, Kind::kGet, Keys::kAbsent, 0);
       }},
      {"present, uniform",
       {"bloom", "ribbon", "sized"},
       [](const auto& o) {
         return Uniform(o.queries / 2, Kind::kGet, Keys::kMembers, o.keys);
       }},
      {"key order: present, uniform",
       {"bloom", "ordered"},
       [](const auto& o) {
         return Uniform(o.queries / 2, Kind::kGet, Keys::kMembers, o.keys);
       }},
      {"key order: absent, never repeated",
       {"bloom-big", "ordered"},
       [](const auto& o) {
         return Uniform(o.queries, Kind::kGet, Keys::kAbsent, 0);
       }},
      {"put, new keys",
       {"bloom-big", "grown", "ordered"},
       [](const auto& o) {
         return Uniform(o.queries / 4, Kind::kPut, Keys::kFresh, 0);
       }},
      {"get, then put, new keys",
       {"bloom-big", "grown"},
       [](const auto& o) {
         return Uniform(o.queries / 4, Kind::kReadThenPut, Keys::kFresh, 0);
       }},
      {"put, overwrites",
       {"bloom-big", "grown", "ordered"},
       [](const auto& o) {
         return Uniform(o.queries / 4, Kind::kPut, Keys::kMembers, o.keys);
       }},
      {"get, then put, overwrites",
       {"bloom-big", "grown"},
       [](const auto& o) {
         return Uniform(o.queries / 4, Kind::kReadThenPut, Keys::kMembers,
                        o.keys);
       }},
      ycsb("ycsb a", {0.5, Kind::kPut, Keys::kMembers}),
      ycsb("ycsb b", {0.95, Kind::kPut, Keys::kMembers}),
      ycsb("ycsb c", {1, Kind::kPut, Keys::kMembers}),
      ycsb("ycsb d", {0.95, Kind::kPut, Keys::kFresh}),
      ycsb("ycsb f", {0.5, Kind::kReadThenPut, Keys::kMembers}),
  };
}

bool Wanted(const MeasureOptions& options, const char* name) {
  const auto& only = options.workloads;
  return only.empty() ||
         std::any_of(only.begin(), only.end(), [&](const std::string& word) {
           return std::string_view(name).starts_with(word);
         });
}

Status AddRows(const MeasureOptions& options, const Workload& workload,
               ResultTable* table) {
  const Operations all = workload.make(options);
  double best_ns = 0;  // of the plain ones
  for (const char* database : workload.databases) {
    if (options.progress) options.progress(workload.name, 0);
    TAMIS_ASSIGN_OR_RETURN(const auto side, OpenMeasured(options, database));
    TAMIS_ASSIGN_OR_RETURN(const Timing timing,
                           Run(all, *side, options.value_bytes));
    // After it: with all that was learnt.
    const double bits = 8.0 * static_cast<double>(side->FilterBytes()) /
                        static_cast<double>(options.keys);
    const bool plain = std::string_view(database).starts_with("bloom") ||
                       std::string_view(database) == "ribbon";
    if (plain && (best_ns == 0 || timing.ns < best_ns)) best_ns = timing.ns;
    table->rows.push_back({workload.name, database, fmt::format("{:.2f}", bits),
                           fmt::format("{:.3f}", timing.ns / 1000),
                           fmt::format("{:.2f}", best_ns / timing.ns),
                           fmt::format("{:.3f}", timing.blocks),
                           std::to_string(timing.wasted),
                           std::to_string(timing.late_wasted),
                           fmt::format("{:.2f}", timing.latency.p50),
                           fmt::format("{:.2f}", timing.latency.p99),
                           fmt::format("{:.2f}", timing.latency.p999),
                           std::to_string(timing.found)});
    TAMIS_RETURN_IF_ERROR(side->Close());
  }
  return {};
}

}  // namespace

std::vector<std::string> MeasureNames() {
  std::vector<std::string> names;
  for (const Workload& one : AllWorkloads()) names.emplace_back(one.name);
  return names;
}

std::set<std::string> NeededDatabases(const MeasureOptions& options) {
  std::set<std::string> names;
  for (const Workload& one : AllWorkloads()) {
    if (!Wanted(options, one.name)) continue;
    names.insert(one.databases.begin(), one.databases.end());
  }
  return names;
}

Result<ResultTable> Measure(const MeasureOptions& options) {
  ResultTable table;
  table.title = fmt::format("{} keys, values of {} bytes", options.keys,
                            options.value_bytes);
  table.columns = {"workload", "database",      "filter bits/key",
                   "us/op",    "x faster",      "blocks/1000",
                   "wasted",   "in last tenth", "p50 us",
                   "p99 us",   "p99.9 us",      "found"};
  for (const Workload& workload : AllWorkloads()) {
    if (!Wanted(options, workload.name)) continue;
    TAMIS_RETURN_IF_ERROR(AddRows(options, workload, &table));
  }
  return table;
}

}  // namespace tamis::tools
