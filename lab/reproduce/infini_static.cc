// Figure 16 of the InfiniFilter paper: a filter that grows against filters
// allocated in advance for the largest size, at 16 bits a key; and the costs of
// growth against a quotient filter of the same size.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduce/growth_run.h"
#include "lab/reproduce/infini_figures.h"
#include "lab/reproduce/judge.h"
#include "tamis/infini.h"
#include "tamis/rsqf.h"
#include "tools/common/cpu_time.h"

namespace tamis::tools {
namespace {

using Point = GrowthCharts::Point;

// Grows by a fifth again and again, so that several points lie between two
// doublings, and measures after each step.
Result<std::vector<Point>> RunInSteps(std::string_view spec, uint64_t slots,
                                      const GrowthOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         GrowthFilter(spec, slots, options.seed));
  const std::vector<KeyHash> absent =
      GrowthHashes(filter, options.seed, kAbsent, options.queries);
  std::vector<Point> points;
  uint64_t keys = 0;
  for (uint64_t limit = 2048; limit <= options.max_keys; limit += limit / 5) {
    const std::vector<KeyHash> more =
        GrowthHashes(filter, options.seed, keys, limit - keys);
    Status status;
    const double insert_ns = NanosecondsPer(
        more.size(), [&] { status = InsertPlainly(filter, more); });
    TAMIS_RETURN_IF_ERROR(status);
    keys = limit;
    uint64_t found = 0;
    const double query_ns = NanosecondsPer(
        absent.size(), [&] { found = filter.CountEach(absent); });
    points.push_back(
        {.keys = static_cast<double>(keys),
         .query_ns = query_ns,
         .insert_ns = insert_ns,
         .fpr = static_cast<double>(found) / static_cast<double>(absent.size()),
         .bits_per_key = filter.stats().BitsPerKey()});
  }
  return points;
}

void AddPoints(std::string_view spec, const std::vector<Point>& points,
               GrowthCharts& charts, Findings& result) {
  ResultTable table;
  table.title = spec;
  table.columns = {"keys", "bits per key", "FPR", "query ns", "insert ns"};
  for (const Point& one : points) {
    table.rows.push_back({fmt::format("{:.0f}", one.keys),
                          fmt::format("{:.2f}", one.bits_per_key),
                          fmt::format("{:.6f}", one.fpr),
                          fmt::format("{:.1f}", one.query_ns),
                          fmt::format("{:.1f}", one.insert_ns)});
  }
  result.tables.push_back(std::move(table));
  charts.Add(std::string(spec), points);
}

// The filters of Figure 16, in this order.
enum Static : size_t { kGrown, kQuotient, kBloom, kCuckoo };
constexpr std::array<std::string_view, 4> kStaticSpecs = {
    "infini-growing:f=12", "rsqf:r=13", "bloom:bits=16,k=11", "cuckoo:f=16"};
using Lines = std::array<std::vector<Point>, kStaticSpecs.size()>;

// Says which filter has the least (sign 1) or the most (-1) at the beginning or
// the end.
size_t Extreme(const Lines& lines, double Point::*what, bool at_end, int sign) {
  size_t best = kGrown;
  const auto value = [&](size_t i) {
    const Point& point = at_end ? lines[i].back() : lines[i].front();
    return sign * point.*what;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (value(i) < value(best)) best = i;
  }
  return best;
}

void JudgeExtreme(std::string text, Said paper, size_t expected, size_t found,
                  Findings& result) {
  result.claims.push_back(
      {std::move(text),
       std::move(paper),
       std::string(kStaticSpecs[found]),
       {std::string(kStaticSpecs[expected]), Limit::From::kPaper},
       found == expected});
}

// Parts (B), (C) and (D).
void JudgeLines(const Lines& lines, Findings& result) {
  const auto change = [&](size_t i, double Point::*what) {
    return lines[i].back().*what / lines[i].front().*what;
  };
  JudgeExtreme(
      "who has the fastest queries at first",
      {"InfiniFilter is initially the fastest baseline", "5, Figure 16 (B)"},
      kGrown, Extreme(lines, &Point::query_ns, false, 1), result);
  const double doubled = change(kBloom, &Point::query_ns);
  result.claims.push_back(Judged(
      "a Bloom filter's latency as it fills",
      {"latency approximately doubles as the data size grows",
       "5, Figure 16 (B)"},
      fmt::format("{:.2f}x", doubled), doubled, {.low = 1.5, .high = 2.5}));
  const double stable = change(kCuckoo, &Point::query_ns);
  result.claims.push_back(Judged(
      "a cuckoo filter's latency as it fills",
      {"exhibits stable performance across the experiment", "5, Figure 16 (B)"},
      fmt::format("{:.2f}x", stable), stable, {.low = 0.8, .high = 1.25}));
  JudgeExtreme("whose rate is the highest in the end",
               {"its false positive rate exceeds all other baselines",
                "5, Figure 16 (C), of Bloom"},
               kBloom, Extreme(lines, &Point::fpr, true, -1), result);
  JudgeExtreme("who has the slowest inserts in the end",
               {"the Bloom filter exhibits the slowest insertion speed",
                "5, Figure 16 (D)"},
               kBloom, Extreme(lines, &Point::insert_ns, true, -1), result);
  const auto [low, high] =
      std::ranges::minmax(lines[kGrown], {}, &Point::insert_ns);
  const double swing = high.insert_ns / low.insert_ns;
  result.claims.push_back(
      Judged("InfiniFilter's inserts between and at expansions",
             {"exhibits fluctuating insertion performance due to its expansion "
              "operations",
              "5, Figure 16 (D)"},
             fmt::format("{:.1f} to {:.1f} ns, {:.1f}x", low.insert_ns,
                         high.insert_ns, swing),
             swing, {.low = 1.5}));
}

// What RunInfiniSpeed measures, in ns per key.
struct SpeedRow {
  double insert;
  double query;
  double batch;
};

template <typename F>
void MeasureQueries(const F& filter, const std::vector<KeyHash>& absent,
                    SpeedRow& row) {
  uint64_t found = 0;
  row.query = NanosecondsPer(absent.size(), [&] {
    for (const KeyHash hash : absent) found += filter.MayContain(hash);
  });
  KeepValue(found);
  const auto results = std::make_unique<bool[]>(absent.size());
  row.batch = NanosecondsPer(absent.size(), [&] {
    filter.MayContain(absent, std::span(results.get(), absent.size()));
  });
}

// Inserts keys [first, limit), hashed a piece at a time outside of the timing.
template <typename F>
Result<double> MeasureInserts(F& filter, uint64_t seed, uint64_t first,
                              uint64_t limit) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  uint64_t total = 0;
  for (uint64_t done = first; done < limit; done += kPiece) {
    std::vector<KeyHash> hashes;
    for (uint64_t i = done; i < std::min(limit, done + kPiece); ++i) {
      hashes.push_back(filter.hasher().Hash(GrowthKey(seed, i)));
    }
    const uint64_t begin = CpuNanoseconds();
    for (const KeyHash hash : hashes) {
      TAMIS_RETURN_IF_ERROR(filter.Insert(hash));
    }
    total += CpuNanoseconds() - begin;
  }
  return static_cast<double>(total) / static_cast<double>(limit - first);
}

