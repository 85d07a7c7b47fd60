#include "lab/reproduce/rate_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tamis/any_filter.h"
#include "tools/compare/budget.h"
#include "tools/compare/stream_run.h"

namespace tamis::tools {
namespace {

constexpr double kPaperLoad = 0.95;
constexpr uint64_t kTries = 20;  // seeds to try where the keys do not fit

// The papers' filters with the parameters left open that a budget decides.
constexpr std::array<std::string_view, kTelescopingFilters.size()> kOpenSpecs =
    {"taf:overflow=reset",
     "exaf:overflow=reset",
     "cyclic:s=1",
     "cyclic:s=2",
     "cyclic:s=3",
     "swapping",
     "cuckooing:move=next,fingerprints=table",
     "cuckoo:k=4,b=1",
     "taf:overflow=refuse",
     "cuckooing",
     "exaf:overflow=reset,insert=adapt",
     "cached(rsqf):policy=topk"};

Result<Choice> AtPaperLoad(std::string_view text, uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse(text));
  const double slots = std::ceil(static_cast<double>(keys) / kPaperLoad);
  return Choice{spec, static_cast<uint64_t>(slots), 0};
}

// Parameters for one filter and one size of the set.
Result<Choice> ChooseFor(GridMemory memory, size_t filter,
                         const Budget& budget) {
  if (memory == GridMemory::kPapers) {
    return AtPaperLoad(kTelescopingFilters[filter].SpecFor(budget.keys),
                       budget.keys);
  }
  TAMIS_ASSIGN_OR_RETURN(Spec wanted, Spec::Parse(kOpenSpecs[filter]));
  if (filter == kBroom) {
    wanted.Set("rehash", kTelescopingFilters[kBroom].NumberFor(budget.keys));
  } else if (filter == kTopK) {
    wanted.Set("bytes", kTelescopingFilters[kTopK].NumberFor(budget.keys));
  }
  TAMIS_ASSIGN_OR_RETURN(Fit fit, FitComparable(wanted, budget));
  if (!fit.choice && filter == kTopK) {
    // The smallest sets leave no room for the smallest cache: none, then.
    TAMIS_ASSIGN_OR_RETURN(fit, FitComparable(Spec("rsqf"), budget));
  }
  if (fit.choice) return *fit.choice;
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{} needs {:.2f} bits a key", kOpenSpecs[filter],
                            fit.min_bits_per_key));
}

Result<AnyFilter> FillPaperFilter(const Choice& choice,
                                  const HashedStream& hashed) {
  TAMIS_ASSIGN_OR_RETURN(
      AnyFilter filter,
      AnyFilter::Create(choice.spec, choice.slots, hashed.hasher));
  TAMIS_RETURN_IF_ERROR(filter.InsertEach(hashed.members));
  return filter;
}

// One run under one seed; another seed where the keys find no room.
Result<StreamRun> RunOnce(const QueryStream& stream, GridMemory memory,
                          const Choice& choice, const Budget& budget,
                          uint64_t seed, RateCell& cell) {
  for (uint64_t i = 0;; ++i) {
    const HashedStream hashed(stream, seed + (i << 32));
    Result<AnyFilter> filter =
        memory == GridMemory::kPapers
            ? FillPaperFilter(choice, hashed)
            : MakeFilled(choice, budget, hashed.members, hashed.hasher);
    if (filter.ok()) {
      cell.bits_per_key = filter->stats().BitsPerKey();
      cell.spec = filter->spec().ToString();
      return RunStream(*filter, hashed);
    }
    if (filter.status().code() != StatusCode::kFull || i == kTries) {
      return filter.status().WithContext(choice.spec.ToString());
    }
  }
}

Result<RateCell> MeasureChoice(const GridPlan& plan, GridMemory memory,
                               const Choice& choice, const Budget& budget,
                               const QueryStream& stream) {
  RateCell cell;
  cell.low = 1;
  for (int i = 0; i < plan.seeds; ++i) {
    TAMIS_ASSIGN_OR_RETURN(const StreamRun run,
                           RunOnce(stream, memory, choice, budget,
                                   plan.seed + static_cast<uint64_t>(i), cell));
    cell.fpr += run.fpr() / plan.seeds;
    cell.low = std::min(cell.low, run.fpr());
    cell.high = std::max(cell.high, run.fpr());
    const auto wrong =
        static_cast<double>(std::max<uint64_t>(run.false_positives(), 1));
    cell.repeated += static_cast<double>(run.repeated) / wrong / plan.seeds;
    cell.forgot += static_cast<double>(run.resets) / plan.seeds;
    cell.not_fixed += static_cast<double>(run.not_fixed) / plan.seeds;
  }
  return cell;
}

Result<RateCell> MeasureCell(const GridPlan& plan, GridMemory memory,
                             size_t filter, const QueryStream& stream) {
  const Budget budget{.keys = stream.num_members,
                      .bits_per_key = kHonestBitsPerKey};
  TAMIS_ASSIGN_OR_RETURN(const Choice choice,
                         ChooseFor(memory, filter, budget));
  return MeasureChoice(plan, memory, choice, budget, stream);
}

// Rows are ratios, columns filters.
template <typename Format>
ResultTable GridTable(std::string title, const RateGrid& grid, Format format) {
  ResultTable table{std::move(title), {"A/S"}, {}};
  for (const PaperFilter& one : kTelescopingFilters) {
    table.columns.emplace_back(one.name);
  }
  for (size_t i = 0; i < grid.ratios.size(); ++i) {
    auto& row = table.rows.emplace_back();
    row.push_back(fmt::format("{}", grid.ratios[i]));
    for (const RateCell& cell : grid.cells[i]) row.push_back(format(cell));
  }
  return table;
}

