// RateGrid: the false positive rates of the papers' filters on one stream of
// queries, over the ratio A/S of different queries to members.
//
//   A/S     TAF      exAF     ACF1    ...        each cell: mean, lowest and
//    5    6.8e-5   7.3e-5   ...                  highest over the seeds, and
//   10    6.8e-5   ...                           how many came again
//
// The queries stay; the set becomes smaller as A/S grows.  Every false positive
// is adapted to.  A grid is measured twice: with the papers' parameters, and
// with the same memory for every filter.

#ifndef TAMIS_LAB_REPRODUCE_RATE_GRID_H_
#define TAMIS_LAB_REPRODUCE_RATE_GRID_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/reproduce/telescoping_filters.h"
#include "tamis/result.h"
#include "tools/compare/query_stream.h"
#include "tools/report/findings.h"

namespace tamis::tools {

enum class GridMemory {
  kPapers,  // kTelescopingFilters as they are, load 0.95
  kEqual,   // kHonestBitsPerKey for each, parameters chosen to fit
};

struct GridPlan {
  std::vector<uint64_t> ratios;  // A/S, rising
  uint64_t seed = 1;             // the first
  int seeds = 1;
  // Gives the stream the set that belongs to a ratio.
  std::function<void(QueryStream& stream, uint64_t ratio)> set_members;
};

struct RateCell {
  double fpr = 0;  // mean over the seeds
  double low = 0;
  double high = 0;
  double repeated = 0;   // share of the false positives that came again, mean
  double forgot = 0;     // adapts that gave up earlier fixes, mean
  double not_fixed = 0;  // adapts that did not help, mean
  double bits_per_key = 0;
  std::string spec;  // the parameters in use
};

struct RateGrid {
  GridMemory memory = GridMemory::kPapers;
  std::vector<uint64_t> ratios;
  // By ratio, then as kTelescopingFilters.
  std::vector<std::array<RateCell, kTelescopingFilters.size()>> cells;

  double fpr(size_t row, size_t filter) const { return cells[row][filter].fpr; }
  // Returns the geometric mean, over the ratios in [low, high], of a's rate
  // divided by b's.  REQUIRES: there is such a ratio
  double MeanRatio(size_t a, size_t b, uint64_t low, uint64_t high) const;
};

// Says which memory it is, for titles and claims.
std::string ToText(GridMemory memory);

// Runs every filter on `stream`, whose set it changes.  kFull if a filter does
// not take its keys under any of several seeds.
Result<RateGrid> MeasureGrid(const GridPlan& plan, GridMemory memory,
                             QueryStream& stream,
                             const std::function<void(double)>& progress);

// Measures one filter, as its spec is, at load 0.95, on the stream as it is.
Result<RateCell> MeasureAtPaperLoad(const GridPlan& plan, std::string_view spec,
                                    const QueryStream& stream);

// Measures one filter, whose open parameter is chosen to fit, on the stream as it
// is.  Nothing, if it does not fit.
Result<std::optional<RateCell>> MeasureAtBudget(const GridPlan& plan,
                                                std::string_view spec,
                                                double bits_per_key,
                                                const QueryStream& stream);

// "A/S = 5, 20, 30", or of many "A/S = 2 to 80".  REQUIRES: ratios rise
std::string ScopeOf(std::span<const uint64_t> ratios);

// Adds the grid's tables and its chart; `stream` names what was asked.
void ShowGrid(const std::string& stream, const RateGrid& grid,
              Findings& result);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_RATE_GRID_H_