std::vector<std::string> SpeedCells(const std::string& name, uint64_t keys,
                                    const SpeedRow& row) {
  const auto cell = [](double ns) {
    return ns == 0 ? std::string("-") : fmt::format("{:.1f}", ns);
  };
  return {name, fmt::format("{}", keys), cell(row.query), cell(row.batch),
          cell(row.insert)};
}

// An InfiniFilter that grows from 2^10 slots to `homes` keys.
struct GrowthCosts {
  SpeedRow before;    // the last doubling
  double expand = 0;  // ns per entry of that doubling
  SpeedRow after;     // its insert is amortised over all
};

Result<GrowthCosts> MeasureGrowing(uint64_t homes, uint64_t keys,
                                   const Hasher& hasher, uint64_t seed,
                                   const std::vector<KeyHash>& absent) {
  GrowthCosts costs = {};
  TAMIS_ASSIGN_OR_RETURN(InfiniFilter infini,
                         InfiniFilter::Create({.slots = 1024}, hasher));
  TAMIS_ASSIGN_OR_RETURN(costs.before.insert,
                         MeasureInserts(infini, seed, 0, keys));
  MeasureQueries(infini, absent, costs.before);
  Status status;
  costs.expand = NanosecondsPer(keys, [&] { status = infini.Expand(); });
  TAMIS_RETURN_IF_ERROR(status);
  TAMIS_ASSIGN_OR_RETURN(const double rest,
                         MeasureInserts(infini, seed, keys, homes));
  costs.after.insert = 0.8 * (costs.before.insert + costs.expand) + 0.2 * rest;
  MeasureQueries(infini, absent, costs.after);
  return costs;
}