ResultTable MemoryTable(const RateGrid& grid) {
  ResultTable table{"Memory, " + ToText(grid.memory),
                    {"filter", "spec, largest set", "smallest set",
                     "bits/key, least", "most"},
                    {}};
  for (size_t f = 0; f < kTelescopingFilters.size(); ++f) {
    double least = grid.cells[0][f].bits_per_key, most = least;
    for (const auto& row : grid.cells) {
      least = std::min(least, row[f].bits_per_key);
      most = std::max(most, row[f].bits_per_key);
    }
    table.rows.push_back({std::string(kTelescopingFilters[f].name),
                          grid.cells.front()[f].spec, grid.cells.back()[f].spec,
                          fmt::format("{:.2f}", least),
                          fmt::format("{:.2f}", most)});
  }
  return table;
}

}  // namespace

double RateGrid::MeanRatio(size_t a, size_t b, uint64_t low,
                           uint64_t high) const {
  double sum = 0;
  int count = 0;
  for (size_t i = 0; i < ratios.size(); ++i) {
    if (ratios[i] < low || ratios[i] > high) continue;
    sum += std::log(fpr(i, a) / fpr(i, b));
    ++count;
  }
  return std::exp(sum / count);
}

std::string ToText(GridMemory memory) {
  return memory == GridMemory::kPapers
             ? "the papers' parameters"
             : fmt::format("{} bits a key", kHonestBitsPerKey);
}

Result<RateGrid> MeasureGrid(const GridPlan& plan, GridMemory memory,
                             QueryStream& stream,
                             const std::function<void(double)>& progress) {
  RateGrid grid{.memory = memory, .ratios = plan.ratios, .cells = {}};
  const auto total =
      static_cast<double>(plan.ratios.size() * kTelescopingFilters.size());
  double done = 0;
  for (const uint64_t ratio : plan.ratios) {
    plan.set_members(stream, ratio);
    auto& row = grid.cells.emplace_back();
    for (size_t f = 0; f < kTelescopingFilters.size(); ++f) {
      TAMIS_ASSIGN_OR_RETURN(row[f], MeasureCell(plan, memory, f, stream));
      progress(++done / total);
    }
  }
  return grid;
}

Result<RateCell> MeasureAtPaperLoad(const GridPlan& plan, std::string_view spec,
                                    const QueryStream& stream) {
  TAMIS_ASSIGN_OR_RETURN(const Choice choice,
                         AtPaperLoad(spec, stream.num_members));
  return MeasureChoice(plan, GridMemory::kPapers, choice, {}, stream);
}

Result<std::optional<RateCell>> MeasureAtBudget(const GridPlan& plan,
                                                std::string_view spec,
                                                double bits_per_key,
                                                const QueryStream& stream) {
  const Budget budget{.keys = stream.num_members, .bits_per_key = bits_per_key};
  TAMIS_ASSIGN_OR_RETURN(const Spec wanted, Spec::Parse(spec));
  TAMIS_ASSIGN_OR_RETURN(const Fit fit, FitComparable(wanted, budget));
  if (!fit.choice) return std::optional<RateCell>();
  TAMIS_ASSIGN_OR_RETURN(
      RateCell cell,
      MeasureChoice(plan, GridMemory::kEqual, *fit.choice, budget, stream));
  return std::optional<RateCell>(std::move(cell));
}

std::string ScopeOf(std::span<const uint64_t> ratios) {
  constexpr size_t kFew = 4;
  return ratios.size() <= kFew
             ? fmt::format("A/S = {}", fmt::join(ratios, ", "))
             : fmt::format("A/S = {} to {}", ratios.front(), ratios.back());
}

void ShowGrid(const std::string& stream, const RateGrid& grid,
              Findings& result) {
  result.scope = ScopeOf(grid.ratios);
  const std::string title = stream + ", " + ToText(grid.memory);
  result.tables.push_back(GridTable(
      "False positive rate, " + title, grid,
      [](const RateCell& one) { return fmt::format("{:.3e}", one.fpr); }));
  result.tables.push_back(GridTable(
      "Share of the false positives that came again, " + title, grid,
      [](const RateCell& one) { return fmt::format("{:.3f}", one.repeated); }));
  result.tables.push_back(GridTable(
      "Adapts that forgot earlier fixes (resets), " + title, grid,
      [](const RateCell& one) { return fmt::format("{:.0f}", one.forgot); }));
  result.tables.push_back(GridTable(
      "Adapts that did not fix, " + title, grid, [](const RateCell& one) {
        return fmt::format("{:.0f}", one.not_fixed);
      }));
  result.tables.push_back(MemoryTable(grid));
  Chart chart{.title = title,
              .x_label = "A/S",
              .y_label = "false positive rate",
              .log_y = true,
              .series = {}};
  for (size_t f = 0; f < kTelescopingFilters.size(); ++f) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = kTelescopingFilters[f].name;
    for (size_t i = 0; i < grid.ratios.size(); ++i) {
      const RateCell& cell = grid.cells[i][f];
      series.points.push_back({.x = static_cast<double>(grid.ratios[i]),
                               .y = cell.fpr,
                               .low = cell.low,
                               .high = cell.high});
    }
  }
  result.charts.push_back(std::move(chart));
}

}  // namespace tamis::tools
