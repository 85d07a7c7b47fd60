// The costs of growth against a quotient filter of the same size; ours, not the
// paper's.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
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