// A quotient filter of fixed size, with that many keys.
Result<SpeedRow> MeasureFixed(uint64_t slots, uint64_t keys,
                              const Hasher& hasher, uint64_t seed,
                              const std::vector<KeyHash>& absent) {
  SpeedRow row = {};
  TAMIS_ASSIGN_OR_RETURN(
      Rsqf rsqf, Rsqf::Create({.slots = slots, .remainder_bits = 13}, hasher));
  TAMIS_ASSIGN_OR_RETURN(row.insert, MeasureInserts(rsqf, seed, 0, keys));
  MeasureQueries(rsqf, absent, row);
  return row;
}

void JudgeSpeed(const GrowthCosts& grown, const SpeedRow& fixed,
                const SpeedRow& full, Findings& result) {
  const auto judge = [&](std::string text, double ours, double theirs,
                         double most) {
    result.claims.push_back(Judged(std::move(text), {},
                                   fmt::format("{:.1f} / {:.1f} ns = {:.2f}x",
                                               ours, theirs, ours / theirs),
                                   ours / theirs, {.high = most}));
  };
  judge("look-ups, one by one, against the RSQF of equal size and load",
        grown.before.query, fixed.query, 1.6);
  judge("look-ups in batches, against the same", grown.before.batch,
        fixed.batch, 1.6);
  judge("amortised insert from 2^10 slots, against the RSQF filled to 0.95",
        grown.after.insert, full.insert, 2);
  judge("an expansion per entry, against an average insert of that RSQF",
        grown.expand, full.insert, 0.25);
}

}  // namespace

Result<Findings> RunInfiniFigure16(const ExperimentOptions& options) {
  Findings result;
  const GrowthOptions growth = GrowthOptionsFor(options);
  const uint64_t slots = growth.max_keys + growth.max_keys / 16;
  GrowthCharts charts("16 bits a key");
  Lines lines;
  for (size_t i = 0; i < kStaticSpecs.size(); ++i) {
    TAMIS_ASSIGN_OR_RETURN(
        lines[i],
        RunInSteps(kStaticSpecs[i], i == kGrown ? 1024 : slots, growth));
    AddPoints(kStaticSpecs[i], lines[i], charts, result);
    options.progress(static_cast<double>(i + 1) / kStaticSpecs.size());
  }
  for (size_t i = kQuotient; i < kStaticSpecs.size(); ++i) {
    const double ours = lines[kGrown].front().bits_per_key;
    const double theirs = lines[i].front().bits_per_key;
    result.claims.push_back(
        {fmt::format("the growing filter needs less memory at first than {}",
                     kStaticSpecs[i]),
         {"requires less memory upfront", "5, Figure 16 (A)"},
         fmt::format("{:.1f} against {:.0f} bits per key", ours, theirs),
         {"less at first", Limit::From::kPaper},
         ours < theirs});
  }
  JudgeLines(lines, result);
  charts.MoveTo(result);
  result.notes.emplace_back(
      "inserts one by one; several points between two doublings");
  return result;
}

Result<Findings> RunInfiniSpeed(const ExperimentOptions& options) {
  const uint64_t homes = uint64_t{1} << (options.paper_scale ? 25 : 20);
  const uint64_t keys = homes * 8 / 10;  // just before a doubling
  const Hasher hasher(Seed{options.seed, options.seed});
  std::vector<KeyHash> absent;
  for (uint64_t i = 0; i < 4'000'000; ++i) {
    absent.push_back(hasher.Hash(GrowthKey(options.seed, kAbsent + i)));
  }
  TAMIS_ASSIGN_OR_RETURN(
      const GrowthCosts grown,
      MeasureGrowing(homes, keys, hasher, options.seed, absent));
  options.progress(0.5);
  TAMIS_ASSIGN_OR_RETURN(
      const SpeedRow fixed,
      MeasureFixed(homes, keys, hasher, options.seed, absent));
  TAMIS_ASSIGN_OR_RETURN(
      const SpeedRow full,
      MeasureFixed(homes * 100 / 95 + 1, homes, hasher, options.seed, absent));
  Findings result;
  result.tables.push_back(
      {.title = "one thread, CPU time; absent keys",
       .columns = {"filter", "keys", "query ns", "batch ns", "insert ns"},
       .rows = {SpeedCells("infini:f=12", keys, grown.before),
                SpeedCells("infini:f=12, one expansion per entry", keys,
                           {.insert = grown.expand, .query = 0, .batch = 0}),
                SpeedCells("infini:f=12", homes, grown.after),
                SpeedCells("rsqf:r=13, load 0.8", keys, fixed),
                SpeedCells("rsqf:r=13, load 0.95", homes, full)}});
  JudgeSpeed(grown, fixed, full, result);
  return result;
}

}  // namespace tamis::tools
